// Vitest: a test runner of ours, inside the user's Vitest; its workers take turns with the one spec, loaded afresh each time.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { locate } from '../lib/framework.mjs';
import { plainPath } from '../lib/stack.mjs';

const INSIDE = fileURLToPath(new URL('./vitest/', import.meta.url));
const START = path.join(INSIDE, 'start.mjs');
const WORKSPACE = /^vitest\.workspace\./;
const GENERATED = /traf\.vitest\.\d+\.mjs/;

/**
 * The module that Vitest loads as its test runner. It lies in the package, so that it finds what the spec finds, and
 * extends the runner of the config, where there is one.
 */
function runnerText() {
  return `// Written by traf for one batch of attempts; removed at its end.
import * as vitest from 'vitest';
import { attemptRunner } from ${JSON.stringify(path.join(INSIDE, 'runner.mjs'))};
const { runner, ...options } = vitest.inject('traf');
const Base = runner
  ? (await import(/* @vite-ignore */ runner)).default
  : (vitest.TestRunner ?? (await import('vitest/runners')).VitestTestRunner);
const getFn = vitest.TestRunner?.getTestFn ?? (await import('vitest/suite')).getFn;
export default attemptRunner(Base, getFn, options);
`;
}

/**
 * What Vitest is told of a config file: the file, and the root, which is the package's folder or that of a config above
 * it. A workspace file is no config, but found in the root.
 */
export function configFor(dir, config) {
  if (!config) return { root: dir };
  const folder = path.dirname(config);
  const root = (dir + path.sep).startsWith(folder + path.sep) ? folder : dir;
  return WORKSPACE.test(path.basename(config)) ? { root: folder } : { root, config };
}

function plan(request, framework, options) {
  const dir = process.cwd();
  // Vite knows files by their resolved paths.
  const root = fs.realpathSync(request.root);
  const config = request.config && path.join(root, request.config);
  const file = path.join(dir, `traf.vitest.${request.serial ?? 0}.mjs`);
  const data = {
    ...options,
    node: framework.node,
    ...configFor(dir, config),
    spec: path.join(root, request.file),
    runner: file,
  };
  return {
    args: [START],
    env: { TRAF_VITEST: JSON.stringify(data) },
    files: [{ file, text: runnerText() }],
    gentle: 'SIGHUP',
  };
}

export const adapter = {
  needsVariant: false,

  levels: ['worker', 'process'],

  locate(dir) {
    const found = locate(['vitest'], '3.0', dir);
    return { ...found, node: createRequire(found.cli).resolve('vitest/node') };
  },

  original: (text) => text,

  source(file) {
    const plain = plainPath(file);
    return plain.startsWith(INSIDE) || GENERATED.test(plain) ? null : file;
  },

  list(request, framework, token) {
    return plan(request, framework, { mode: 'list', token, runs: 1, jobs: 1, isolation: 'list' });
  },

  run(request, framework, token) {
    const { title, variant, runs, isolation } = request;
    const jobs = Math.min(runs, request.jobs);
    return plan(request, framework, { mode: 'run', token, title, variant, runs, jobs, isolation });
  },
};
