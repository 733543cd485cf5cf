// The reporter inside Playwright: sends tests and attempts to the host.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { emitter } = require('../../lib/wire.cjs');
const { browserMissing, errorsOf, messageOf, outcomeOf } = require('./outcome.cjs');

const WRAPPER = /\.traf-(\d{4,})\./;

module.exports = class Reporter {
  #emit;
  #options;
  #config;
  #failure = null;
  #attempts = 0;

  /** `options`: `mode` (list or run), `token`, `spec`, `title`, `notes`. */
  constructor(options) {
    this.#options = options;
    this.#emit = emitter(options.token);
  }

  printsToStdio() {
    return true;
  }

  onBegin(config, suite) {
    this.#config = config;
    for (const text of this.#options.notes) this.#emit({ event: 'note', text });
    const tests = suite.allTests();
    if (this.#options.mode === 'list') this.#list(tests);
    else this.#check(tests.filter((test) => this.#key(test) !== null));
  }

  #file(test) {
    return test.titlePath()[2];
  }

  #title(test) {
    return test.titlePath().slice(3);
  }

  /** What tells an attempt from the others, its wrapper and its repetition; null for tests of projects that ours depends on. */
  #key(test) {
    const match = WRAPPER.exec(path.basename(this.#file(test)));
    return match && `${Number(match[1])}.${test.repeatEachIndex}`;
  }

  #list(tests) {
    // Node resolves links in the paths of the modules that it loads.
    const spellings = [this.#options.spec, fs.realpathSync(this.#options.spec)];
    for (const test of tests) {
      if (path.resolve(this.#config.rootDir, this.#file(test)) !== this.#options.spec) continue;
      const { file, line, column } = test.location;
      const here = spellings.includes(file);
      this.#emit({
        event: 'test',
        title: this.#title(test),
        line: here ? line : null,
        column: here ? column : null,
        variant: test.titlePath()[1] || null,
      });
    }
  }

  /** Each wrapper must select exactly the asked test; in-code retries are taken back, which no option can do. */
  #check(tests) {
    const wanted = JSON.stringify(this.#options.title);
    const seen = new Set();
    for (const test of tests) {
      test.retries = 0;
      const same = JSON.stringify(this.#title(test)) === wanted;
      if (!same || seen.has(this.#key(test))) {
        const message = `more than one test goes by the title "${this.#options.title.join(' › ')}"`;
        this.#emit({ event: 'error', kind: 'no_test', message });
        return;
      }
      seen.add(this.#key(test));
    }
  }

  #fail(kind, message) {
    this.#failure ??= { event: 'error', kind, message };
  }

  onTestBegin(test, result) {
    const key = this.#key(test);
    if (key !== null && result.retry === 0) this.#emit({ event: 'begin', key });
  }

  onTestEnd(test, result) {
    const key = this.#key(test);
    const first = messageOf(result.errors[0] ?? {});
    if (browserMissing(result)) this.#emit({ event: 'error', kind: 'browser_missing', message: first });
    if (key === null) {
      if (!test.ok()) this.#fail('load_failed', `"${test.title}", which the test depends on, failed: ${first}`);
      return;
    }
    if (result.retry > 0 || result.status === 'interrupted') return;
    this.#attempts += 1;
    this.#emit({
      event: 'end',
      key,
      outcome: outcomeOf(test, result),
      duration_ms: result.duration,
      errors: errorsOf(test, result),
    });
  }

  onError(error) {
    const message = messageOf(error);
    this.#fail(/No tests found/.test(message) ? 'no_test' : 'load_failed', message);
  }

  onEnd() {
    if (this.#attempts > 0) return;
    const { mode, title } = this.#options;
    if (mode === 'list') this.#emit(this.#failure ?? { event: 'listed' });
    else this.#emit(this.#failure ?? { event: 'error', kind: 'no_test', message: `no test "${title.join(' › ')}"` });
  }
};
