// Jest: a runner of ours, inside the user's Jest, repeats the one test file, each time in a new environment.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atLeast, locate } from '../lib/framework.mjs';
import { literal } from '../lib/text.mjs';

const START = fileURLToPath(new URL('./jest/start.cjs', import.meta.url));
const RUNNER = fileURLToPath(new URL('./jest/runner.cjs', import.meta.url));
const ESM_FLAG = '--experimental-vm-modules';
// Running a name that no test has is how Jest is made to list: every test is reported as pending, with its location.
const NOTHING = '^traf lists tests \\u0000$';
const FLAGS = [
  '--bail=0',
  '--ci',
  '--coverage=false',
  '--forceExit',
  '--notify=false',
  '--reporters=default',
  '--testLocationInResults',
  '--watchAll=false',
  '--watchman=false',
];

/** The pattern for `--testNamePattern`: Jest joins the titles by blanks. */
export function namePattern(title) {
  return `^${literal(title.join(' '))}$`;
}

/** NODE_OPTIONS with the flag for native modules, where a script of the package starts Jest with it. */
function moduleOptions(dir) {
  const manifest = path.join(dir, 'package.json');
  if (!fs.existsSync(manifest)) return {};
  const scripts = Object.values(JSON.parse(fs.readFileSync(manifest, 'utf8')).scripts ?? {});
  const options = process.env.NODE_OPTIONS ?? '';
  if (options.includes(ESM_FLAG) || !scripts.some((script) => String(script).includes(ESM_FLAG))) return {};
  return { NODE_OPTIONS: `${options} ${ESM_FLAG}`.trim() };
}

function plan(request, framework, pattern, options) {
  const { root, file, config } = request;
  return {
    args: [
      START,
      ...FLAGS,
      ...(config ? [`--config=${path.join(root, config)}`] : []),
      ...(options.jobs > 1 ? [`--maxWorkers=${options.jobs}`] : ['--runInBand']),
      `--runner=${RUNNER}`,
      `--testNamePattern=${pattern}`,
      '--runTestsByPath',
      path.join(root, file),
    ],
    env: { ...moduleOptions(process.cwd()), TRAF_JEST: JSON.stringify({ ...options, cli: framework.cli }) },
    files: [],
    gentle: 'SIGTERM',
  };
}

export const adapter = {
  needsVariant: false,

  levels: ['worker'],

  locate(dir) {
    const found = locate(['jest', 'jest-cli'], '28.0', dir);
    // In-file repetition needs the event handlers that newer Jests show to setup files.
    return atLeast(found.version, '30.0') ? { ...found, levels: ['warm', 'worker'] } : found;
  },

  original: (text) => text,

  source: (file) => file,

  list: (request, framework, token) => plan(request, framework, NOTHING, { mode: 'list', token, jobs: 1 }),

  run(request, framework, token) {
    const { title, variant, runs, isolation } = request;
    const jobs = Math.min(runs, request.jobs);
    return plan(request, framework, namePattern(title), { mode: 'run', token, title, variant, runs, jobs, isolation });
  },
};
