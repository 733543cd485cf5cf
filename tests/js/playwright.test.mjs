import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { grepSource, isModule, original, wrapperFile, wrapperSource } from '../../js_runner/adapters/playwright.mjs';
import config from '../../js_runner/adapters/playwright/config.cjs';
import loader from '../../js_runner/adapters/playwright/fresh-loader.cjs';
import outcome from '../../js_runner/adapters/playwright/outcome.cjs';

test('a wrapper keeps directory and type, and can be undone', () => {
  for (const [spec, wrapper] of [
    ['/p/a.spec.ts', '/p/a.traf-0007.spec.ts'],
    ['/p.q/a.mjs', '/p.q/a.traf-0007.mjs'],
    ['/p/.hidden.test.tsx', '/p/.hidden.traf-0007.test.tsx'],
    ['/p/(a) [b].spec.ts', '/p/(a) [b].traf-0007.spec.ts'],
  ]) {
    assert.equal(wrapperFile(spec, 7), wrapper);
    assert.equal(original(wrapper), spec);
    assert.ok(new RegExp(wrapperSource(spec)).test(wrapperFile(spec, 12345)));
    assert.ok(!new RegExp(wrapperSource(spec)).test(spec));
  }
});

test('the grep finds its title only, with tags at any level', () => {
  const grep = new RegExp(grepSource(['outer (x)', '', 'a $1']));
  assert.ok(grep.test(' chromium e2e/a.traf-0001.spec.ts outer (x) a $1'));
  assert.ok(grep.test('  a.traf-0001.spec.ts @all outer (x) @slow @x a $1 @t'));
  assert.ok(!grep.test(' chromium e2e/a.traf-0001.spec.ts outer (x) a $1 more'));
  assert.ok(!grep.test(' chromium e2e/a.traf-0001.spec.ts before outer (x) a $1'));
  assert.ok(!grep.test(' chromium e2e/a.spec.ts outer (x) a $1'));
});

test('the module type follows extension and nearest package.json', (t) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'traf-js-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  fs.mkdirSync(path.join(dir, 'inner/deep'), { recursive: true });
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type": "module"}');
  fs.writeFileSync(path.join(dir, 'inner/package.json'), '{}');
  assert.ok(isModule(path.join(dir, 'a.spec.ts')));
  assert.ok(!isModule(path.join(dir, 'a.spec.cts')));
  assert.ok(!isModule(path.join(dir, 'inner/deep/a.spec.ts')));
  assert.ok(isModule(path.join(dir, 'inner/deep/a.spec.mts')));
});

test('snapshot paths keep the name of the spec', () => {
  const of = (template) => config.snapshotTemplate(template, '/p/e2e/a$&.spec.ts');
  assert.equal(of('{testFileDir}/{testFileName}-snapshots/{arg}'), '{testFileDir}/a$&.spec.ts-snapshots/{arg}');
  assert.equal(of('s/{testFileBaseName}{-testFileName}'), 's/a$&.spec-a$&.spec.ts');
  assert.equal(of('s{/testFilePath}/{arg}'), 's/{testFileDir}/a$&.spec.ts/{arg}');
});

test('a config is found in any mix of module systems, and not changed', () => {
  const user = Object.freeze({ testDir: 'x' });
  for (const module of [user, { default: user }, { default: { __esModule: true, default: user } }]) {
    assert.deepEqual(config.unwrap(module), user);
  }
  assert.equal(config.unwrap(null), null);
});

const OPTIONS = {
  mode: 'run',
  token: 't',
  spec: '/p/a.spec.ts',
  title: ['x'],
  grep: 'x',
  match: 'y',
  jobs: 1,
  repeat: 1,
  chromium: null,
};

test('only the chosen project and what it depends on are left, and only ours is narrowed', () => {
  const projects = [
    { name: 'setup', teardown: 'cleanup', retries: 4, testIgnore: 'old' },
    { name: 'cleanup' },
    { name: 'smoke' },
    { name: 'one', dependencies: ['setup'], retries: 4, repeatEach: 9, use: { trace: 'on', locale: 'de' } },
  ];
  const user = { projects, use: { baseURL: 'b' }, shard: { total: 2, current: 1 } };
  const result = config.override({ default: user }, { ...OPTIONS, variant: 'one' });
  assert.deepEqual(result.projects.map(({ name }) => name), ['one', 'setup', 'cleanup']);
  const [one, setup] = result.projects;
  assert.equal(one.retries, 0);
  assert.equal(one.repeatEach, 1);
  assert.deepEqual(one.use, { baseURL: 'b', trace: 'off', locale: 'de', video: 'off', screenshot: 'off' });
  assert.equal(setup.retries, 4);
  assert.deepEqual(setup.testIgnore, ['old', /y/]);
  assert.equal(result.shard, null);
  assert.equal(result.updateSnapshots, 'none');
});

