from __future__ import annotations

import pytest

from tests.unit.syntax.syntax_help import context, source
from traf.syntax import UNKNOWN, MsFrom
from traf.syntax.values import evaluate


def value(expression, before="", ctx=None, file="a.ts"):
    parsed = source(f"{before}\nf({expression});\n", file)
    call = parsed.nodes("call")[-1]
    calls = [node for node in parsed.nodes("call") if parsed.text(node).startswith("f(")]
    argument = (calls or [call])[-1].child_by_field_name("arguments").named_children[0]
    return evaluate(parsed, argument, ctx or context())


@pytest.mark.parametrize(
    ("expression", "data", "origin"),
    [
        ("1500", 1500, MsFrom.LITERAL),
        ("10_000", 10000, MsFrom.LITERAL),
        ("2e3", 2000, MsFrom.LITERAL),
        ("0x3E8", 1000, MsFrom.LITERAL),
        ("0b101", 5, MsFrom.LITERAL),
        ("0o17", 15, MsFrom.LITERAL),
        ("1.5", 1.5, MsFrom.LITERAL),
        ("5n", 5, MsFrom.LITERAL),
        ("'a'", "a", MsFrom.LITERAL),
        ("'a\\n\\u0041\\x42\\u{43}'", "a\nABC", MsFrom.LITERAL),
        ("`t`", "t", MsFrom.LITERAL),
        ("true", True, MsFrom.LITERAL),
        ("null", None, MsFrom.LITERAL),
        ("undefined", None, MsFrom.LITERAL),
        ("2 * 60 * 1000", 120000, MsFrom.EXPRESSION),
        ("1000 / 3 * 3", 1000, MsFrom.EXPRESSION),
        ("7 % 4 + 2 ** 3 - 1", 10, MsFrom.EXPRESSION),
        ("-5", -5, MsFrom.EXPRESSION),
        ("+'5'", UNKNOWN, MsFrom.UNKNOWN),
        ("1 / 0", UNKNOWN, MsFrom.UNKNOWN),
        ("2 ** 99999", UNKNOWN, MsFrom.UNKNOWN),
        ("'a' + 'b'", "ab", MsFrom.EXPRESSION),
        ("Number('350')", 350, MsFrom.EXPRESSION),
        ("parseInt('20', 10)", 20, MsFrom.EXPRESSION),
        ("Math.max(100, 200)", 200, MsFrom.EXPRESSION),
        ("(300 as number)", 300, MsFrom.LITERAL),
        ("300 satisfies number", 300, MsFrom.LITERAL),
        ("<number>300", 300, MsFrom.LITERAL),
        ("300!", 300, MsFrom.LITERAL),
        ("true ? 1 : 2", 1, MsFrom.EXPRESSION),
        ("null ?? 7", 7, MsFrom.LITERAL),
        ("0 || 7", 7, MsFrom.LITERAL),
        ("process.env.T ?? 5000", 5000, MsFrom.EXPRESSION),
        ("Number(process.env.T) || 5000", 5000, MsFrom.EXPRESSION),
        ("process.env.T", UNKNOWN, MsFrom.ENVIRONMENT),
        ("process.env.CI ? 2 : 1", UNKNOWN, MsFrom.ENVIRONMENT),
        ("import.meta.env.T ?? 3", 3, MsFrom.EXPRESSION),
        ("g()", UNKNOWN, MsFrom.UNKNOWN),
        ("missing", UNKNOWN, MsFrom.UNKNOWN),
        ("[1, 2][1]", 2, MsFrom.LITERAL),
        ("{ a: { b: 3 } }.a.b", 3, MsFrom.LITERAL),
        ("`${2}s`", "2s", MsFrom.EXPRESSION),
    ],
)
def test_expressions(expression, data, origin):
    found = value(expression)
    assert found.data == data
    assert type(found.data) is type(data)
    assert found.origin is origin


