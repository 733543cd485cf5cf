// Playwright Test: one warm worker runs a batch of wrapper specs, each of which loads the user's spec afresh.
//
// Only the command line, the config file and the reporter interface are used, all of them public.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { locate } from '../lib/framework.mjs';
import { plainPath } from '../lib/stack.mjs';
import { literal } from '../lib/text.mjs';

const INSIDE = fileURLToPath(new URL('./playwright/', import.meta.url));
const CONFIG_NAMES = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((extension) => `playwright.config.${extension}`);
const MARK = '.traf-';
const WRAPPER = /\.traf-\d{4,}(?=\.)/g;
const REFRESHED = /\?traf=\d+$/;
const BANNER = '// Written by traf for one batch of attempts; removed at its end.\n';

/** Whether Playwright loads `file` as an ES module. */
export function isModule(file) {
  const extension = path.extname(file);
  if (extension === '.mjs' || extension === '.mts') return true;
  if (extension === '.cjs' || extension === '.cts') return false;
  for (let dir = path.dirname(file); ; dir = path.dirname(dir)) {
    const manifest = path.join(dir, 'package.json');
    if (fs.existsSync(manifest)) return JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'module';
    if (dir === path.dirname(dir)) return false;
  }
}

/** The wrapper of attempt `number`: `upload.spec.ts` becomes `upload.traf-0001.spec.ts`, so that its type stays. */
export function wrapperFile(spec, number) {
  const { dir, base } = path.parse(spec);
  const dot = base.indexOf('.', 1);
  return path.join(dir, `${base.slice(0, dot)}${MARK}${String(number).padStart(4, '0')}${base.slice(dot)}`);
}

/** The source of a regular expression for the wrappers of `spec`. */
export function wrapperSource(spec) {
  return `^${wrapperFile(spec, 0).split(`${MARK}0000`).map(literal).join('\\.traf-\\d{4,}')}$`;
}

/** Text or a path without the marks of wrappers. */
export function original(text) {
  return text.replace(WRAPPER, '');
}

/**
 * The source of a regular expression for what Playwright matches `grep` against: project, file, the titles and the
 * tags given in options (at any level), joined by blanks.
 */
export function grepSource(title) {
  const tags = '(?: @\\S+)*';
  // An anonymous describe block adds nothing to the string.
  const parts = title.filter((part) => part !== '');
  return `\\.traf-\\d+\\.\\S*${tags}${parts.map((part) => ` ${literal(part)}${tags}`).join('')}$`;
}

function configFile(request) {
  if (request.config) return path.join(request.root, request.config);
  return CONFIG_NAMES.map((name) => path.join(process.cwd(), name)).find((file) => fs.existsSync(file)) ?? null;
}

/** The generated config: beside the user's, of the same type, so that paths and loading stay as they are. */
function configText(file, generated, options) {
  const override = JSON.stringify(path.join(INSIDE, 'config.cjs'));
  const user = file && JSON.stringify(`./${path.basename(file)}`);
  const data = JSON.stringify({ ...options, config: generated });
  if (!file) return `${BANNER}module.exports = require(${override}).override({}, ${data});\n`;
  if (path.extname(file) === '.cjs') {
    return `${BANNER}module.exports = require(${override}).override(require(${user}), ${data});\n`;
  }
  const imports = `import * as user from ${user};\nimport traf from ${override};\n`;
  return `${BANNER}${imports}export default traf.override(user, ${data});\n`;
}

function generatedConfig(request, options) {
  const user = configFile(request);
  const dir = user ? path.dirname(user) : process.cwd();
  const file = path.join(dir, `traf.playwright.config${user ? path.extname(user) : '.cjs'}`);
  return { file, text: configText(user, file, options) };
}

function wrapperText(request, spec) {
  // A copy, not an import with a query: Playwright has no source map for the second copy of a module.
  if (isModule(spec)) return fs.readFileSync(spec, 'utf8');
  const fresh = JSON.stringify(path.join(INSIDE, 'fresh.cjs'));
  // The module cache holds resolved paths.
  const root = JSON.stringify(fs.realpathSync(request.root));
  return `${BANNER}require(${fresh}).forget(${root});\nrequire(${JSON.stringify(`./${path.basename(spec)}`)});\n`;
}

function plan(framework, config, args, files) {
  return {
    args: [framework.cli, 'test', '--config', config.file, ...args],
    env: {},
    files: [config, ...files],
    gentle: 'SIGINT',
  };
}

export const adapter = {
  // The wrappers must be told to one project: a file's name alone does not say which of them would take the spec.
  needsVariant: true,

  levels: ['worker', 'process'],

  locate: (dir) => locate(['@playwright/test', 'playwright'], '1.40', dir),

  original,

  source(file) {
    // Playwright maps only the first copy of an imported module to its source: in the others the lines are wrong.
    if (REFRESHED.test(file)) return null;
    const user = original(file);
    // A CommonJS wrapper holds our code, a copy of an ES module the user's.
    return user === file || isModule(plainPath(user)) ? user : null;
  },

  list(request, framework, token) {
    const spec = path.join(request.root, request.file);
    const config = generatedConfig(request, { mode: 'list', token, spec });
    return plan(framework, config, ['--list', `^${literal(spec)}$`], []);
  },

  run(request, framework, token) {
    const spec = path.join(request.root, request.file);
    // Playwright gives each repetition of a file a worker of its own, and each file of a batch the same one.
    const repeat = request.isolation === 'process' ? request.runs : 1;
    const numbers = Array.from({ length: request.runs / repeat }, (_, index) => index + 1);
    const text = wrapperText(request, spec);
    const config = generatedConfig(request, {
      mode: 'run',
      token,
      spec,
      root: request.root,
      esm: isModule(spec),
      title: request.title,
      variant: request.variant,
      grep: grepSource(request.title),
      match: wrapperSource(spec),
      jobs: request.jobs,
      repeat,
      chromium: request.chromium,
    });
    return plan(
      framework,
      config,
      [],
      numbers.map((number) => ({ file: wrapperFile(spec, number), text })),
    );
  },
};
