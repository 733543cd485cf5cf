// Runs inside Vitest's workers, on top of the user's test runner: one attempt is one execution of one test, in its turn.
import net from 'node:net';
import { chains, outcomeOf, plainError, select, titleOf } from './outcome.mjs';

// Kept from tests that replace them.
const { process, setImmediate } = globalThis;
const STRAYS = ['uncaughtException', 'unhandledRejection'];
// Vitest's own listener and ours: where there are more, the user's code deals with such errors itself.
const OUR_LISTENERS = 2;

/** The line to the desk in Vitest's main process: each message is answered, the first one when it is our turn. */
class Line {
  #socket;
  #asked = [];

  constructor(file) {
    this.#socket = net.connect(file);
    this.#socket.on('data', (bytes) => this.#asked.splice(0, bytes.length).forEach(({ resolve }) => resolve()));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#asked.forEach(({ reject }) => reject(new Error('the attempts were ended'))));
    // A test that waits for the process to have nothing left to do does not wait for us.
    this.#socket.unref();
  }

  ask(message) {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#socket.write(`${JSON.stringify(message)}\n`);
    });
  }

  close() {
    this.#socket.end();
  }
}

/** A class on top of `Base`; `getFn` gives a test's own function, as Vitest's API for runners does. */
export function attemptRunner(Base, getFn, { mode, desk, title, strays }) {
  return class AttemptRunner extends Base {
    #line = new Line(desk);
    #declared = new WeakMap();
    #tasks = null;
    #inBody = false;
    #failedInBody = false;
    #strays = [];
    #onStray = (error, origin) => {
      const event = origin === 'uncaughtException' ? origin : 'unhandledRejection';
      if (process.listenerCount(event) <= OUR_LISTENERS) this.#strays.push(plainError(error));
    };

    /** Nothing of the user's is loaded before: a worker that is ready ahead of its turn waits here. */
    async onBeforeCollect(paths) {
      await this.#line.ask({ event: 'ready' });
      if (strays) for (const event of STRAYS) process.on(event, this.#onStray);
      await super.onBeforeCollect?.(paths);
    }

    /** Notes what the code itself says of a test and its blocks, before an `.only` elsewhere skips it. */
    extendTaskContext(context) {
      for (let task = context.task; task; task = task.suite) {
        if (!this.#declared.has(task)) this.#declared.set(task, task.mode);
      }
      return super.extendTaskContext?.(context) ?? context;
    }

    async onCollected(files) {
      await super.onCollected?.(files);
      const [file] = files;
      const all = chains(file);
      const errors = file.result?.errors ?? [];
      const chosen = mode === 'run' ? select(all, title) : {};
      for (const task of all.flat()) task.mode = task.mode === 'todo' ? 'todo' : 'skip';
      file.mode = 'skip';
      if (errors.length > 0) await this.#line.ask({ event: 'broken', errors: errors.map(plainError) });
      else if (mode === 'list') await this.#list(all);
      else if (chosen.problem) await this.#line.ask({ event: 'refused', message: chosen.problem });
      else this.#choose([file, ...chosen.chain]);
    }

    async #list(all) {
      const tests = all.map((chain) => {
        const { line, column } = chain.at(-1).location ?? { line: null, column: null };
        return { title: titleOf(chain), line, column };
      });
      await this.#line.ask({ event: 'listed', tests });
    }

    #choose(tasks) {
      this.#tasks = tasks;
      const left = tasks.some((task) => ['skip', 'todo'].includes(this.#declared.get(task)));
      if (!left) for (const task of tasks) task.mode = 'run';
    }

    async onBeforeRunFiles(files) {
      if (this.#tasks) await this.#line.ask({ event: 'begin' });
      await super.onBeforeRunFiles?.(files);
    }

    async onBeforeRunTask(test) {
      test.retry = 0;
      test.repeats = 0;
      await super.onBeforeRunTask?.(test);
    }

    async runTask(test) {
      this.#inBody = true;
      await (super.runTask ? super.runTask(test) : getFn(test)());
    }

    /** After the test's own code and before the hooks that follow it. */
    async onTaskFinished(test) {
      this.#failedInBody = this.#inBody && test.result?.state === 'fail';
      await super.onTaskFinished?.(test);
    }

    async onAfterRunFiles(files) {
      await super.onAfterRunFiles?.(files);
      // A rejection that nobody waits for is told at the end of the turn.
      await new Promise((resolve) => setImmediate(resolve));
      for (const event of STRAYS) process.off(event, this.#onStray);
      if (this.#tasks) {
        await this.#line.ask({ event: 'end', ...outcomeOf(this.#tasks, this.#failedInBody, this.#strays) });
      }
      this.#line.close();
    }
  };
}
