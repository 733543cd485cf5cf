from __future__ import annotations

import pytest

from tests.unit.syntax.syntax_help import PLAYWRIGHT, changed, context, edited, line_of, playwright, site_at, source
from traf.core.errors import BadInput
from traf.syntax import Edit, MsFrom, apply_edits, choose_site, edits_for

TL = "import { render, screen, waitFor } from '@testing-library/react';\n"


@pytest.mark.parametrize(
    ("written", "ms", "after"),
    [
        ("500", 1500, "1500"),
        ("10_000", 1500, "1_500"),
        ("10_000", 500, "500"),
        ("2e3", 1500, "1500"),
        ("0x3E8", 1500, "1500"),
        ("500.5", 1500, "1500"),
        ("500", 1500.0, "1500"),
        ("500", 1499.6, "1500"),
        ("5 * 1000", 8000, "8 * 1000"),
        ("5 * 1000", 8500, "8500"),
        ("5 * 1_000", 8000, "8 * 1_000"),
        ("2 * 60 * 1000", 180000, "3 * 60 * 1000"),
        ("2 * 60 * 1000", 90000, "90000"),
        ("1000 * 5", 8000, "1600 * 5"),
        ("(5) * 1000", 8000, "(8) * 1000"),
        ("1000 + 500", 8000, "8000"),
        ("(500)", 8000, "(8000)"),
        ("500 as number", 8000, "8000 as number"),
        ("<number>500", 8000, "<number>8000"),
        ("Number('500')", 8000, "8000"),
        ("process.env.T ?? 500", 8000, "8000"),
        ("process.env.CI ? 500 : 100", 8000, "8000"),
        ("other()", 8000, "8000"),
        ("-1", 8000, "8000"),
        ("SHARED", 8000, "8000"),
        ("T.long", 8000, "8000"),
    ],
)
def test_numbers_keep_the_authors_style(written, ms, after):
    text = f"const SHARED = 1, T = {{ long: 2 }}; f(SHARED);\n{playwright(f'await page.waitForTimeout({written});')}"
    assert changed(text, edited(text, "page.waitForTimeout", ms)) == [f"await page.waitForTimeout({after});"]


@pytest.mark.parametrize(
    ("options", "after"),
    [
        ("{ timeout: 500 }", "{ timeout: 9 }"),
        ("{timeout:500}", "{timeout:9}"),
        ("{ 'timeout': 500 }", "{ 'timeout': 9 }"),
        ("{ ['timeout']: 500 }", "{ ['timeout']: 9 }"),
        ("{ timeout: 1, timeout: 2 }", "{ timeout: 1, timeout: 9 }"),
        ("{ visible: true }", "{ visible: true, timeout: 9 }"),
        ("{ visible: true, }", "{ visible: true, timeout: 9, }"),
        ("{ ...opts }", "{ ...opts, timeout: 9 }"),
        ("{ timeout: 500, ...opts }", "{ timeout: 500, ...opts, timeout: 9 }"),
        ("{ ...opts, timeout: 500 }", "{ ...opts, timeout: 9 }"),
        ("{}", "{ timeout: 9 }"),
        ("opts", "{ ...opts, timeout: 9 }"),
        ("options()", "{ ...options(), timeout: 9 }"),
        ("undefined", "{ timeout: 9 }"),
        ("a ? b : c", "{ ...(a ? b : c), timeout: 9 }"),
        ("{ timeout: undefined }", "{ timeout: 9 }"),
        ("{ timeout }", "{ timeout: 9 }"),
    ],
)
def test_options(options, after):
    text = playwright(f"await expect(l).toBeVisible({options});")
    # a file with one style of braces shows it; this one has both in its head
    assert changed(text, edited(text, "toBeVisible", 9)) == [f"await expect(l).toBeVisible({after});"]


def test_braces_without_spaces_are_the_files_style():
    text = (
        "import {test, expect} from '@playwright/test';\ntest('x', async ({page}) => {\n"
        "  await expect(page).toHaveURL('a');\n});\n"
    )
    assert "toHaveURL('a', {timeout: 9})" in edited(text, "toHaveURL", 9)


