// Carrying out one request: one framework process after the other, until every attempt is accounted for.
import fs from 'node:fs';
import { Child, newToken } from './child.mjs';
import { Refusal } from './refusal.mjs';
import { Scratch } from './scratch.mjs';
import { parseStack } from './stack.mjs';
import { clip, stripAnsi } from './text.mjs';

const EXIT_MS = 5000;
const MESSAGE_CHARS = 8000;
const NOTHING_FOUND = /^No tests found/m;
const DECISIVE = {
  failure: (outcome) => outcome !== 'pass' && outcome !== 'skip',
  pass: (outcome) => outcome === 'pass',
};

export class Batch {
  #adapter;
  #framework;
  #request;
  #emit;
  #child = null;
  #cancelled = false;
  #executed = 0;
  #notes = new Set();

  /** `emit` takes the events of PROTOCOL.md without their `id`. */
  constructor(adapter, request, emit) {
    this.#adapter = adapter;
    this.#request = request;
    this.#emit = emit;
    this.#framework = adapter.locate(process.cwd());
  }

  /** Ends what is running; the batch then returns without `done`. */
  async cancel() {
    this.#cancelled = true;
    await this.#child?.stop();
  }

  /** Every test of the file: title, line, column and variant. */
  async list() {
    const tests = [];
    await this.#inChild(
      (token) => this.#adapter.list(this.#request, this.#framework, token),
      async (child) => {
        const limit = Date.now() + this.#request.start_limit_ms;
        for (;;) {
          const event = await child.next(limit - Date.now());
          const { event: name, title, line, column, variant } = event;
          if (name === 'test') tests.push({ title, line, column, variant });
          else if (name === 'listed') return;
          else this.#attend(event, child);
        }
      },
    );
    return tests;
  }

  /** Emits an `attempt` event for each attempt of the asked test. */
  async run(variant) {
    let complete = false;
    while (!complete && !this.#cancelled) {
      const runs = this.#request.runs - this.#executed;
      complete = await this.#inChild(
        (token) => this.#adapter.run({ ...this.#request, variant, runs }, this.#framework, token),
        (child) => this.#collect(child),
      );
    }
  }

  /** The last event of a request that was carried out. */
  done() {
    return {
      event: 'done',
      executed: this.#executed,
      framework_version: this.#framework.version,
      notes: [...this.#notes],
    };
  }

  async #inChild(planFor, use) {
    const scratch = new Scratch(this.#request.root);
    const token = newToken();
    try {
      const plan = planFor(token);
      for (const { file, text } of plan.files) scratch.write(file, text);
      this.#child = new Child(plan, token, process.cwd());
      return await use(this.#child);
    } finally {
      await this.#child?.stop();
      this.#child = null;
      scratch.remove();
    }
  }

  /** Reads one child's attempts; true when the request is complete, false when the rest needs another child. */
  async #collect(child) {
    const { runs, attempt_limit_ms: attemptMs, start_limit_ms: startMs } = this.#request;
    const begun = new Map();
    let progress = false;
    let idleSince = Date.now();
    while (!this.#cancelled) {
      const oldest = begun.size > 0 ? Math.min(...begun.values()) : null;
      const limit = oldest === null ? idleSince + startMs : oldest + attemptMs;
      const event = await child.next(limit - Date.now());
      if (event.event === 'begin') {
        begun.set(event.key, Date.now());
      } else if (event.event === 'end') {
        begun.delete(event.key);
        progress = true;
        idleSince = Date.now();
        const decisive = this.#report(event.outcome, event.duration_ms, this.#error(event.errors));
        if (decisive) return true;
        if (this.#executed === runs) return this.#ending(child);
      } else if (oldest !== null && (event.event === 'silent' || event.event === 'exit')) {
        // With several at once nobody knows which one did it: the oldest is held to account, the others run again.
        const [outcome, message] =
          event.event === 'silent'
            ? ['timeout', `no end within ${attemptMs} ms`]
            : ['crash', `the process that ran the test ended: ${event.how}`];
        const decisive = this.#report(outcome, Date.now() - oldest, { message, frames: [] });
        return decisive || this.#executed === runs;
      } else if (event.event === 'exit' && progress) {
        return false;
      } else {
        this.#attend(event, child);
      }
    }
    return true;
  }

  /** All attempts are in: leaves the framework the time to take down what it set up (servers, global teardown). */
  async #ending(child) {
    const limit = Date.now() + EXIT_MS;
    let event;
    do event = await child.next(limit - Date.now());
    while (event.event !== 'exit' && event.event !== 'silent');
    return true;
  }

  /** Reports an attempt; true when it decides the request. */
  #report(outcome, durationMs, error) {
    this.#emit({ event: 'attempt', index: this.#executed, outcome, duration_ms: durationMs, error });
    this.#executed += 1;
    return DECISIVE[this.#request.until]?.(outcome) ?? false;
  }

  /** Takes a note, or refuses the request on an event that keeps it from going on. */
  #attend(event, child) {
    if (event.event === 'note') {
      this.#notes.add(event.text);
      return;
    }
    const output = this.#adapter.original(child.output);
    if (event.event === 'error') throw new Refusal(event.kind, this.#text(event.message), output);
    if (event.event === 'silent') {
      throw new Refusal('start_timeout', `no test began within ${this.#request.start_limit_ms} ms`, output);
    }
    if (event.event === 'exit') {
      if (NOTHING_FOUND.test(output)) {
        throw new Refusal('no_test', `the framework takes ${this.#request.file} for no test file`, output);
      }
      const kind = this.#executed > 0 ? 'internal' : 'load_failed';
      throw new Refusal(kind, `the framework ended (${event.how}) with no test begun`, output);
    }
  }

  #text(text) {
    return clip(this.#adapter.original(stripAnsi(text)), MESSAGE_CHARS);
  }

  #error(errors) {
    if (errors.length === 0) return null;
    const { root } = this.#request;
    const roots = [root, fs.realpathSync(root)];
    const stacks = errors.map(({ stack }) => parseStack(stripAnsi(stack), roots, this.#adapter.source));
    return {
      message: this.#text(errors.map(({ message }) => message).join('\n\n')),
      frames: stacks.find((frames) => frames.length > 0) ?? [],
    };
  }
}
