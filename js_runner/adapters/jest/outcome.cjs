// What Jest's results say, in the words of PROTOCOL.md. Pure.
'use strict';

const TIMED_OUT = /Exceeded timeout of .*ms for a (?:test|hook)/;
const CRASHED = /child process exceptions, exceeding retry limit|A jest worker process .* was terminated/;
const STACK = /\n\s+at .*$/s;

const titlePath = (result) => [...result.ancestorTitles, result.title];

/** The one result with the title path `title`, or a complaint: `{result}` or `{problem}`. */
function select(results, title) {
  const wanted = JSON.stringify(title);
  const same = results.filter((result) => JSON.stringify(titlePath(result)) === wanted);
  const executed = results.filter(({ status }) => status === 'passed' || status === 'failed');
  const name = title.join(' › ');
  if (same.length === 0) return { problem: `the file has no test "${name}"` };
  if (same.length > 1 || executed.some((result) => !same.includes(result))) {
    return { problem: `more than one test goes by the title "${name}"` };
  }
  return { result: same[0] };
}

/** The outcome of a test result. A hook is known to have failed where the setup file could mark its error. */
function outcomeOf(result) {
  if (result.status === 'passed') return 'pass';
  if (result.status !== 'failed') return 'skip';
  if (result.failureMessages.some((message) => TIMED_OUT.test(message))) return 'timeout';
  return (result.failureDetails ?? []).some((detail) => detail?.trafHook) ? 'error' : 'fail';
}

/**
 * Jest's failure messages, which are stacks below their message, as `{message, stack}`. Where something other than an
 * Error was thrown (a timeout among them), Jest's own error has the place as its cause.
 */
function errorsOf(result) {
  return result.failureMessages.map((text, index) => ({
    message: text.replace(STACK, ''),
    stack: (/^(?:Error: )?thrown: /.test(text) && result.failureDetails?.[index]?.cause?.stack) || text,
  }));
}

/** The error of a file that did not run to its end; some have their message in the stack only. */
function fileError(error) {
  const stack = error.stack ?? '';
  const message = error.message || stack.replace(STACK, '') || String(error);
  return { message, stack, crashed: CRASHED.test(message) };
}

module.exports = { errorsOf, fileError, outcomeOf, select, titlePath };
