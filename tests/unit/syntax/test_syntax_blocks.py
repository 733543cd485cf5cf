from __future__ import annotations

import pytest

from tests.unit.syntax.syntax_help import line_of, source
from traf.syntax import test_blocks as blocks_of
from traf.syntax import tests_for_line as run_by


def shown(text, file="a.test.js"):
    return [(block.kind, block.titles, block.modifier) for block in blocks_of(source(text, file))]


@pytest.mark.parametrize(
    ("call", "kind", "title", "modifier"),
    [
        ("test('a', f)", "test", "a", ""),
        ("it('a', () => {})", "test", "a", ""),
        ("specify('a', function () {})", "test", "a", ""),
        ("fit('a', f)", "test", "a", "only"),
        ("xit('a', f)", "test", "a", "skip"),
        ("it.only('a', f)", "test", "a", "only"),
        ("test.skip('a', f)", "test", "a", "skip"),
        ("test.fixme('a', f)", "test", "a", "fixme"),
        ("test('a', { tag: '@x' }, f)", "test", "a", ""),
        ("test.concurrent.only('a', f)", "test", "a", "concurrent.only"),
        ("it.each([1])('a', f)", "test", "a", "each"),
        ("it.each([1])('a %i', f)", "test", None, "each"),
        ("it.each`a\\n${1}`('a $a', f)", "test", None, "each"),
        ("test.skipIf(x)('a', f)", "test", "a", "skipIf"),
        ("describe('a', f)", "describe", "a", ""),
        ("context('a', f)", "describe", "a", ""),
        ("suite('a', f)", "describe", "a", ""),
        ("xdescribe('a', f)", "describe", "a", "skip"),
        ("test.describe('a', f)", "describe", "a", ""),
        ("test.describe.serial.only('a', f)", "describe", "a", "serial.only"),
        ("test.describe(() => {})", "describe", "", ""),
        ("describe.each([1])('a', f)", "describe", "a", "each"),
        ("test(`a`, f)", "test", "a", ""),
        ("test('a' + ' b', f)", "test", "a b", ""),
        ("test(NAME, () => {})", "test", "named", ""),
        ("test(`a ${x}`, f)", "test", None, ""),
        ("test(title(), () => {})", "test", None, ""),
        ("test.serial.only('a', f)", "test", "a", "serial.only"),
        ("test.skip.each([1])('a', f)", "test", "a", "skip.each"),
        ("test.before(setUp)('a', f)", "test", "a", "before"),
        ("QUnit.test('a', f)", "test", "a", ""),
        ("QUnit.test.only('a', f)", "test", "a", "only"),
        ("QUnit.module('a', f)", "describe", "a", ""),
        ("xScenario('a', f)", "test", "a", "skip"),
        ("Data(users).Scenario('a', f)", "test", "a", ""),
        ("Given('a', f)", "test", "a", ""),
        ("When(/^a$/, () => {})", "test", None, ""),
        ("t.test('a', f)", "test", "a", ""),
    ],
)
def test_calls_and_titles(call, kind, title, modifier):
    assert shown(f"const NAME = 'named';\n{call};\n") == [(kind, (title,), modifier)]


@pytest.mark.parametrize(
    "call",
    [
        "beforeEach(f => {})",
        "before(() => {})",
        "test.beforeAll(async () => {})",
        "after('x', () => {})",
        "test.after.always(t => {})",
        "hooks.beforeEach(() => {})",
        "fixture('x').page('y').beforeEach(t => {})",
        "Before({ tags: '@x' }, () => {})",
    ],
)
def test_hooks_have_the_titles_of_their_describe(call):
    assert shown(f"describe('d', () => {{ {call}; }});")[1][:2] == ("hook", ("d",))


@pytest.mark.parametrize(
    "call",
    [
        "test.skip(isCi, 'later')",
        "test.skip(({ browserName }) => browserName === 'x', 'later')",
        "test.setTimeout(5)",
        "test.describe.configure({ timeout: 5 })",
        "test.use({ locale: 'x' })",
        "test.step('a', () => {})",
        "it.todo('a')",
        "/re/.test(a)",
        "foo.test('a', () => {})",
        "context.beforeEach",
        "page.before(() => {})",
        "module.exports('a', () => {})",
    ],
)
def test_what_is_no_block(call):
    assert shown(f"{call};\n") == []


def test_a_function_of_the_same_name_is_no_block():
    assert shown("function test(a, f) {}\ntest('a', () => {});\n") == []


@pytest.mark.parametrize(
    "imports",
    [
        "import { test as base } from '@playwright/test'; const check = base.extend({});",
        "import { it as check } from 'vitest';",
        "const check = it;",
        "const { test: check } = require('./fixtures');",
        "import check from 'ava';",
        "import anyTest from 'ava'; const check = anyTest as TestFn<Context>;",
        "const check = require('node:test');",
    ],
)
def test_aliases(imports):
    assert shown(f"{imports}\ncheck('a', () => {{}});\n") == [("test", ("a",), "")]


def test_nesting_and_places():
    text = (
        "describe('a', () => {\n  describe('b', () => {\n    it('c', () => {\n      go();\n"
        "    });\n  });\n  it('d', () => {});\n});\nit('e', () => {});\n"
    )
    found = blocks_of(source(text))
    assert [block.titles for block in found] == [("a",), ("a", "b"), ("a", "b", "c"), ("a", "d"), ("e",)]
    inner = found[2]
    assert (inner.line, inner.column, inner.end_line) == (3, 5, 5)
    assert text[inner.start : inner.end].startswith("it('c'")


def test_a_hook_inside_of_a_test_serves_that_test():
    text = "test('a', (t) => {\n  t.after(() => stop());\n});\ntest('b', () => {});\n"
    assert [block.titles for block in run_by(source(text), 2)] == [("a",)]


TEXT = """const helper = () => inner();
function inner() {
  return deep;
}
beforeEach(() => {
  everywhere();
});
function unused() {
  nobody();
}
const DATA = {
  a: 1,
};
describe('d', () => {
  beforeAll(() => {
    described();
  });
  it('one', () => {
    helper();
  });
  it('two', () => {
    use(DATA);
  });
});
it('three', () => {
  inner();
});
"""


@pytest.mark.parametrize(
    ("mark", "titles"),
    [
        ("helper();", ["one"]),
        ("it('two'", ["two"]),
        ("everywhere", ["one", "two", "three"]),
        ("described", ["one", "two"]),
        ("return deep", ["one", "three"]),
        ("nobody", []),
        ("a: 1", ["two"]),
        ("describe('d'", []),
    ],
)
def test_the_tests_that_run_a_line(mark, titles):
    found = run_by(source(TEXT), line_of(TEXT, mark))
    assert [block.titles[-1] for block in found] == titles


def test_functions_that_call_each_other_end():
    text = "function a() {\n  b();\n}\nfunction b() {\n  a();\n}\nit('x', () => a());\n"
    assert [block.titles for block in run_by(source(text), 5)] == [("x",)]


def test_a_line_outside_of_the_file():
    assert run_by(source("a();\n"), 9) == ()
