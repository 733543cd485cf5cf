import assert from 'node:assert/strict';
import test from 'node:test';
import wire from '../../js_runner/lib/wire.cjs';
import { validate } from '../../js_runner/lib/request.mjs';
import { atLeast } from '../../js_runner/lib/framework.mjs';
import { descendants } from '../../js_runner/lib/tree.mjs';

test('only lines that carry the token are events', () => {
  assert.deepEqual(wire.decode('abc {"event":"end"}', 'abc'), { event: 'end' });
  for (const line of ['', '{"event":"end"}', 'abd {"event":"end"}', 'abc {"event"', 'abc', ' abc {}']) {
    assert.equal(wire.decode(line, 'abc'), null);
  }
});

const RUN = {
  id: 7,
  op: 'run',
  framework: 'jest',
  root: '/p',
  file: 'a/b.test.js',
  title: ['x'],
  runs: 2,
  jobs: 1,
  attempt_limit_ms: 10,
  start_limit_ms: 10,
};

test('a good request gets its optional fields', () => {
  assert.deepEqual(validate(JSON.stringify(RUN), ['jest']), {
    config: null,
    chromium: null,
    variant: null,
    until: null,
    isolation: 'worker',
    ...RUN,
  });
});

test('a bad request names its fault and keeps its id', () => {
  const faults = {
    op: 'walk',
    framework: 'karma',
    root: 'p',
    file: '../x.js',
    title: [],
    runs: 0,
    jobs: 1.5,
    until: 'never',
    isolation: 'none',
    attempt_limit_ms: -1,
    start_limit_ms: '5',
    config: '/abs.js',
    variant: 3,
  };
  for (const [field, value] of Object.entries(faults)) {
    assert.throws(
      () => validate(JSON.stringify({ ...RUN, [field]: value }), ['jest']),
      (error) => error.kind === 'bad_request' && error.id === 7 && error.message.includes(field),
    );
  }
  for (const line of ['', 'nope', '[]', '3', 'null']) {
    assert.throws(() => validate(line, ['jest']), (error) => error.kind === 'bad_request' && error.id === null);
  }
});

test('versions compare by major and minor number', () => {
  assert.ok(atLeast('1.65.1', '1.40'));
  assert.ok(atLeast('2.0.0-beta.1', '1.40'));
  assert.ok(!atLeast('1.9.9', '1.40'));
});

test('descendants are found over several levels', () => {
  const table = [[2, 1], [3, 2], [4, 3], [5, 1], [6, 5]];
  assert.deepEqual(descendants(2, table), [3, 4]);
  assert.deepEqual(descendants(9, table), []);
});
