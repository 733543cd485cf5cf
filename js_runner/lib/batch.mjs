// Carrying out one request: one framework process after the other, until every attempt is accounted for.
import fs from 'node:fs';
import { Child, newToken } from './child.mjs';
import { Refusal } from './refusal.mjs';
import { LEVELS } from './request.mjs';
import { Scratch } from './scratch.mjs';
import { parseStack } from './stack.mjs';
import { clip, stripAnsi } from './text.mjs';

const EXIT_MS = 5000;
const MESSAGE_CHARS = 8000;
// Processes that are started ahead, where each attempt has one of its own.
const SPARES = 2;
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
  #open = new Set();
  #cancelled = false;
  #decided = false;
  #executed = 0;
  #serial = 0;
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
    await this.#closeAll();
  }

  /** Every test of the file: title, line, column and variant. */
  async list() {
    const tests = [];
    const run = this.#start((token) => this.#adapter.list(this.#request, this.#framework, token));
    try {
      run.child.release();
      const limit = Date.now() + this.#request.start_limit_ms;
      for (;;) {
        const event = await run.child.next(limit - Date.now());
        const { event: name, title, line, column, variant } = event;
        if (name === 'test') tests.push({ title, line, column, variant });
        else if (name === 'listed') return tests;
        else this.#attend(event, run.child);
      }
    } finally {
      await this.#close(run);
    }
  }

  /** The level at which attempts are kept apart: the asked one, or the next stricter one that the framework offers. */
  get level() {
    const asked = LEVELS.indexOf(this.#request.isolation);
    return LEVELS.slice(asked).find((level) => this.#levels.includes(level)) ?? 'process';
  }

  /** The levels at which one process of the framework makes many attempts. */
  get #levels() {
    return this.#framework.levels ?? this.#adapter.levels;
  }

  /** Emits an `attempt` event for each attempt of the asked test. */
  async run(variant) {
    try {
      if (this.#levels.includes(this.level)) await this.#runTogether(variant);
      else await this.#runSingly(variant);
    } finally {
      await this.#closeAll();
    }
  }

  /** One framework process makes all attempts; another one goes on where it ends too early. */
  async #runTogether(variant) {
    while (!this.#finished()) {
      const run = this.#attempts(variant, this.#request.runs - this.#executed);
      run.child.release();
      await this.#collect(run);
      await this.#close(run);
    }
  }

  /** Each attempt has a framework process of its own; the next ones start while the current one works. */
  async #runSingly(variant) {
    const { runs, jobs } = this.#request;
    const spares = [];
    let begun = 0;
    const lane = async () => {
      while (begun < runs && !this.#finished()) {
        begun += 1;
        const run = spares.shift() ?? this.#attempts(variant, 1);
        run.child.release();
        while (spares.length < Math.min(SPARES, runs - begun)) spares.push(this.#attempts(variant, 1));
        await this.#collect(run);
        await (this.#decided ? this.#closeAll() : this.#close(run));
      }
    };
    await Promise.all(Array.from({ length: Math.min(jobs, runs) }, lane));
  }

  #finished() {
    return this.#cancelled || this.#decided || this.#executed === this.#request.runs;
  }

  #attempts(variant, runs) {
    const request = { ...this.#request, isolation: this.level, variant, runs, serial: this.#serial };
    this.#serial += 1;
    return { ...this.#start((token) => this.#adapter.run(request, this.#framework, token)), runs };
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

  /** Starts what an adapter plans for a token; the child waits at its gate, where it has one. */
  #start(planFor) {
    const scratch = new Scratch(this.#request.root);
    try {
      const token = newToken();
      const plan = planFor(token);
      for (const { file, text } of plan.files) scratch.write(file, text);
      const run = { child: new Child(plan, token, process.cwd()), scratch };
      this.#open.add(run);
      return run;
    } catch (error) {
      scratch.remove();
      throw error;
    }
  }

  async #close({ child, scratch }) {
    await child.stop();
    scratch.remove();
    for (const run of this.#open) if (run.child === child) this.#open.delete(run);
  }

  async #closeAll() {
    await Promise.all([...this.#open].map((run) => this.#close(run)));
  }

  /** Reads the attempts of one child, until all of its `runs` are in, the request is decided, or another child is needed. */
  async #collect({ child, runs }) {
    const { attempt_limit_ms: attemptMs, start_limit_ms: startMs } = this.#request;
    const begun = new Map();
    let collected = 0;
    let idleSince = Date.now();
    while (!this.#cancelled && !this.#decided) {
      const oldest = begun.size > 0 ? Math.min(...begun.values()) : null;
      const limit = oldest === null ? idleSince + startMs : oldest + attemptMs;
      const event = await child.next(limit - Date.now());
      if (event.event === 'begin') {
        begun.set(event.key, Date.now());
      } else if (event.event === 'end') {
        begun.delete(event.key);
        collected += 1;
        idleSince = Date.now();
        this.#report(event.outcome, event.duration_ms, this.#error(event.errors));
        if (collected === runs && !this.#decided) await this.#ending(child);
        if (collected === runs) return;
      } else if (oldest !== null && (event.event === 'silent' || event.event === 'exit')) {
        // With several at once nobody knows which one did it: the oldest is held to account, the others run again.
        const [outcome, message] =
          event.event === 'silent'
            ? ['timeout', `no end within ${attemptMs} ms`]
            : ['crash', `the process that ran the test ended: ${event.how}`];
        this.#report(outcome, Date.now() - oldest, { message, frames: [] });
        return;
      } else if (event.event === 'exit' && collected > 0) {
        return;
      } else {
        this.#attend(event, child);
      }
    }
  }

  /** All attempts are in: leaves the framework the time to take down what it set up (servers, global teardown). */
  async #ending(child) {
    const limit = Date.now() + EXIT_MS;
    let event;
    do event = await child.next(limit - Date.now());
    while (event.event !== 'exit' && event.event !== 'silent');
  }

  #report(outcome, durationMs, error) {
    if (this.#decided || this.#executed === this.#request.runs) return;
    const attempt = { index: this.#executed, outcome, duration_ms: durationMs, isolation: this.level, error };
    this.#emit({ event: 'attempt', ...attempt });
    this.#executed += 1;
    this.#decided = DECISIVE[this.#request.until]?.(outcome) ?? false;
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
