import assert from 'node:assert/strict';
import test from 'node:test';
import { namePattern } from '../../js_runner/adapters/jest.mjs';
import outcome from '../../js_runner/adapters/jest/outcome.cjs';

const passed = (title, ancestorTitles = []) => ({ ancestorTitles, title, status: 'passed', failureMessages: [] });
const pending = (title, ancestorTitles = []) => ({ ...passed(title, ancestorTitles), status: 'pending' });

test('the pattern finds its full name only', () => {
  const pattern = new RegExp(namePattern(['outer', 'a (b)? $1']), 'i');
  assert.ok(pattern.test('outer a (b)? $1'));
  assert.ok(!pattern.test('outer a (b)? $1 more'));
  assert.ok(!pattern.test('an outer a (b)? $1'));
});

test('one result is selected by its title path', () => {
  const wanted = passed('x', ['a']);
  assert.equal(outcome.select([pending('y'), wanted], ['a', 'x']).result, wanted);
  assert.match(outcome.select([pending('y')], ['a', 'x']).problem, /no test "a › x"/);
  assert.match(outcome.select([wanted, passed('x', ['a'])], ['a', 'x']).problem, /more than one/);
  // The name is the same once titles are joined, or but for case, and Jest runs both.
  assert.match(outcome.select([wanted, passed('a x')], ['a', 'x']).problem, /more than one/);
  assert.match(outcome.select([wanted, passed('X', ['a'])], ['a', 'x']).problem, /more than one/);
});

test('outcomes', () => {
  const failed = (message, details) => ({ status: 'failed', failureMessages: [message], failureDetails: details });
  assert.equal(outcome.outcomeOf(passed('x')), 'pass');
  assert.equal(outcome.outcomeOf(pending('x')), 'skip');
  assert.equal(outcome.outcomeOf({ status: 'todo' }), 'skip');
  assert.equal(outcome.outcomeOf(failed('Error: x')), 'fail');
  assert.equal(outcome.outcomeOf(failed('Error: x', [{ trafHook: 'beforeEach' }])), 'error');
  assert.equal(outcome.outcomeOf(failed('Error: x', [null, 'text'])), 'fail');
  assert.equal(outcome.outcomeOf(failed('thrown: "Exceeded timeout of 5000 ms for a test.\nAdd')), 'timeout');
  assert.equal(outcome.outcomeOf(failed('thrown: "Exceeded timeout of 5000 ms for a hook.\nAdd')), 'timeout');
});

test('messages lose their stack, and a thrown value gets the place of its cause', () => {
  const stack = 'Error: a\nb\n    at x (/p/a.js:1:2)\n    at y (/p/b.js:3:4)';
  assert.deepEqual(outcome.errorsOf({ failureMessages: [stack] }), [{ message: 'Error: a\nb', stack }]);
  const thrown = 'Error: thrown: "Exceeded"\n    at _getError (/jest.js:1:1)';
  const failureDetails = [{ cause: { stack: 'Error:\n    at /p/a.js:9:1' } }];
  assert.equal(outcome.errorsOf({ failureMessages: [thrown], failureDetails })[0].stack, failureDetails[0].cause.stack);
  assert.equal(outcome.errorsOf({ failureMessages: [thrown], failureDetails: [{}] })[0].stack, thrown);
});

test('the error of a file', () => {
  assert.deepEqual(outcome.fileError({ message: '', stack: 'Error: aft\n    at /a.js:1:1' }), {
    message: 'Error: aft',
    stack: 'Error: aft\n    at /a.js:1:1',
    crashed: false,
  });
  assert.ok(outcome.fileError({ message: 'A jest worker process (pid=7) was terminated by another process' }).crashed);
});
