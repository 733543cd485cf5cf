// What a Vitest task says after its run, in the words of PROTOCOL.md. Pure.

const TIMED_OUT = /^(?:Error: )?(?:Test|Hook) timed out in \d+ms/;
// Snapshots are neither written nor tidied up here: that other tests left some over is no failure of this one.
const OBSOLETE = /^(?:Error: )?Obsolete snapshots found/;

/** Each test below a suite, as the chain of tasks from the outermost describe block to it. */
export function chains(suite, above = []) {
  return suite.tasks.flatMap((task) => {
    const chain = [...above, task];
    return task.type === 'suite' ? chains(task, chain) : [chain];
  });
}

export const titleOf = (chain) => chain.map(({ name }) => name);

/** The one chain with that title, or a complaint: `{chain}` or `{problem}`. */
export function select(all, title) {
  const wanted = JSON.stringify(title);
  const same = all.filter((chain) => JSON.stringify(titleOf(chain)) === wanted);
  const name = title.join(' › ');
  if (same.length === 0) return { problem: `the file has no test "${name}"` };
  if (same.length > 1) return { problem: `more than one test goes by the title "${name}"` };
  return { chain: same[0] };
}

/** An error, or whatever was thrown in its place, as `{message, stack}`. */
export function plainError(error) {
  if (typeof error !== 'object' || error === null) return { message: String(error), stack: '' };
  const { name, message = '', stack = '' } = error;
  return { message: name && !message.startsWith(name) ? `${name}: ${message}` : message, stack: String(stack) };
}

const errorsOf = (task) => (task.result?.errors ?? []).map(plainError).filter(({ message }) => !OBSOLETE.test(message));

/**
 * The outcome of an attempt as `{outcome, duration_ms, errors}`.
 *
 * `tasks` are the file, the blocks and the test, in this order; `failedInBody` says whether the test had failed by the
 * end of its own code, `strays` are the errors that nobody caught while the file ran.
 */
export function outcomeOf(tasks, failedInBody, strays) {
  const test = tasks.at(-1);
  const state = test.result?.state;
  const around = tasks.slice(0, -1).flatMap(errorsOf);
  const errors = [...errorsOf(test), ...around, ...strays];
  const duration_ms = test.result?.duration ?? 0;
  if (state === 'fail') {
    const timedOut = errorsOf(test).some(({ message }) => TIMED_OUT.test(message));
    return { outcome: timedOut ? 'timeout' : failedInBody ? 'fail' : 'error', duration_ms, errors };
  }
  if (around.length > 0) return { outcome: 'error', duration_ms, errors };
  if (strays.length > 0) return { outcome: 'fail', duration_ms, errors };
  return { outcome: state === 'pass' ? 'pass' : 'skip', duration_ms, errors: [] };
}
