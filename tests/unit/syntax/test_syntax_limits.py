from __future__ import annotations

import pytest

from tests.unit.syntax.syntax_help import PLAYWRIGHT, changed, context, line_of, source
from traf.syntax import apply_edits, choose_site, edits_for, fit_limit
from traf.syntax.limits import round_up


def fit(text, mark, ms, ctx=None, file="a.spec.ts"):
    parsed = source(text, file)
    ctx = ctx or context("playwright")
    found = fit_limit(parsed, choose_site(parsed, ctx, line_of(text, mark)), ms, ctx)
    return found, changed(text, apply_edits(parsed.data, found.edits).decode())


def playwright(*body, before=(), head="test('x', async ({ page }) => {"):
    lines = "".join(f"  {line}\n" for line in body)
    return PLAYWRIGHT + "".join(f"{line}\n" for line in before) + f"{head}\n{lines}}});\n"


WAIT = "await page.waitForTimeout(500);"


def test_what_fits_needs_no_edit():
    found, lines = fit(playwright(WAIT), "page.wait", 20_000)
    assert (found.fits, found.limit_ms, found.needed_ms, found.raised_ms, lines) == (True, 30_000, 24_000, None, [])


def test_playwright_sets_the_limit_as_the_first_statement():
    found, lines = fit(playwright(WAIT), "page.wait", 40_000)
    assert (found.fits, found.possible, found.raised_ms) == (False, True, 50_000)
    assert lines == ["test.setTimeout(50000);"]


def test_the_other_sleeps_of_the_test_count_and_other_bounds_do_not():
    text = playwright("await page.waitForTimeout(20000);", "await l.click({ timeout: 90000 });", WAIT)
    found, _lines = fit(text, "(500)", 9000)
    assert found.needed_ms == 29_000 * 1.2


def test_the_margin_is_at_least_a_second():
    assert fit(playwright(WAIT), "page.wait", 100)[0].needed_ms == 1100


@pytest.mark.parametrize(
    ("before", "body", "limit"),
    [
        ((), ("test.setTimeout(7000);",), 7000),
        ((), ("test.slow();",), 90_000),
        ((), ("test.setTimeout(0);",), None),
        (("test.describe.configure({ timeout: 8000 });",), (), 8000),
        (("test.beforeEach(() => { test.setTimeout(9000); });",), (), 9000),
        (("test.afterEach(() => { test.setTimeout(9000); });",), (), 30_000),
        (("test('y', () => { test.setTimeout(9000); });",), (), 30_000),
        (
            ("test.beforeEach(() => { test.setTimeout(9000); });", "test.describe.configure({ timeout: 8000 });"),
            (),
            9000,
        ),
    ],
)
def test_where_playwrights_limit_comes_from(before, body, limit):
    found, _lines = fit(playwright(*body, WAIT, before=before), "page.wait", 100)
    assert found.limit_ms == limit


def test_the_innermost_describe_counts():
    text = (
        f"{PLAYWRIGHT}test.describe.configure({{ timeout: 5000 }});\ntest.describe('a', () => {{\n"
        "  test.describe.configure({ timeout: 6000 });\n  test('x', async ({ page }) => {\n"
        f"    {WAIT}\n  }});\n}});\n"
    )
    assert fit(text, "page.wait", 100)[0].limit_ms == 6000


def test_a_configured_limit_and_none():
    assert (
        fit(playwright(WAIT), "page.wait", 100, context("playwright", playwright__timeout=60_000))[0].limit_ms == 60_000
    )
    found, _lines = fit(playwright(WAIT), "page.wait", 10**9, context("playwright", playwright__timeout=0))
    assert (found.fits, found.limit_ms) == (True, None)


def test_an_existing_limit_is_replaced():
    _found, lines = fit(playwright("test.setTimeout(7_000);", WAIT), "page.wait", 9000)
    assert lines == ["test.setTimeout(15_000);"]


def test_the_limit_of_a_hook_is_set_in_it():
    text = f"{PLAYWRIGHT}test.beforeEach(async ({{ page }}) => {{\n  {WAIT}\n}});\n"
    _found, lines = fit(text, "page.wait", 40_000)
    assert lines == ["test.setTimeout(50000);"]


