import assert from 'node:assert/strict';
import test from 'node:test';
import { parseStack, plainPath, relativeTo } from '../../js_runner/lib/stack.mjs';

const STACK = `Error: it said "at home (x:1:2)"
    at node:internal/timers:594:17
    at helper (/project/p/src/my helper (1).ts:3:7)
    at async Object.<anonymous> (file:///project/p/e2e/a%20b.spec.ts?rep=3:10:5)
    at /project/p/e2e/c.spec.ts:12:1
    at new Page (/elsewhere/node_modules/x/index.js:1:1)
    at eval (eval at <anonymous> (<anonymous>))`;

test('frames are innermost first, relative below a root, without those of Node', () => {
  assert.deepEqual(parseStack(STACK, ['/other', '/project/p']), [
    { file: 'src/my helper (1).ts', line: 3, column: 7, function: 'helper' },
    { file: 'e2e/a b.spec.ts', line: 10, column: 5, function: 'Object.<anonymous>' },
    { file: 'e2e/c.spec.ts', line: 12, column: 1, function: null },
    { file: '/elsewhere/node_modules/x/index.js', line: 1, column: 1, function: 'new Page' },
  ]);
});

test('an adapter renames or drops files', () => {
  const source = (file) => (file.includes('e2e') ? '/project/p/real.ts' : null);
  assert.deepEqual(
    parseStack(STACK, ['/project/p'], source).map(({ file, line }) => [file, line]),
    [['real.ts', 10], ['real.ts', 12]],
  );
});

test('no stack, no frames', () => {
  assert.deepEqual(parseStack('Test timeout of 30000ms exceeded.', ['/root']), []);
});

test('paths', () => {
  assert.equal(plainPath('file:///a/b%25.ts?x=1'), '/a/b%.ts');
  assert.equal(plainPath('file:///a/%zz'), 'file:///a/%zz');
  assert.equal(relativeTo(['/a'], '/a/b'), 'b');
  assert.equal(relativeTo(['/a'], '/ab'), '/ab');
  assert.equal(relativeTo(['/a'], '/a/..b/c'), '..b/c');
  assert.equal(relativeTo(['/a', '/b'], '/b/c'), 'c');
});
