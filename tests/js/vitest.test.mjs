import assert from 'node:assert/strict';
import test from 'node:test';
import { adapter, configFor } from '../../js_runner/adapters/vitest.mjs';
import { chains, outcomeOf, plainError, select, titleOf } from '../../js_runner/adapters/vitest/outcome.mjs';
import { poolsFor, prepare, projectsFor } from '../../js_runner/adapters/vitest/project.mjs';

const task = (name, result) => ({ type: 'test', name, result });
const suite = (name, ...tasks) => ({ type: 'suite', name, tasks });
const error = (message) => ({ name: 'Error', message, stack: `Error: ${message}\n    at /p/a.test.ts:1:1` });
const failed = (...messages) => task('x', { state: 'fail', duration: 5, errors: messages.map(error) });
const FILE = suite('a.test.ts');

test('the root is the package, or the folder of a config above it', () => {
  assert.deepEqual(configFor('/p/web', null), { root: '/p/web' });
  assert.deepEqual(configFor('/p/web', '/p/web/vite.config.ts'), { root: '/p/web', config: '/p/web/vite.config.ts' });
  assert.deepEqual(configFor('/p/web', '/p/vitest.config.ts'), { root: '/p', config: '/p/vitest.config.ts' });
  const beside = '/p/web/config/vitest.config.ts';
  assert.deepEqual(configFor('/p/web', beside), { root: '/p/web', config: beside });
  assert.deepEqual(configFor('/p/web', '/p/vitest.workspace.ts'), { root: '/p' });
});

test('frames of ours are no frames', () => {
  const { args, files } = adapter.list({ root: '/', file: 'a.test.ts' }, { cli: '/v/vitest.mjs' }, 'token');
  assert.equal(adapter.source(args[0]), null);
  assert.equal(adapter.source(`file://${files[0].file}`), null);
  assert.equal(adapter.source('file:///p/a.test.ts'), 'file:///p/a.test.ts');
});

test('one test is selected by its title path', () => {
  const first = suite('a', task('x'), suite('b', task('x')));
  const all = chains(suite('file', task('x'), first, suite('a', task('y'), task('y'))));
  assert.deepEqual(all.map(titleOf), [['x'], ['a', 'x'], ['a', 'b', 'x'], ['a', 'y'], ['a', 'y']]);
  assert.equal(select(all, ['a', 'x']).chain, all[1]);
  assert.match(select(all, ['a b', 'x']).problem, /no test "a b › x"/);
  assert.match(select(all, ['a', 'y']).problem, /more than one/);
});

test('outcomes', () => {
  const outcome = (last, failedInBody = false, strays = [], file = FILE) =>
    outcomeOf([file, last], failedInBody, strays).outcome;
  assert.equal(outcome(task('x', { state: 'pass' })), 'pass');
  assert.equal(outcome(task('x', { state: 'skip' })), 'skip');
  assert.equal(outcome(task('x')), 'skip');
  assert.equal(outcome(failed('x'), true), 'fail');
  assert.equal(outcome(failed('x'), false), 'error');
  assert.equal(outcome(failed('Test timed out in 5000ms.\nIf this'), true), 'timeout');
  assert.equal(outcome(failed('Hook timed out in 10000ms.\nIf this'), false), 'timeout');
  assert.equal(outcome(task('x', { state: 'pass' }), false, [error('nobody waits')]), 'fail');
  const broken = { ...FILE, result: { state: 'fail', errors: [error('afterAll')] } };
  assert.equal(outcome(task('x', { state: 'pass' }), false, [], broken), 'error');
  assert.equal(outcome(task('x', { state: 'skip' }), false, [], broken), 'error');
  const tidy = { ...FILE, result: { state: 'fail', errors: [error('Obsolete snapshots found when no snapshot')] } };
  assert.equal(outcome(task('x', { state: 'pass' }), false, [], tidy), 'pass');
});

test('whatever is thrown has a message', () => {
  assert.equal(plainError('text').message, 'text');
  assert.equal(plainError(null).message, 'null');
  assert.equal(plainError(error('x')).message, 'Error: x');
  assert.equal(plainError({ name: 'AssertionError', message: 'x' }).message, 'AssertionError: x');
});

test('the projects that can run a spec', () => {
  const project = (name, config, takes = true) => ({ name, config, matchesTestGlob: () => takes });
  const node = project('node', { pool: 'forks' });
  const browser = project('browser', { pool: 'forks', browser: { enabled: true } });
  const other = project('other', { pool: 'forks' }, false);
  assert.deepEqual(projectsFor([browser, other, node], '/a', null).projects, [node]);
  assert.match(projectsFor([browser, node], '/a', 'browser').problem, /browser mode is not supported/);
  assert.match(projectsFor([project('', { pool: 'workerd' })], '/a', null).problem, /pool "workerd" is not supported/);
  assert.equal(projectsFor([other], '/a', null).kind, 'no_test');
  assert.match(projectsFor([node], '/a', 'nowhere').problem, /no project .* "nowhere"/);
});

test('the pools', () => {
  assert.deepEqual(poolsFor({ environment: 'jsdom', pool: 'forks' }, 'worker'), ['vmForks', 'forks']);
  assert.deepEqual(poolsFor({ environment: 'node', pool: 'vmThreads' }, 'worker'), ['vmThreads']);
  assert.deepEqual(poolsFor({ environment: './own.ts', pool: 'threads' }, 'worker'), ['threads']);
  assert.deepEqual(poolsFor({ environment: 'node', pool: 'threads' }, 'process'), ['forks']);
  assert.deepEqual(poolsFor({ environment: 'node', pool: 'threads' }, 'list'), ['threads']);
});

test('a project keeps the options of its pool, but for the number of workers', () => {
  const options = { forks: { singleFork: true, execArgv: ['--expose-gc'] }, vmForks: { memoryLimit: '2GB', maxForks: 1 } };
  const sequence = { hooks: 'list', shuffle: true };
  const config = () => ({ retry: 3, poolOptions: options, snapshotOptions: { updateSnapshot: 'all' }, sequence });
  const vitest = { config: config() };
  const project = { config: config() };
  prepare(vitest, project, { userPool: 'forks', pool: 'vmForks', runner: '/r.mjs', workers: 3 });
  assert.deepEqual(project.config.poolOptions.vmForks, { memoryLimit: '2GB', execArgv: ['--expose-gc'] });
  assert.deepEqual(project.config.sequence, { hooks: 'list', groupOrder: 0, shuffle: false });
  const { retry, isolate, pool, runner, maxWorkers } = project.config;
  assert.deepEqual([retry, isolate, pool, runner, maxWorkers], [0, false, 'vmForks', '/r.mjs', 3]);
  assert.deepEqual([vitest.config.retry, vitest.config.snapshotOptions.updateSnapshot], [0, 'none']);
  assert.equal(vitest.config.runner, undefined);
});
