// The one project of a Vitest config in which the spec is run, and how it is set up for our attempts.
import path from 'node:path';

// In contexts of its own a spec can be loaded afresh within a warm worker.
const CONTEXTS = { forks: 'vmForks', threads: 'vmThreads', vmForks: 'vmForks', vmThreads: 'vmThreads' };
// Environments that can be set up in a context; others need not know how, and an old Vitest would wait for them in vain.
const ENVIRONMENTS = ['node', 'jsdom', 'happy-dom', 'edge-runtime'];
// A worker that has grown by so much, one context after the other, is replaced.
const MEMORY_LIMIT = '1GB';
// Options that say how many workers there are, and what they share.
const SHARING = ['singleFork', 'singleThread', 'maxForks', 'minForks', 'maxThreads', 'minThreads', 'isolate'];

/** The projects that can run the spec as `{projects}`, or why there is none, as `{kind, problem}`. */
export function projectsFor(projects, spec, variant) {
  const named = variant === null ? projects : projects.filter(({ name }) => name === variant);
  if (named.length === 0) return { kind: 'no_test', problem: `no project of the Vitest config is called "${variant}"` };
  const taking = named.filter((project) => project.matchesTestGlob(spec));
  if (taking.length === 0) {
    const problem = `Vitest takes ${path.basename(spec)} for no test file: see include and exclude in its config`;
    return { kind: 'no_test', problem };
  }
  const able = taking.filter(({ config }) => !config.browser?.enabled && config.pool in CONTEXTS);
  if (able.length > 0) return { projects: able };
  const { browser, pool } = taking[0].config;
  const what = browser?.enabled ? 'browser mode' : `pool ${JSON.stringify(pool)}`;
  return { kind: 'load_failed', problem: `Vitest's ${what} is not supported: traf runs what Vitest runs in Node` };
}

/** The pools to try in turn, until the file loads in one: each attempt has a process of its own, or a context. */
export function poolsFor({ environment, pool }, isolation) {
  if (isolation === 'process') return ['forks'];
  if (isolation === 'list' || !ENVIRONMENTS.includes(environment)) return [pool];
  return [...new Set([CONTEXTS[pool], pool])];
}

/** The options of `pool`, which Vitest has apart before version 4: the user's for the pool that it stands for. */
function poolOptions(config, userPool, pool) {
  const given = { ...config.poolOptions?.[userPool], ...config.poolOptions?.[pool] };
  const kept = Object.entries(given).filter(([name, value]) => !SHARING.includes(name) && value !== undefined);
  return { memoryLimit: MEMORY_LIMIT, ...Object.fromEntries(kept) };
}

/**
 * Sets up a project, and Vitest as a whole, so that `workers` run at a time what our runner has them run. What a config
 * sets is in force again in no project: those of a workspace do not heed the command line.
 */
export function prepare(vitest, project, { userPool, pool, runner, workers }) {
  for (const config of new Set([vitest.config, project.config])) {
    Object.assign(config, {
      allowOnly: true,
      bail: 0,
      fileParallelism: true,
      includeTaskLocation: true,
      maxWorkers: workers,
      minWorkers: 1,
      poolOptions: { ...config.poolOptions, [pool]: poolOptions(config, userPool, pool) },
      retry: 0,
      sequence: { ...config.sequence, groupOrder: 0, shuffle: false },
      snapshotOptions: Object.assign(config.snapshotOptions, { updateSnapshot: 'none' }),
      testNamePattern: undefined,
      vmMemoryLimit: config.vmMemoryLimit ?? MEMORY_LIMIT,
    });
  }
  Object.assign(project.config, { isolate: !pool.startsWith('vm'), pool, runner });
}
