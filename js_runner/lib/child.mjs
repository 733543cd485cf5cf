// One framework process: started in a group of its own, read through its event pipe, ended with all that it started.
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Tail } from './text.mjs';
import { descendants, killAll } from './tree.mjs';
import wire from './wire.cjs';

const OUTPUT_BYTES = 16 * 1024;
const GENTLE_MS = 3000;

export class Child {
  #process;
  #tail = new Tail(OUTPUT_BYTES);
  #queue = [];
  #wake = null;
  #ended = false;
  #exit;
  #gentle;

  /**
   * Starts Node with what an adapter planned for this token: `args`, `env` (added to ours) and `gentle`, the signal on
   * which the framework ends by itself.
   */
  constructor(plan, token, cwd) {
    this.#gentle = plan.gentle;
    this.#process = spawn(process.execPath, plan.args, {
      cwd,
      env: { ...process.env, FORCE_COLOR: '0', ...plan.env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#process.stdout.on('data', (chunk) => this.#tail.push(chunk));
    this.#process.stderr.on('data', (chunk) => this.#tail.push(chunk));
    createInterface({ input: this.#process.stdio[wire.PIPE] }).on('line', (line) => {
      const event = wire.decode(line, token);
      if (event) this.#put(event);
    });
    // A child that has ended need not be let in.
    this.#process.stdio[wire.GATE].on('error', () => {});
    this.#exit = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(`could not be started: ${error.message}`));
      this.#process.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`));
    });
    this.#exit.then(async (how) => {
      // A process that outlived the framework may hold the pipes open: what was written is read, no more is waited for.
      await new Promise((resolve) => setTimeout(resolve, 50));
      this.#ended = true;
      this.#put({ event: 'exit', how });
    });
  }

  /** Lets a child go on that was started ahead of its turn. */
  release() {
    this.#process.stdio[wire.GATE].end('\n');
  }

  #put(event) {
    this.#queue.push(event);
    this.#wake?.();
  }

  /** The end of what the framework printed. */
  get output() {
    return this.#tail.text();
  }

  /** The next event; `exit` is the last one, `silent` means that none came within `ms`. */
  async next(ms) {
    if (this.#queue.length === 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, ms));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    return this.#queue.shift() ?? { event: 'silent' };
  }

  /** Ends the process and everything it started: gently first, then not. */
  async stop() {
    const { pid } = this.#process;
    if (pid === undefined) return;
    // Looked up while they still have their parents.
    const family = this.#ended ? [] : descendants(pid);
    if (!this.#ended) {
      this.#process.kill(this.#gentle);
      let timer;
      await Promise.race([this.#exit, new Promise((resolve) => (timer = setTimeout(resolve, GENTLE_MS)))]);
      clearTimeout(timer);
      family.push(...descendants(pid));
    }
    killAll(pid, family);
    await this.#exit;
  }
}

/** A secret that marks the lines of one child. */
export function newToken() {
  return randomBytes(12).toString('hex');
}
