// Reading and checking one request line.
import path from 'node:path';
import { Refusal } from './refusal.mjs';

/** How far attempts are kept apart, the fastest first. */
export const LEVELS = ['warm', 'worker', 'process'];

const text = (value) => typeof value === 'string' && value !== '';
const positive = (value) => typeof value === 'number' && Number.isFinite(value) && value > 0;
const count = (value) => Number.isInteger(value) && value > 0;
const inside = (value) => text(value) && !path.isAbsolute(value) && !/^\.\.(?:[\\/]|$)/.test(path.normalize(value));
const orNull = (check) => (value) => value === undefined || value === null || check(value);

const COMMON = {
  root: (value) => text(value) && path.isAbsolute(value),
  file: inside,
  config: orNull(inside),
  chromium: orNull(text),
  start_limit_ms: positive,
};
const FIELDS = {
  list: COMMON,
  run: {
    ...COMMON,
    title: (value) => Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'),
    variant: orNull((value) => typeof value === 'string'),
    runs: count,
    until: orNull((value) => value === 'failure' || value === 'pass'),
    jobs: count,
    isolation: (value) => value === undefined || LEVELS.includes(value),
    attempt_limit_ms: positive,
  },
};

function bad(id, message) {
  return Object.assign(new Refusal('bad_request', message), { id });
}

/** The request on `line` with every optional field present; throws a Refusal that carries the request's `id`. */
export function validate(line, frameworks) {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    throw bad(null, 'the request is not JSON');
  }
  if (typeof request !== 'object' || request === null) throw bad(null, 'the request is not an object');
  const id = request.id ?? null;
  const fields = Object.hasOwn(FIELDS, request.op) ? FIELDS[request.op] : null;
  if (!fields) throw bad(id, `unknown op ${JSON.stringify(request.op)}: known are ${Object.keys(FIELDS).join(', ')}`);
  if (!frameworks.includes(request.framework)) {
    throw bad(id, `unknown framework ${JSON.stringify(request.framework)}: known are ${frameworks.join(', ')}`);
  }
  for (const [name, valid] of Object.entries(fields)) {
    if (!valid(request[name])) throw bad(id, `${name} cannot be ${JSON.stringify(request[name])}`);
  }
  return { config: null, chromium: null, variant: null, until: null, isolation: 'worker', ...request };
}