def test_options_over_several_lines_get_a_line():
    text = playwright("await expect(l).toBeVisible({", "  visible: true,", "});")
    assert "    visible: true,\n    timeout: 9,\n" in edited(text, "toBeVisible", 9)
    crlf = text.replace("\n", "\r\n")
    assert "    visible: true,\r\n    timeout: 9,\r\n" in edited(crlf, "toBeVisible", 9)


def test_arguments_on_lines_of_their_own():
    text = TL + "it('x', async () => {\n  await screen.findByText(\n    'a'\n  );\n});\n"
    assert "    'a',\n    {},\n    { timeout: 9 }\n  );" in edited(text, "screen.find", 9, file="a.test.tsx")
    trailing = text.replace("'a'\n", "'a', // why\n")
    assert "    'a', // why\n    {},\n    { timeout: 9 },\n  );" in edited(
        trailing, "screen.find", 9, file="a.test.tsx"
    )


def test_an_options_object_that_only_this_call_uses_is_changed_where_it_stands():
    text = playwright("const slow = { timeout: 500 };", "await expect(l).toBeVisible(slow);")
    assert changed(text, edited(text, "toBeVisible", 9)) == ["const slow = { timeout: 9 };"]


def test_a_shared_options_object_is_overlaid():
    text = playwright("const slow = { timeout: 500 };", "await expect(l).toBeVisible(slow);", "f(slow);")
    assert changed(text, edited(text, "toBeVisible", 9)) == ["await expect(l).toBeVisible({ ...slow, timeout: 9 });"]


@pytest.mark.parametrize(
    ("definition", "use", "after"),
    [
        ("const T = 500;", "", "const T = 9;"),
        ("const T = 5 * 1000;", "", "const T = 9;"),
        ("const T = 500;", "f(T);", "await page.waitForTimeout(9);"),
        ("export const T = 500;", "", "await page.waitForTimeout(9);"),
        ("let T = 500; if (a) T = 1;", "", "await page.waitForTimeout(9);"),
    ],
)
def test_constants(definition, use, after):
    text = (
        f"{PLAYWRIGHT}{definition}\ntest('x', async ({{ page }}) => {{\n"
        f"  await page.waitForTimeout(T);\n  {use}\n}});\n"
    )
    assert changed(text, edited(text, "waitForTimeout", 9)) == [after]


def test_an_imported_constant_is_changed_at_the_call():
    text = f"import {{ T }} from './t';\n{playwright('await page.waitForTimeout(T);')}"
    ctx = context(files={"t.ts": "export const T = 500;"})
    site = site_at(text, "page.wait", ctx)
    assert (site.ms, site.ms_from) == (500, MsFrom.IMPORTED)
    assert changed(text, edited(text, "page.wait", 9, ctx)) == ["await page.waitForTimeout(9);"]


def test_the_same_value_is_no_edit():
    text = playwright("await page.waitForTimeout(5 * 100);")
    parsed = source(text)
    assert edits_for(parsed, choose_site(parsed, context(), 4), 500, context()) == ()


def test_a_default_that_is_written_out_is_an_edit():
    text = playwright("await expect(l).toBeVisible();")
    assert "timeout: 5000" in edited(text, "toBeVisible", 5000)


@pytest.mark.parametrize("ms", [-1, float("nan"), float("inf")])
def test_times_that_are_none(ms):
    text = playwright("await page.waitForTimeout(5);")
    with pytest.raises(BadInput, match="no time to wait"):
        edited(text, "page.wait", ms)


def test_a_site_of_another_state_of_the_file_is_refused():
    before, after = source(playwright("await page.waitForTimeout(5);")), source(playwright("f();"))
    with pytest.raises(BadInput, match="no longer there"):
        edits_for(after, choose_site(before, context(), 4), 9, context())


def test_a_poll_with_a_message_string_cannot_take_options():
    text = playwright("await expect.poll(f, 'note').toBe(1);")
    with pytest.raises(BadInput, match="write them out"):
        edited(text, "expect.poll", 9)


