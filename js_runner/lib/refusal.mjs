// A request that cannot be carried out: becomes an `error` event of PROTOCOL.md.

export class Refusal extends Error {
  /** `kind` is one of PROTOCOL.md; `output` the end of what the framework printed. */
  constructor(kind, message, output = '') {
    super(message);
    this.kind = kind;
    this.output = output;
  }
}
