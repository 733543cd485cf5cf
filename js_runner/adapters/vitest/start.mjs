// Starts the user's Vitest through its Node API, and has it run one spec as often as there are attempts to make.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import wire from '../../lib/wire.cjs';
import { Desk } from './desk.mjs';
import { poolsFor, prepare, projectsFor } from './project.mjs';

const options = JSON.parse(process.env.TRAF_VITEST);
// The user's code sees its environment as it is without us.
delete process.env.TRAF_VITEST;

// Workers that are ready ahead of their turn: a process takes longer to start than a context.
const SPARES = { list: 0, worker: 1, process: 2 };
// What would cost time or keep Vitest from ending, as on its command line.
const COMMAND = { watch: false, ui: false, open: false, api: false, reporters: [{}], coverage: { enabled: false } };

const emit = wire.emitter(options.token);

/** What errors, and those that they were made of, say: each thing once. */
function messagesOf(errors) {
  const all = new Set(errors);
  const messages = new Set();
  for (const error of all) {
    messages.add(error.message ?? String(error));
    for (const inner of [error.cause, ...(error.errors ?? [])]) if (inner) all.add(inner);
  }
  return [...messages].join('\n');
}

/** Makes the attempts in one project, in the first pool in which the file loads. `socket` is where its workers sign in. */
async function work(vitest, project, socket, onDesk) {
  const { pool: userPool, runner: userRunner } = project.config;
  const pools = poolsFor(project.config, options.isolation);
  for (const [index, pool] of pools.entries()) {
    const last = index === pools.length - 1;
    const { mode, title, jobs, runs, runner } = options;
    const desk = new Desk({
      emit,
      jobs,
      variant: project.name || null,
      onBroken: last ? null : () => vitest.cancelCurrentRun('test-failure'),
    });
    onDesk(desk);
    if (options.isolation === 'worker' && !pool.startsWith('vm')) {
      emit({ event: 'note', text: `each attempt had a worker of its own: the spec does not run in Vitest's contexts` });
    }
    const place = `${socket}.${index}`;
    await desk.listen(place);
    const strays = !vitest.config.dangerouslyIgnoreUnhandledErrors;
    project.provide('traf', { mode, title, desk: place, runner: userRunner, strays });
    prepare(vitest, project, { userPool, pool, runner, workers: jobs + SPARES[options.isolation] });
    const specification = project.createSpecification(options.spec, undefined, pool);
    const { unhandledErrors } = await vitest.runTestSpecifications(Array(runs).fill(specification));
    desk.close();
    if (desk.settled) return;
    if (last) {
      const message = messagesOf(unhandledErrors) || 'Vitest did not run the file';
      emit({ event: 'error', kind: 'load_failed', message });
    }
  }
}

async function main() {
  const { createVitest } = await import(pathToFileURL(options.node).href);
  wire.waitAtGate();
  // As Vitest's own command does, for configs that ask.
  Object.assign(process.env, { TEST: 'true', VITEST: 'true' });
  process.env.NODE_ENV ??= 'test';
  const { root, config, spec, variant, mode } = options;
  const vitest = await createVitest('test', { ...COMMAND, root, config });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'traf-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  let desk = null;
  // Vitest itself ends at once on the usual signals, without the teardown of what it has set up.
  process.once('SIGHUP', async () => {
    desk?.close();
    vitest.cancelCurrentRun('keyboard-input');
    await vitest.close();
    process.exit();
  });
  const { projects, kind, problem } = projectsFor(vitest.projects, spec, variant ?? null);
  if (problem) emit({ event: 'error', kind, message: problem });
  const chosen = (projects ?? []).slice(0, mode === 'list' ? undefined : 1);
  for (const [index, project] of chosen.entries()) {
    await work(vitest, project, path.join(folder, String(index)), (opened) => (desk = opened));
  }
  if (mode === 'list') emit({ event: 'listed' });
  await vitest.close();
}

try {
  await main();
} catch (error) {
  emit({ event: 'error', kind: 'load_failed', message: error.stack ?? String(error) });
}
process.exit();