def test_an_argument_that_is_no_time_is_not_overwritten():
    text = "it('x', { retry: 2 }, async () => {\n  await f();\n});\n"
    with pytest.raises(BadInput, match="argument 3 of this call is no time"):
        edited(text, "it(", 9, context("jest"), "a.test.js")


def test_a_computed_name_that_can_be_told_is_read():
    text = playwright("const m = 'waitForTimeout';", "await page[m](5);")
    assert "page[m](9)" in edited(text, "page[m]", 9)


class TestHelpers:
    def test_an_argument(self):
        text = (
            "const nap = (ms) => new Promise((r) => setTimeout(r, ms));\nit('x', async () => {\n"
            "  await nap(100);\n});\n"
        )
        assert changed(text, edited(text, "nap(100)", 9)) == ["await nap(9);"]

    def test_seconds(self):
        text = (
            "const nap = (s) => new Promise((r) => setTimeout(r, s * 1000));\nit('x', async () => {\n"
            "  await nap(2);\n});\n"
        )
        assert site_at(text, "nap(2)").ms == 2000
        assert changed(text, edited(text, "nap(2)", 4000)) == ["await nap(4);"]
        assert changed(text, edited(text, "nap(2)", 1500)) == ["await nap(1.5);"]

    def test_a_default_parameter(self):
        text = (
            f"{PLAYWRIGHT}async function ready(l, quick, timeout = 5_000) {{\n"
            f"  await expect(l).toBeEnabled({{ timeout }});\n}}\ntest('x', async ({{ page }}) => {{\n"
            f"  await ready(page);\n}});\n"
        )
        site = site_at(text, "await ready")
        assert (site.ms, site.ms_from, site.level) == (5000, MsFrom.PARAMETER, 1)
        assert changed(text, edited(text, "await ready", 9)) == ["await ready(page, undefined, 9);"]
        inner = site_at(text, "toBeEnabled")
        assert (inner.ms, inner.time_line) == (5000, 2)
        assert any("default of a parameter" in warning for warning in inner.warnings)

    def test_an_option_of_a_parameter(self):
        text = (
            f"{PLAYWRIGHT}async function ready(l, {{ timeout = 5000 }} = {{}}) {{\n"
            f"  await expect(l).toBeEnabled({{ timeout }});\n}}\ntest('x', async ({{ page }}) => {{\n"
            f"  await ready(page);\n}});\n"
        )
        assert changed(text, edited(text, "await ready", 9)) == ["await ready(page, { timeout: 9 });"]

    def test_a_time_in_the_body(self):
        text = (
            "function settle() {\n  return new Promise((r) => setTimeout(r, 30));\n}\n"
            "it('x', async () => {\n  await settle();\n});\n"
        )
        site = site_at(text, "await settle")
        assert (site.ms, site.time_line, site.line) == (30, 2, 5)
        assert changed(text, edited(text, "await settle", 9)) == ["return new Promise((r) => setTimeout(r, 9));"]
        assert site_at(text, "return new").line == 2

    def test_a_helper_of_another_file(self):
        files = {
            "h.ts": "export const sleep = (ms = 40) => new Promise((r) => setTimeout(r, ms));\n"
            "export const pause = () => new Promise((r) => setTimeout(r, 7));"
        }
        text = (
            "import { pause, sleep } from './h';\nit('x', async () => {\n  await sleep(100);\n"
            "  await sleep();\n  await pause();\n});\n"
        )
        ctx = context(files=files)
        assert changed(text, edited(text, "sleep(100)", 9, ctx)) == ["await sleep(9);"]
        assert changed(text, edited(text, "sleep();", 9, ctx)) == ["await sleep(9);"]
        with pytest.raises(BadInput, match=r"h\.ts:2"):
            edited(text, "pause();", 9, ctx)

    def test_a_bound_made_by_hand(self):
        text = (
            "async function until(f, timeout = 10) {\n  const end = Date.now() + timeout;\n"
            "  while (!f()) if (Date.now() > end) throw 1;\n}\nit('x', async () => {\n"
            "  await until(g);\n});\n"
        )
        assert changed(text, edited(text, "await until", 9)) == ["await until(g, 9);"]

    def test_a_function_that_calls_itself_ends(self):
        text = "async function f(n) {\n  await f(n - 1);\n}\nit('x', async () => {\n  await f(3);\n});\n"
        assert site_at(text, "f(3)").action == "insert"