@pytest.mark.parametrize(
    ("before", "expression", "data"),
    [
        ("const A = 100; const B = A * 2;", "B + 1", 201),
        ("const T = { quick: 1, slow: 3 * 1000 } as const;", "T['slow']", 3000),
        ("const T = Object.freeze({ slow: 3000 });", "T.slow", 3000),
        ("const { slow, other: { deep = 4 } = {} } = { slow: 5 };", "slow", 5),
        ("const { a = 9 } = {};", "a", 9),
        ("const [x, y] = [1, 2];", "y", 2),
        ("enum W { Short = 200, Next, Long = Short2 }", "W.Next", 201),
        ("let a = 100;", "a", 100),
        ("let a = 100; if (b) a = 400;", "a", UNKNOWN),
        ("let a = 100; a += 1;", "a", UNKNOWN),
        ("let a = 100; a++;", "a", UNKNOWN),
        ("const o = { a: 1 }; o.a = 2;", "o.a", UNKNOWN),
        ("const base = { a: 1 }; const o = { ...base, b: 2 };", "o.a", 1),
        ("const o = { ...g(), b: 2 };", "o.a", UNKNOWN),
        ("const o = { ...g(), b: 2 };", "o.b", 2),
        ("const a = 1; { const a = 2; }", "a", 1),
        ("const CI = !!process.env.CI;", "CI ? 1 : 2", UNKNOWN),
        ("const a = b; const b = a;", "a", UNKNOWN),
    ],
)
def test_names_of_the_same_file(before, expression, data):
    assert value(expression, before).data == data


def test_scopes_are_kept_apart():
    text = "const t = 1; function g(t = 2) { f(t); }"
    parsed = source(text)
    call = parsed.nodes("call")[0]
    found = evaluate(parsed, call.child_by_field_name("arguments").named_children[0], context())
    assert (found.data, found.origin) == (2, MsFrom.PARAMETER)


@pytest.mark.parametrize(
    ("imports", "expression", "module"),
    [
        ("import { LONG } from './t'", "LONG", "export const SHORT = 1, LONG = 15_000;"),
        ("import { LONG as L } from './t'", "L", "const LONG = 15000; export { LONG };"),
        ("import { LONG } from './t'", "LONG", "const x = 15000; export { x as LONG };"),
        ("import T from './t'", "T", "const x = 15000; export default x;"),
        ("import T from './t'", "T.long", "export default { long: 15000 } as const;"),
        ("import * as T from './t'", "T.LONG", "export const LONG = 15000;"),
        ("const { LONG } = require('./t')", "LONG", "exports.LONG = 15 * 1000;"),
        ("const T = require('./t')", "T.LONG", "module.exports = { LONG: 15000 };"),
        ("const T = require('./t')", "T.LONG", "const LONG = 15000; module.exports = { LONG };"),
        ("const L = require('./t').LONG", "L", "module.exports.LONG = 15000;"),
        ("import { W } from './t'", "W.Long", "export enum W { Long = 15000 }"),
    ],
)
def test_names_of_other_files(imports, expression, module):
    found = value(expression, imports + ";", context(files={"t.ts": module}))
    assert (found.data, found.origin) == (15000, MsFrom.IMPORTED)


def test_re_exports_are_followed_and_a_circle_ends():
    files = {"t.ts": "export * from './u';", "u.ts": "export { b as a } from './v';", "v.ts": "export const b = 3;"}
    assert value("a", "import { a } from './t';", context(files=files)).data == 3
    circle = {"t.ts": "export * from './u';", "u.ts": "export * from './t';"}
    assert value("a", "import { a } from './t';", context(files=circle)).data is UNKNOWN


def test_a_module_out_of_reach_is_unknown():
    assert value("a", "import { a } from 'pkg';").data is UNKNOWN


def test_remarks_name_the_environment_and_chance():
    assert value("process.env.T ?? 5").notes == {"environment"}
    assert value("Math.random() * 5").notes == {"random"}


def test_very_deep_expressions_are_unknown():
    assert value("(" * 30 + "1" + ")" * 30).data == 1
    assert value("1" + " + 1" * 500).data is UNKNOWN


def test_values_that_double_at_each_step_end():
    text = "const a0 = 1;" + "".join(f"const a{n} = a{n - 1} + a{n - 1};" for n in range(1, 60))
    assert value("a5", text).data == 32
    assert value("a59", text).data is UNKNOWN


def test_large_powers_cost_nothing():
    assert value("9 ** 9 ** 9 ** 9").data is UNKNOWN
