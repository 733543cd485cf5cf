"""Parse, edit, parse: only the intended place differs, the new time is read back, and nothing crashes on any text."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from traf.core.errors import BadInput
from traf.syntax import (
    Context,
    WaitKind,
    apply_edits,
    choose_site,
    edits_for,
    find_sites,
    fit_limit,
    parse,
    tokens,
    unified_diff,
)
from traf.syntax import tests_for_line as run_by

SUFFIXES = st.sampled_from(["a.spec.ts", "a.test.js", "a.test.tsx", "a.cjs", "playwright.config.ts"])
FRAMEWORKS = st.sampled_from([None, "playwright", "jest"])
STEADY = settings(derandomize=True, deadline=None, max_examples=150)

CALLS = st.sampled_from(
    [
        "await page.waitForTimeout({});",
        "await expect(page.locator('#é😀')).toBeVisible({{ timeout: {} }});",
        "await expect(l).toHaveText('a', {{ ...opts, timeout: {} }});",
        "await page.waitForFunction(() => f('日本'), undefined, {{ polling: 50, timeout: {} }});",
        "await new Promise((r) => setTimeout(r, {}));",
        "await page.click('a', {{'timeout':{}}});",
        "test.setTimeout({});",
        "await expect(page).toHaveURL('/a');",
        "await page.goto('/');",
        "await l.click({{ force: true }});",
        "await page.waitForLoadState();",
        "await page.waitForSelector('a', opts);",
    ]
)
NUMBERS = st.sampled_from(
    ["500", "5_000", "2 * 1000", "1e3", "0x10", "(70 as number)", "process.env.T ?? 5", "T.a", "g()"]
)
FRAGMENTS = st.sampled_from(
    [
        "test('a', async ({ page }) => {",
        "});",
        "}",
        "{",
        "(",
        ")",
        "await ",
        "page.waitForTimeout(500)",
        ";",
        "\n",
        "\r\n",
        "`${",
        "'",
        "expect(a).toBeVisible({ timeout: ",
        "5 * ",
        "1000",
        "...x",
        ", ",
        "=> ",
        "import { a } from './a';",
        "const T = ",
        "T",
        "/* ",
        "*/",
        "//",
        "<A b={1}>",
        "function f(a = 1) {",
        "setTimeout(r, 1)",
        "new Promise(r => ",
        "enum E { A = 1 }",
        "é😀",
        "\ufeff",
        "test.each([1])('%i', ",
        "describe('d', () => {",
        "module.exports = ",
        "export default ",
        "{ timeout: 5 }",
        "f(1)",
        "[",
        "]",
        "screen.findByText('a')",
        "jest.setTimeout(5)",
        "require('x')",
        "?.",
        "!",
        "as ",
        "\t",
        "class A { m() {",
        "return ",
        "f",
    ]
)


@st.composite
def specs(draw):
    """A test file with known lines, in one of several layouts, and the line of one of its waits."""
    calls = draw(st.lists(st.tuples(CALLS, NUMBERS), min_size=1, max_size=4))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    indent = draw(st.sampled_from(["  ", "\t", "    "]))
    lines = ["import { test, expect } from '@playwright/test';", "const T = { a: 300 };", "f(T, T);"]
    lines += ["test('é', async ({ page }) => {", *(indent + call.format(number) for call, number in calls), "});"]
    text = draw(st.sampled_from(["", "\ufeff"])) + newline.join(lines) + draw(st.sampled_from(["", newline]))
    return text.encode(), 5 + draw(st.integers(0, len(calls) - 1))


@STEADY
@given(specs(), st.integers(1, 10**6))
def test_an_edit_is_read_back_and_touches_one_line(spec, ms):
    data, line = spec
    context = Context("playwright")
    source = parse("a.spec.ts", data)
    site = choose_site(source, context, line)
    after = apply_edits(data, edits_for(source, site, ms, context))
    again = choose_site(parse("a.spec.ts", after), context, line)
    assert (again.ms, again.start, again.api, again.kind) == (ms, site.start, site.api, site.kind)
    old, new = data.split(b"\n"), after.split(b"\n")
    assert [at for at, (a, b) in enumerate(zip(old, new, strict=True)) if a != b] in ([], [line - 1])
    assert edits_for(parse("a.spec.ts", after), again, ms, context) == ()


@STEADY
@given(specs(), st.integers(1, 10**6))
def test_raising_the_limit_makes_it_fit(spec, ms):
    data, line = spec
    context = Context("playwright")
    source = parse("a.spec.ts", data)
    site = choose_site(source, context, line)
    fit = fit_limit(source, site, ms, context)
    assert fit.fits or fit.possible
    after = apply_edits(data, (*edits_for(source, site, ms, context), *fit.edits))
    moved = sum(edit.text.count(b"\n") for edit in fit.edits)
    raised = parse("a.spec.ts", after)
    again = choose_site(raised, context, line + moved)
    assert fit_limit(raised, again, ms, context).fits


@STEADY
@given(st.lists(FRAGMENTS, max_size=25).map("".join), SUFFIXES, FRAMEWORKS)
def test_no_text_crashes(text, file, framework):
    context = Context(framework)
    data = text.encode()
    source = parse(file, data)
    sites = find_sites(source, context)
    assert [site.start for site in sites] == sorted(site.start for site in sites)
    for line in range(1, source.line_count + 2):
        run_by(source, line)
        with contextlib.suppress(BadInput):
            site = choose_site(source, context, line)
            fit_limit(source, site, 60_000, context)
            after = apply_edits(data, edits_for(source, site, 1234, context))
            if site.kind is not WaitKind.NONE and not parse(file, data).root.has_error:
                assert not parse(file, after).root.has_error
            unified_diff(file, data, after)
    tokens(text)


@STEADY
@given(st.binary(max_size=200))
def test_no_bytes_crash(data):
    try:
        sites = find_sites(parse("a.js", data), Context())
    except BadInput as refusal:
        assert "\n" not in str(refusal)  # noqa: PT017 - most bytes are no refusal
    else:
        assert all(0 <= site.start < site.end <= len(data) for site in sites)


@STEADY
@given(st.text(max_size=80))
def test_tokens_are_names_of_the_text(text):
    assert all(word in text and not word[0].isdecimal() for word in tokens(text))


@STEADY
@given(st.text(max_size=60), st.text(max_size=60))
def test_a_diff_says_what_changed(before, after):
    diff = unified_diff("a.ts", before.encode(), after.encode())
    body = [line for line in diff.split("\n")[2:-1] if not line.startswith(("@@", "\\"))]
    new = "\n".join(line[1:] for line in body if line[0] in "+ ")
    assert (diff == "") == (before == after)
    if after.count("\n") < 3 and diff:
        assert new == after.removesuffix("\n")