class TestText:
    @pytest.mark.parametrize("file", ["a.spec.ts", "a.spec.js"])
    def test_line_ends_marks_tabs_and_a_missing_final_newline_survive(self, file):
        text = "\ufeff" + playwright("\tawait page.waitForTimeout(5); // é😀").replace("\n", "\r\n").rstrip()
        after = edited(text, "page.wait", 77, file=file)
        assert after == text.replace("(5)", "(77)")

    def test_spaces_inside_parentheses(self):
        text = TL + "it( 'x', async () => {\n\tawait waitFor( () => f() );\n} );\n"
        assert "waitFor( () => f(), { timeout: 9 } );" in edited(text, "waitFor(", 9, file="a.test.tsx")

    def test_characters_of_many_bytes_before_the_edit(self):
        text = playwright("await f('é😀', () => '日本'); await page.waitForTimeout(5);")
        assert edited(text, "page.wait", 9) == text.replace("(5)", "(9)")

    def test_a_hash_bang(self):
        text = "#!/usr/bin/env node\nawait new Promise((r) => setTimeout(r, 5));\n"
        assert edited(text, "setTimeout", 9, file="a.mjs") == text.replace("5", "9")


class TestInsertion:
    def test_the_page_waits_in_playwright(self):
        text = playwright("page.on('x', f);")
        assert edited(text, "page.on", 800) == text.replace("  page.on", "  await page.waitForTimeout(800);\n  page.on")

    @pytest.mark.parametrize(
        ("head", "sleeper"),
        [
            ("test('x', async ({ page: tab }) => {", "tab.waitForTimeout(8)"),
            ("async function f(p: Page) {", "p.waitForTimeout(8)"),
            ("test('x', async ({ request }) => {", "new Promise((resolve) => setTimeout(resolve, 8))"),
        ],
    )
    def test_the_page_under_its_own_name(self, head, sleeper):
        end = "});" if head.startswith("test") else "}"
        text = f"{PLAYWRIGHT}{head}\n  go();\n{end}\n"
        assert f"  await {sleeper};\n  go();" in edited(text, "go()", 8)

    def test_the_suites_own_helper(self):
        text = (
            "import { sleep } from './h';\nit('a', async () => {\n  await sleep(5);\n});\n"
            "it('b', async () => {\n  go();\n});\n"
        )
        assert "  await sleep(800);\n  go();" in edited(text, "go()", 800)

    def test_a_promise_elsewhere(self):
        text = "it('a', async () => {\n  go();\n});\n"
        assert "  await new Promise((resolve) => setTimeout(resolve, 800));\n  go();" in edited(text, "go()", 800)

    def test_no_semicolons_and_crlf_and_tabs(self):
        text = "import a from 'a'\r\nit('a', async () => {\r\n\tgo()\r\n\tgo()\r\n})\r\n"
        after = edited(text, "go()", 8)
        assert "{\r\n\tawait new Promise((resolve) => setTimeout(resolve, 8))\r\n\tgo()" in after

    def test_a_leading_semicolon_stays_with_its_statement(self):
        text = "it('a', async () => {\n  go()\n  ;[1].map(f)\n})\n"
        assert "  go()\n  await new Promise((resolve) => setTimeout(resolve, 8))\n  ;[1].map(f)\n" in edited(
            text, "[1]", 8
        )

    def test_in_the_middle_of_a_line(self):
        text = "it('a', async () => { go(); end(); });\n"
        parsed = source(text)
        site = choose_site(parsed, context(), 1, 29)
        after = apply_edits(parsed.data, edits_for(parsed, site, 8, context())).decode()
        assert after == text.replace(" end", " await new Promise((resolve) => setTimeout(resolve, 8)); end")

    @pytest.mark.parametrize("head", ["() => {", "function () {", "({ a }) => {"])
    def test_a_test_becomes_async(self, head):
        text = f"it('a', {head}\n  go();\n}});\n"
        assert edited(text, "go()", 8).startswith(f"it('a', async {head}\n  await new Promise")

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("it('a', (done) => {\n  go();\n  done();\n});\n", "ends by calling done"),
            ("it('a', function* () {\n  go();\n});\n", "async"),
            ("function f() {\n  go();\n}\n", "not async"),
            ("it('a', async () => {\n  act(() => {\n    go();\n  });\n});\n", "not async"),
            ("describe('a', () => {\n  go();\n  it('b', () => {});\n});\n", "collected"),
            ("go();\n", "only a module"),
        ],
    )
    def test_where_nothing_can_be_awaited(self, text, reason):
        with pytest.raises(BadInput, match=reason):
            edited(text, "go()", 8)

    def test_top_level_await_in_a_module(self):
        text = "import a from 'a';\ngo();\n"
        assert "await new Promise((resolve) => setTimeout(resolve, 8));\ngo();" in edited(text, "go()", 8, file="a.mjs")

    def test_no_time_is_no_insertion(self):
        text = "it('a', async () => {\n  go();\n});\n"
        assert edited(text, "go()", 0) == text


