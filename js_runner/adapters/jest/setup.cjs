// Runs in each attempt's environment, before the user's setup files: one attempt is one execution of one test.
'use strict';

// Retries set in code: what jest.retryTimes() writes is read back as none.
Object.defineProperty(globalThis, Symbol.for('RETRY_TIMES'), { configurable: true, get: () => '0', set() {} });
const RETRY_SETTER = Symbol.for('RETRY_TIMES_SETTER');
if (globalThis[RETRY_SETTER]) globalThis[RETRY_SETTER] = () => {};

// The test is selected by name: a `.only` on another one must not take it out of the run again.
const { describe, test } = globalThis;
if (test?.only && describe?.only) {
  test.only = test;
  describe.only = describe;
  Object.assign(globalThis, { fit: test, fdescribe: describe });
}

// Newer Jests let the file's event handlers be seen: a failed hook can then be told from a failed test.
globalThis[Symbol.for('EVENT_HANDLERS')]?.push((event) => {
  if (event.name === 'hook_failure' && event.error instanceof Object) event.error.trafHook = event.hook.type;
});
