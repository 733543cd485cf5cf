// What a Playwright result says, in the words of PROTOCOL.md. Pure.
'use strict';

const CRASHED = /^(?:Error: )?worker process exited unexpectedly/i;
const NO_BROWSER = /Executable doesn't exist at|distribution '[^']+' is not found/;

/** The outcome of the first result of a test. */
function outcomeOf(test, result) {
  if (result.status === 'skipped') return 'skip';
  if (result.status === test.expectedStatus) return 'pass';
  if (result.errors.some((error) => CRASHED.test(error.message ?? ''))) return 'crash';
  if (result.status === 'timedOut') return 'timeout';
  const broken = result.steps.find((step) => step.error);
  return broken?.category === 'hook' ? 'error' : 'fail';
}

/** The message of a Playwright error; a thrown value that is no Error has only a `value`. */
function messageOf(error) {
  return error.message ?? error.value ?? 'unknown error';
}

/** The errors of a result as `{message, stack}`; an error without a stack gets one frame from its location. */
function errorsOf(test, result) {
  if (result.status === test.expectedStatus) return [];
  if (result.errors.length === 0) {
    return [{ message: `expected the test to be ${test.expectedStatus}, but it was ${result.status}`, stack: '' }];
  }
  return result.errors.map((error) => {
    const at = error.location;
    return {
      message: messageOf(error),
      stack: error.stack ?? (at ? `    at ${at.file}:${at.line}:${at.column}` : ''),
    };
  });
}

/** Whether the errors of a result say that there is no browser to run in. */
function browserMissing(result) {
  return result.errors.some((error) => NO_BROWSER.test(messageOf(error)));
}

module.exports = { browserMissing, errorsOf, messageOf, outcomeOf };
