// The Node side of traf: reads requests from standard input, answers with events on descriptor 3 (see PROTOCOL.md).
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { Batch } from './lib/batch.mjs';
import { Refusal } from './lib/refusal.mjs';
import { validate } from './lib/request.mjs';
import wire from './lib/wire.cjs';

// Each framework is one file, loaded when it is asked for.
const FOLDER = new URL('./adapters/', import.meta.url);
const FRAMEWORKS = fs.readdirSync(FOLDER).flatMap((name) => (name.endsWith('.mjs') ? [name.slice(0, -4)] : []));

let current = null;
let waiting = Promise.resolve();
let ending = false;
const lists = new Map();

async function list(batch, request) {
  const tests = await batch.list();
  lists.set(JSON.stringify([request.framework, request.root, request.file, request.config]), tests);
  return tests;
}

/** The variant to run. Where the caller leaves it open it is the first one that lists the title. */
async function variantOf(batch, request, adapter) {
  if (request.variant !== null || !adapter.needsVariant) return request.variant;
  const key = JSON.stringify([request.framework, request.root, request.file, request.config]);
  const wanted = JSON.stringify(request.title);
  const find = (tests) => tests.find((test) => JSON.stringify(test.title) === wanted);
  const test = find(lists.get(key) ?? []) ?? find(await list(batch, request));
  if (!test) throw new Refusal('no_test', `${request.file} has no test "${request.title.join(' › ')}"`);
  return test.variant;
}

async function handle(line) {
  let id = null;
  const emit = (event) => wire.writeAll(wire.PIPE, `${JSON.stringify({ id, ...event })}\n`);
  try {
    const request = validate(line, FRAMEWORKS);
    id = request.id;
    const { adapter } = await import(new URL(`${request.framework}.mjs`, FOLDER));
    current = new Batch(adapter, request, emit);
    if (request.op === 'list') for (const test of await list(current, request)) emit({ event: 'test', ...test });
    else await current.run(await variantOf(current, request, adapter));
    if (!ending) emit(current.done());
  } catch (error) {
    if (ending) return;
    id ??= error.id ?? null;
    const refusal = error instanceof Refusal ? error : new Refusal('internal', error.stack ?? String(error));
    emit({ event: 'error', kind: refusal.kind, message: refusal.message, output: refusal.output });
  } finally {
    current = null;
  }
}

async function end() {
  if (ending) return;
  ending = true;
  await current?.cancel();
  await waiting;
  process.exit(0);
}

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  waiting = waiting.then(() => (ending || line.trim() === '' ? undefined : handle(line)));
});
input.on('close', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
