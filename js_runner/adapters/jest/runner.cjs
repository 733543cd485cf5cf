// The Jest runner that repeats one test file; loaded by the user's Jest, extends the user's jest-runner.
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');
const { emitter } = require('../../lib/wire.cjs');
const { errorsOf, fileError, outcomeOf, select, titlePath } = require('./outcome.cjs');

const AMBIGUOUS = /^more than one test goes by the title /;
const SETUP = path.join(__dirname, 'setup.cjs');

const options = JSON.parse(process.env.TRAF_JEST);
// The user's code sees its environment as it is without us.
delete process.env.TRAF_JEST;

/** The jest-runner that belongs to the Jest on the command line, wherever the package manager has put it. */
function realRunner() {
  const chain = ['jest-cli', 'jest-config', 'jest-runner'];
  const file = chain.reduce((from, name) => createRequire(from).resolve(name), options.cli);
  const loaded = createRequire(file)(file);
  return loaded.default ?? loaded;
}

/** A project's name, as Jest spells it in its normalized config. */
function variantOf(test) {
  return test.context.config.displayName?.name ?? null;
}

/** The same test with our setup file in front of the user's, which finds `globals` in its environment. */
function prepared(test, globals = {}) {
  const { config } = test.context;
  const own = {
    setupFilesAfterEnv: [SETUP, ...config.setupFilesAfterEnv],
    globals: { ...config.globals, ...globals },
  };
  return { ...test, context: { ...test.context, config: { ...config, ...own } } };
}

module.exports = class RepeatRunner extends realRunner() {
  #emit = emitter(options.token);
  #reported = 0;

  async runTests(tests, watcher, schedule) {
    if (options.mode === 'list') {
      await this.#list(tests, watcher, schedule);
      return;
    }
    const chosen = tests.find((test) => options.variant === null || variantOf(test) === options.variant);
    if (!chosen) {
      this.#refuse('no_test', `no project of the Jest config is called "${options.variant}"`);
      return;
    }
    if (options.isolation === 'warm') {
      await this.#repeat(chosen, watcher, schedule);
      return;
    }
    const attempts = Array.from({ length: options.runs }, (_, key) => ({ ...prepared(chosen), key }));
    this.on('test-file-start', ([{ key }]) => this.#emit({ event: 'begin', key }));
    this.on('test-file-success', ([{ key }, result]) => this.#finished(key, result));
    this.on('test-file-failure', ([{ key }, error]) => this.#broken(key, fileError(error)));
    await super.runTests(attempts, watcher, { ...schedule, serial: options.jobs === 1 });
  }

  /** Runs the file once, in which our setup file repeats the test. */
  async #repeat(test, watcher, schedule) {
    const { title, runs } = options;
    const mine = ({ ancestorTitles, title: name }) => JSON.stringify([...ancestorTitles, name]) === JSON.stringify(title);
    this.on('test-case-start', ([, info]) => {
      if (mine(info)) this.#emit({ event: 'begin', key: 0 });
    });
    this.on('test-case-result', ([, result]) => {
      if (mine(result)) this.#end(0, outcomeOf(result), result.duration ?? 0, errorsOf(result));
    });
    this.on('test-file-success', ([, { testExecError }]) => {
      if (testExecError && this.#reported === 0) this.#broken(0, fileError(testExecError));
      else if (this.#reported === 0) this.#refuse('no_test', `the file has no test "${title.join(' › ')}"`);
    });
    this.on('test-file-failure', ([, error]) => this.#broken(0, fileError(error)));
    await super.runTests([prepared(test, { trafRepeat: { title, runs } })], watcher, { ...schedule, serial: true });
  }

  async #list(tests, watcher, schedule) {
    let failed = false;
    this.on('test-file-success', ([test, { testResults, testExecError }]) => {
      if (testExecError) {
        failed = true;
        this.#refuse('load_failed', fileError(testExecError).message);
      }
      for (const result of testResults) {
        const { line, column } = result.location ?? { line: null, column: null };
        this.#emit({ event: 'test', title: titlePath(result), line, column, variant: variantOf(test) });
      }
    });
    this.on('test-file-failure', ([, error]) => {
      failed = true;
      this.#refuse('load_failed', fileError(error).message);
    });
    await super.runTests(tests.map((test) => prepared(test)), watcher, { ...schedule, serial: true });
    if (!failed) this.#emit({ event: 'listed' });
  }

  #finished(key, { testResults, testExecError }) {
    const { result, problem } = select(testResults, options.title);
    if (testExecError && !result) {
      this.#broken(key, fileError(testExecError));
    } else if (problem) {
      this.#refuse('no_test', problem);
    } else if (testExecError && result.status === 'passed') {
      // What fails after the test, such as an afterAll hook, is charged to no test.
      this.#end(key, 'error', result.duration ?? 0, [fileError(testExecError)]);
    } else {
      this.#end(key, outcomeOf(result), result.duration ?? 0, errorsOf(result));
    }
  }

  /** The file did not get to its end. Before the first attempt that means: it does not load. */
  #broken(key, error) {
    if (error.crashed) this.#end(key, 'crash', 0, [error]);
    else if (this.#reported > 0) this.#end(key, 'error', 0, [error]);
    else if (AMBIGUOUS.test(error.message)) this.#refuse('no_test', error.message);
    else this.#refuse('load_failed', error.message);
  }

  #end(key, outcome, duration_ms, errors) {
    this.#reported += 1;
    this.#emit({ event: 'end', key, outcome, duration_ms, errors });
  }

  #refuse(kind, message) {
    this.#emit({ event: 'error', kind, message });
  }
};
