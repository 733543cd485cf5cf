import assert from 'node:assert/strict';
import test from 'node:test';
import { Tail, clip, literal, stripAnsi } from '../../js_runner/lib/text.mjs';

test('terminal escapes are removed, the text stays', () => {
  const coloured = '\u001b[1m\u001b[31mError:\u001b[39m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 [0m]';
  assert.equal(stripAnsi(coloured), 'Error: link [0m]');
});

test('a literal matches its text only, whatever it holds', () => {
  for (const text of ['a.b', '$& $1 ^x$', 'tab\tnew\nline', 'NUL\u0000', '😀 é', '\\d+ (x|y)? [a-z]{2}', '-/-']) {
    assert.match(literal(text), /^[\u0020-\u007e]*$/);
    assert.ok(new RegExp(`^${literal(text)}$`).test(text), text);
    assert.ok(new RegExp(`^${literal(text)}$`, 'i').test(text), text);
    assert.ok(!new RegExp(`^${literal(text)}$`).test(`${text}x`));
  }
  assert.ok(!new RegExp(`^${literal('a.b')}$`).test('axb'));
});

test('a cut is marked', () => {
  assert.equal(clip('abc', 3), 'abc');
  assert.equal(clip('abcd', 3), 'ab…');
});

test('a tail keeps the end of a flood', () => {
  const tail = new Tail(10);
  for (let i = 0; i < 1000; i += 1) tail.push(Buffer.from(`line ${i}\n`));
  assert.equal(tail.text(), '\nline 999\n');
  const short = new Tail(10);
  short.push(Buffer.from('\u001b[1mx'));
  assert.equal(short.text(), 'x');
});