def test_the_name_of_the_test_function_is_the_files():
    text = playwright(WAIT, before=("const it = test;",), head="it.only('x', async ({ page }) => {")
    assert fit(text, "page.wait", 40_000)[1] == ["it.setTimeout(50000);"]


def test_a_test_on_one_line():
    text = f"{PLAYWRIGHT}test('x', async ({{ page }}) => {{ {WAIT} }});\n"
    assert fit(text, "page.wait", 40_000)[1] == [
        f"test('x', async ({{ page }}) => {{ test.setTimeout(50000); {WAIT} }});"
    ]


JEST_WAIT = "await new Promise((r) => setTimeout(r, 500));"


def jest(call="it('x', async () => {", end="});", before=""):
    return f"{before}{call}\n  {JEST_WAIT}\n{end}\n"


@pytest.mark.parametrize(
    ("text", "limit", "lines"),
    [
        (jest(), 5000, ["}, 8000);"]),
        (jest(end="}, 6_000);"), 6000, ["}, 8_000);"]),
        (jest(before="jest.setTimeout(5500);\n"), 5500, ["}, 8000);"]),
        (jest("it.each([1])('x', async () => {"), 5000, ["}, 8000);"]),
        (jest("beforeEach(async () => {"), 5000, ["}, 8000);"]),
        (jest(before="const T = 5001; f(T, T);\n", end="}, T);"), 5001, ["}, 8000);"]),
    ],
)
def test_jest_takes_the_limit_as_the_last_argument(text, limit, lines):
    found, after = fit(text, JEST_WAIT, 6100, context("jest"), "a.test.js")
    assert (found.fits, found.limit_ms, found.raised_ms) == (False, limit, 8000)
    assert after == lines


def test_jests_configured_limit():
    assert fit(jest(), JEST_WAIT, 6100, context("jest", jest__testTimeout=20_000), "a.test.js")[0].fits


def test_a_helper_fits_if_it_obviously_does():
    text = f"{PLAYWRIGHT}async function f(page) {{\n  {WAIT}\n}}\n"
    assert fit(text, "page.wait", 5000)[0].fits
    found, lines = fit(text, "page.wait", 40_000)
    assert (found.fits, found.possible, lines) == (False, False, [])
    assert "outside of a test" in (found.reason or "")


def test_a_helper_that_one_test_calls_has_that_tests_limit():
    text = (
        f"{PLAYWRIGHT}async function f(page) {{\n  {WAIT}\n}}\ntest('x', async ({{ page }}) => {{\n"
        f"  await f(page);\n}});\n"
    )
    found, lines = fit(text, "page.wait", 40_000)
    assert (found.possible, lines) == (True, ["test.setTimeout(50000);"])


def test_a_test_limit_fits_itself():
    assert fit(playwright("test.setTimeout(5);"), "setTimeout", 10**7)[0].fits


def test_an_inserted_wait_counts():
    text = playwright("go();")
    assert fit(text, "go()", 40_000)[1] == ["test.setTimeout(50000);"]


def test_several_sets_of_edits_can_be_made_at_once():
    text = playwright(WAIT)
    parsed, ctx = source(text), context("playwright")
    site = choose_site(parsed, ctx, line_of(text, WAIT))
    both = (*edits_for(parsed, site, 40_000, ctx), *fit_limit(parsed, site, 40_000, ctx).edits)
    assert changed(text, apply_edits(parsed.data, both).decode()) == [
        "test.setTimeout(50000);",
        "await page.waitForTimeout(40000);",
    ]


@pytest.mark.parametrize(
    ("ms", "rounded"), [(1, 1000), (1000, 1000), (9001, 10_000), (10_000, 10_000), (10_001, 15_000), (41_000, 45_000)]
)
def test_limits_are_round_numbers(ms, rounded):
    assert round_up(ms) == rounded


def test_a_small_limit_needs_little_room() -> None:
    spec = source("test('x', async () => {\n  await new Promise((r) => setTimeout(r, 100));\n}, 400);\n", "a.test.js")
    jest = context("jest")
    site = choose_site(spec, jest, 2)
    assert fit_limit(spec, site, 300, jest).fits
    assert not fit_limit(spec, site, 350, jest).fits
