// Runs in each attempt's environment, before the user's setup files: one attempt is one execution of one test.
'use strict';

/** What the runner asks for: `{title, runs}` where the test is to be repeated within the file, else undefined. */
const { trafRepeat } = globalThis;
delete globalThis.trafRepeat;

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

function titlePath({ name, parent }) {
  return parent ? [...titlePath(parent), name] : [];
}

/** The tests of a block, at any depth. */
function testsOf(block) {
  return block.children.flatMap((child) => (child.type === 'describeBlock' ? testsOf(child) : [child]));
}

/** Puts copies of the asked test behind it, once the file has said what tests it holds. */
function repeat({ rootDescribeBlock }) {
  const wanted = JSON.stringify(trafRepeat.title);
  const found = testsOf(rootDescribeBlock).filter((test) => JSON.stringify(titlePath(test)) === wanted);
  if (found.length > 1) throw new Error(`more than one test goes by the title "${trafRepeat.title.join(' › ')}"`);
  for (const test of found) {
    const copy = () => ({ ...test, errors: [], retryReasons: [], unhandledRejectionErrorByPromise: new Map() });
    const { children } = test.parent;
    children.splice(children.indexOf(test) + 1, 0, ...Array.from({ length: trafRepeat.runs - 1 }, copy));
  }
}

if (trafRepeat) {
  globalThis[Symbol.for('EVENT_HANDLERS')].push((event, state) => {
    if (event.name === 'run_start') repeat(state);
  });
}
