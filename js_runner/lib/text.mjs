// Text of frameworks made fit for a report: no ANSI escapes, bounded, safe inside a regular expression.

// CSI and OSC sequences, then the two-character escapes.
const ANSI = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]/g;

/** `text` without terminal escapes. */
export function stripAnsi(text) {
  return text.replace(ANSI, '');
}

/** At most `limit` characters of `text`; a cut is marked. */
export function clip(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/**
 * The source of a regular expression that matches exactly `text`. It is plain ASCII without control characters, so that
 * it survives command lines, config files and any flags but `u`.
 */
export function literal(text) {
  return text.replace(/[^A-Za-z0-9 ]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Keeps the last `limit` bytes of a stream. */
export class Tail {
  #chunks = [];
  #size = 0;
  #limit;

  constructor(limit) {
    this.#limit = limit;
  }

  push(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size - this.#chunks[0].length >= this.#limit) this.#size -= this.#chunks.shift().length;
  }

  /** The kept text without ANSI escapes. */
  text() {
    const bytes = Buffer.concat(this.#chunks);
    return stripAnsi(bytes.subarray(Math.max(0, bytes.length - this.#limit)).toString('utf8'));
  }
}