class TestWarnings:
    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("await expect(f).toPass();", "no bound of its own"),
            ("await page.goto('/', { timeout: 0 });", "0 means no bound"),
            ("page.waitForTimeout(500);", "nobody awaits"),
            ("await page.waitForTimeout(process.env.T ?? 5);", "environment"),
            ("await page.waitForTimeout(process.env.CI ? 5 : 6);", "environment"),
            ("await page.waitForTimeout(Math.random() * 5);", "random"),
            (
                "await expect(async () => { await l.click({ timeout: 5 }); }).toPass({ timeout: 70 });",
                "a bound of 70 ms",
            ),
        ],
    )
    def test_of_playwright(self, line, words):
        text = playwright(line)
        parsed = source(text)
        column = line.index("l.click") + 3 if "l.click" in line else None
        found = choose_site(parsed, context(), line_of(text, line), column)
        assert any(words in warning for warning in found.warnings)

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("await waitFor(() => document.querySelector('a'));", "never throws"),
            ("await screen.findByText('a', { timeout: 5000 });", "no effect there"),
            ("await waitFor(async () => { await screen.findByText('a'); });", "a bound of 1000 ms"),
        ],
    )
    def test_of_testing_library(self, line, words):
        text = f"{TL}it('x', async () => {{\n  {line}\n}});\n"
        parsed = source(text, "a.test.tsx")
        column = 3 + line.index("screen.find") if "screen.find" in line else None
        assert any(words in warning for warning in choose_site(parsed, context(), 3, column).warnings)

    @pytest.mark.parametrize(
        "loop", ["for (const a of b) {", "each.forEach((a) => {", "describe.each([1])('%i', () => {"]
    )
    def test_of_generated_tests(self, loop):
        end = "}" if loop.startswith("for") else "});"
        text = f"{loop}\n  it('x', async () => {{\n    await new Promise((r) => setTimeout(r, 5));\n  }});\n{end}\n"
        assert any("several generated tests" in warning for warning in site_at(text, "setTimeout").warnings)

    def test_a_plain_wait_has_none(self):
        assert site_at(playwright("await page.waitForTimeout(5);"), "page.wait").warnings == ()


def test_apply_edits_sorts_and_refuses_overlaps():
    assert apply_edits(b"abcdef", [Edit(4, 5, b"X"), Edit(0, 1, b""), Edit(2, 2, b"--")]) == b"b--cdXf"
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits(b"abcdef", [Edit(0, 3, b""), Edit(2, 4, b"")])
    with pytest.raises(ValueError, match="outside"):
        apply_edits(b"abc", [Edit(2, 9, b"")])