test('a config without projects has one without a name', () => {
  const [only, ...others] = config.override({ testDir: 'e2e', retries: 2 }, { ...OPTIONS, variant: null }).projects;
  assert.equal(others.length, 0);
  assert.equal(only.retries, 0);
  assert.equal(only.name, undefined);
});

test('a project that is not there runs nothing', () => {
  const result = config.override({ projects: [{ name: 'one' }] }, { ...OPTIONS, variant: 'two' });
  assert.deepEqual(result.projects, [{ testMatch: /(?!)/ }]);
});

test('a browser of the user is never replaced', () => {
  for (const use of [
    { browserName: 'firefox' },
    { defaultBrowserType: 'webkit' },
    { channel: 'chrome' },
    { launchOptions: { executablePath: '/x' } },
    { connectOptions: { wsEndpoint: 'ws://x' } },
  ]) {
    assert.equal(config.withChromium(use, '/usr/bin/chromium', '/p/c.ts'), null);
  }
});

test('imports of a wrapper get an address of their own, packages do not', () => {
  loader.initialize({ root: 'file:///p/' });
  const wrapper = 'file:///p/e2e/a.traf-0003.spec.ts';
  assert.equal(loader.fresh('file:///p/src/h.ts', wrapper), 'file:///p/src/h.ts?traf=0003');
  assert.equal(loader.fresh('file:///p/src/i.ts', 'file:///p/src/h.ts?traf=0003'), 'file:///p/src/i.ts?traf=0003');
  for (const url of ['node:fs', 'file:///p/node_modules/x/i.js', 'file:///q/h.ts']) {
    assert.equal(loader.fresh(url, wrapper), url);
  }
  assert.equal(loader.fresh('file:///p/src/h.ts', 'file:///p/playwright.config.ts'), 'file:///p/src/h.ts');
  assert.equal(loader.fresh('file:///p/src/h.ts', undefined), 'file:///p/src/h.ts');
});

test('outcomes', () => {
  const of = (status, expectedStatus, errors = [], steps = []) =>
    outcome.outcomeOf({ expectedStatus }, { status, errors, steps });
  assert.equal(of('passed', 'passed'), 'pass');
  assert.equal(of('failed', 'failed'), 'pass');
  assert.equal(of('passed', 'failed'), 'fail');
  assert.equal(of('skipped', 'skipped'), 'skip');
  assert.equal(of('skipped', 'passed'), 'skip');
  assert.equal(of('timedOut', 'passed', [{ message: 'x' }]), 'timeout');
  assert.equal(of('failed', 'passed', [{ message: 'Error: worker process exited unexpectedly (code=1)' }]), 'crash');
  const error = { message: 'x' };
  assert.equal(of('failed', 'passed', [error], [{ category: 'hook', error }]), 'error');
  assert.equal(of('failed', 'passed', [error], [{ category: 'hook' }, { category: 'expect', error }]), 'fail');
  assert.equal(of('failed', 'passed', [error], [{ category: 'expect', error }, { category: 'hook', error }]), 'fail');
});

test('errors have a message and a place', () => {
  const test_ = { expectedStatus: 'passed' };
  assert.deepEqual(outcome.errorsOf(test_, { status: 'passed', errors: [] }), []);
  assert.deepEqual(outcome.errorsOf({ expectedStatus: 'failed' }, { status: 'passed', errors: [] }), [
    { message: 'expected the test to be failed, but it was passed', stack: '' },
  ]);
  const location = { file: '/p/a.ts', line: 3, column: 4 };
  const errors = [{ value: '42', location }, { message: 'm', stack: 's' }];
  assert.deepEqual(outcome.errorsOf(test_, { status: 'failed', errors }), [
    { message: '42', stack: '    at /p/a.ts:3:4' },
    { message: 'm', stack: 's' },
  ]);
});
