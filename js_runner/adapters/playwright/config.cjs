// Loaded by the generated config inside Playwright: the user's config, narrowed to one test and to our reporter.
'use strict';

const fs = require('node:fs');
const module_ = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const SNAPSHOTS = '{snapshotDir}/{testFileDir}/{testFileName}-snapshots/{arg}{-projectName}{-snapshotSuffix}{ext}';
const ARIA_SNAPSHOTS = '{snapshotDir}/{testFileDir}/{testFileName}-snapshots/{arg}{ext}';

/** The config object in a module namespace, however the two module systems were mixed. */
function unwrap(module) {
  let config = module;
  while (config && typeof config === 'object' && 'default' in config) config = config.default;
  return config && typeof config === 'object' ? { ...config } : config;
}

/** A snapshot path template in which the name of the wrapper is replaced by the name of the user's spec. */
function snapshotTemplate(template, spec) {
  const { name, base } = path.parse(spec);
  return template
    .replace(/\{(.)?testFileBaseName\}/g, (_, before = '') => before + name)
    .replace(/\{(.)?testFileName\}/g, (_, before = '') => before + base)
    .replace(/\{(.)?testFilePath\}/g, (_, before = '') => `${before}{testFileDir}/${base}`);
}

/** Whether the Chromium that Playwright downloads for itself is there, with or without the headed browser. */
function hasOwnChromium(configFile) {
  const require = module_.createRequire(configFile);
  const own = require(require.resolve('playwright-core', {
    paths: ['@playwright/test', 'playwright'].flatMap((name) => {
      try {
        return [path.dirname(require.resolve(`${name}/package.json`))];
      } catch {
        return [];
      }
    }),
  })).chromium.executablePath();
  if (fs.existsSync(own)) return true;
  const shell = /^(.*[\\/])chromium(-\d+)[\\/]/.exec(own);
  return shell !== null && fs.existsSync(`${shell[1]}chromium_headless_shell${shell[2]}`);
}

/** `use` with a browser that exists, or null where Playwright and the user's config provide for that themselves. */
function withChromium(use, chromium, configFile) {
  const browser = use.browserName ?? use.defaultBrowserType ?? 'chromium';
  const provided = use.channel || use.launchOptions?.executablePath || use.launchOptions?.channel || use.connectOptions;
  if (!chromium || browser !== 'chromium' || provided || hasOwnChromium(configFile)) return null;
  return { ...use, launchOptions: { ...use.launchOptions, executablePath: chromium } };
}

/** The chosen project and all that it depends on, the chosen one first. */
function closure(projects, chosen) {
  const found = new Set([chosen]);
  for (const project of found) {
    for (const name of [...(project.dependencies ?? []), project.teardown]) {
      const needed = projects.find((candidate) => name !== undefined && candidate.name === name);
      if (needed) found.add(needed);
    }
  }
  return [...found];
}

function narrowed(config, project, options, notes) {
  const { spec, jobs, chromium } = options;
  const use = { ...config.use, ...project.use };
  const replaced = withChromium(use, chromium, options.config);
  if (replaced) notes.push(`Playwright's own Chromium is not installed: ${chromium} was used`);
  const expect = project.expect ?? config.expect ?? {};
  const template = project.snapshotPathTemplate ?? config.snapshotPathTemplate;
  const screenshot = expect.toHaveScreenshot?.pathTemplate;
  return {
    ...project,
    testMatch: new RegExp(options.match),
    testIgnore: [],
    respectGitIgnore: false,
    grep: new RegExp(options.grep),
    grepInvert: /(?!)/,
    retries: 0,
    repeatEach: options.repeat,
    fullyParallel: false,
    workers: jobs,
    use: { ...(replaced ?? use), trace: 'off', video: 'off', screenshot: 'off' },
    snapshotPathTemplate: snapshotTemplate(template ?? SNAPSHOTS, spec),
    expect: {
      ...expect,
      ...(screenshot && {
        toHaveScreenshot: { ...expect.toHaveScreenshot, pathTemplate: snapshotTemplate(screenshot, spec) },
      }),
      toMatchAriaSnapshot: {
        ...expect.toMatchAriaSnapshot,
        pathTemplate: snapshotTemplate(expect.toMatchAriaSnapshot?.pathTemplate ?? template ?? ARIA_SNAPSHOTS, spec),
      },
    },
  };
}

/** A project that ours depends on runs as it is, without our wrappers. */
function kept(config, project, options) {
  const ignored = project.testIgnore ?? config.testIgnore ?? [];
  return { ...project, testIgnore: [...(Array.isArray(ignored) ? ignored : [ignored]), new RegExp(options.match)] };
}

/** The chosen project, narrowed, with what it depends on; a project without tests where there is none of that name. */
function selected(config, projects, options, notes) {
  const chosen = projects.find(({ name }) => (name || null) === options.variant);
  if (!chosen) return [{ testMatch: /(?!)/ }];
  return closure(projects, chosen).map((project) =>
    project === chosen ? narrowed(config, project, options, notes) : kept(config, project, options),
  );
}

/** Has the modules that a wrapper imports loaded anew; returns a note where this Node cannot. */
function refreshModules(root) {
  if (!module_.register) return ['ES modules imported by the spec kept their state between attempts: Node is too old'];
  const data = { root: `${pathToFileURL(fs.realpathSync(root)).href}/` };
  module_.register(pathToFileURL(path.join(__dirname, 'fresh-loader.cjs')), { data });
  return [];
}

/** The config that Playwright is to use in place of the user's. */
function override(user, options) {
  const config = unwrap(user);
  if (!config || typeof config !== 'object') return config;
  const notes = [];
  if (options.esm) notes.push(...refreshModules(options.root));
  const projects = config.projects?.length ? config.projects : [{ ...(config.name && { name: config.name }) }];
  const { mode, token, spec, title } = options;
  const reporter = [[path.join(__dirname, 'reporter.cjs'), { mode, token, spec, title, notes }]];
  return {
    ...config,
    forbidOnly: false,
    globalTimeout: 0,
    maxFailures: 0,
    reporter,
    reportSlowTests: null,
    shard: null,
    updateSnapshots: 'none',
    workers: options.jobs ?? 1,
    projects: options.mode === 'list' ? projects : selected(config, projects, options, notes),
  };
}

module.exports = { closure, override, snapshotTemplate, unwrap, withChromium };
