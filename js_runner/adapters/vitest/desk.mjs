// The desk in Vitest's main process: workers sign in, wait for their turn, and report; what they say becomes events.
import net from 'node:net';
import { createInterface } from 'node:readline';

export class Desk {
  #emit;
  #jobs;
  #variant;
  #onBroken;
  #server;
  #waiting = new Set();
  #busy = new Set();
  #admitted = 0;
  #closed = false;

  /** Whether anything was said that answers the request: an attempt's end, a list, or a refusal. */
  settled = false;

  /**
   * `emit` takes events of PROTOCOL.md; `jobs` attempts run at a time. `onBroken`, where given, is called in place of a
   * refusal when the file does not load in the first attempt.
   */
  constructor({ emit, jobs, variant, onBroken }) {
    this.#emit = emit;
    this.#jobs = jobs;
    this.#variant = variant;
    this.#onBroken = onBroken;
    this.#server = net.createServer((socket) => this.#receive(socket));
  }

  listen(file) {
    return new Promise((resolve, reject) => this.#server.once('error', reject).listen(file, resolve));
  }

  /** Sends everybody home. */
  close() {
    this.#closed = true;
    this.#server.close();
    for (const { socket } of [...this.#waiting, ...this.#busy]) socket.destroy();
  }

  #receive(socket) {
    const seat = { socket, key: null, since: null };
    socket.on('error', () => {});
    socket.on('close', () => this.#left(seat));
    createInterface({ input: socket }).on('line', (line) => this.#hear(seat, JSON.parse(line)));
    if (this.#closed) socket.destroy();
  }

  #hear(seat, { event, ...said }) {
    if (event === 'ready') {
      this.#waiting.add(seat);
      this.#admit();
      return;
    }
    if (event === 'begin') this.#begin(seat);
    else if (event === 'end') this.#end(seat, said);
    else if (event === 'broken') this.#broken(seat, said.errors);
    else if (event === 'refused') this.#refuse('no_test', said.message);
    else if (event === 'listed') this.#list(said.tests);
    seat.socket.write('.');
  }

  #admit() {
    for (const seat of this.#waiting) {
      if (this.#closed || this.#busy.size === this.#jobs) return;
      this.#waiting.delete(seat);
      this.#busy.add(seat);
      seat.key = this.#admitted;
      this.#admitted += 1;
      seat.socket.write('.');
    }
  }

  #begin(seat) {
    seat.since = Date.now();
    this.#emit({ event: 'begin', key: seat.key });
  }

  #end(seat, said) {
    this.settled = true;
    this.#busy.delete(seat);
    this.#emit({ event: 'end', key: seat.key, ...said });
    this.#admit();
  }

  /** The file does not load. In the first attempt that is no verdict on the test. */
  #broken(seat, errors) {
    if (this.settled) {
      this.#end(seat, { outcome: 'error', duration_ms: 0, errors });
    } else if (this.#onBroken) {
      this.close();
      this.#onBroken();
    } else {
      this.#refuse('load_failed', errors.map(({ message }) => message).join('\n\n'));
    }
  }

  #refuse(kind, message) {
    this.settled = true;
    this.#emit({ event: 'error', kind, message });
  }

  #list(tests) {
    this.settled = true;
    for (const test of tests) this.#emit({ event: 'test', ...test, variant: this.#variant });
  }

  /** A worker that leaves in the middle of an attempt has crashed. */
  #left(seat) {
    this.#waiting.delete(seat);
    if (this.#closed || !this.#busy.has(seat)) return;
    const duration_ms = seat.since === null ? 0 : Date.now() - seat.since;
    const error = { message: 'the process that ran the test ended', stack: '' };
    this.#end(seat, { outcome: 'crash', duration_ms, errors: [error] });
  }
}
