from __future__ import annotations

import pytest

from tests.unit.syntax.syntax_help import PLAYWRIGHT, context, line_of, playwright, site_at, source
from traf.core.errors import BadInput
from traf.syntax import WaitKind, choose_site


def refusal(text, line, column=None, file="a.spec.ts", ctx=None):
    with pytest.raises(BadInput) as caught:
        choose_site(source(text, file), ctx or context(), line, column)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_line_past_the_end():
    assert refusal("a();\n", 2) == "a.spec.ts:2: the file has 1 lines; give one of them"
    assert "has 0 lines" in refusal("", 1)


@pytest.mark.parametrize("text", ["", "// a", "/*\n a\n*/", "const a = 5;", "}"])
def test_nothing_to_wait_for(text):
    assert "nothing to wait for" in refusal(f"f();\n{text}\n" if text != "}" else "if (a) {\n}\n", 2)


def test_a_line_of_a_comment_within_a_wait_means_the_wait():
    text = playwright("await expect(l).toBeVisible({", "  // why", "  timeout: 500,", "});")
    assert site_at(text, "// why").ms == 500


def test_a_syntax_error_at_the_place():
    text = playwright("await page.waitForTimeout(;")
    assert "syntax error" in refusal(text, line_of(text, "waitForTimeout"))


def test_a_syntax_error_elsewhere_does_no_harm():
    text = playwright("await page.waitForTimeout(500);") + "\n\nconst = ;\n"
    assert site_at(text, "waitForTimeout").ms == 500


def test_two_waits_on_a_line_need_a_column():
    text = playwright("await page.waitForTimeout(100); await page.waitForTimeout(900);")
    message = refusal(text, 4)
    assert "2 waits on this line, in columns 9 and 41" in message
    assert message.endswith("a.spec.ts:4:9")
    assert choose_site(source(text), context(), 4, 9).ms == 100
    assert choose_site(source(text), context(), 4, 41).ms == 900
    assert choose_site(source(text), context(), 4, 50).ms == 900


def test_columns_are_characters():
    text = playwright("await f('é😀'); await page.waitForTimeout(100); await page.waitForTimeout(900);")
    found = choose_site(source(text), context(), 4, text.splitlines()[3].index("page.waitForTimeout(900)") + 1)
    assert found.ms == 900
    assert found.column == text.splitlines()[3].index("page.waitForTimeout(900)") + 1


def test_a_column_beside_the_wait_means_the_wait_of_its_statement():
    text = (
        "import { screen } from '@testing-library/react';\nit('x', async () => {\n"
        "  expect(await screen.findByText('a')).toBeVisible();\n});\n"
    )
    assert choose_site(source(text, "a.test.tsx"), context("jest"), 3, 40).api == "screen.findByText"


def test_an_explicit_time_beats_a_default():
    text = playwright("await expect(page.getByText(await l.textContent())).toBeVisible({ timeout: 50 });")
    assert site_at(text, "toBeVisible").ms == 50


def test_of_two_defaults_in_one_expression_the_outer_is_meant():
    text = playwright("await expect(page.getByText(await l.textContent())).toBeVisible();")
    assert site_at(text, "toBeVisible").api == "expect().toBeVisible"


def test_the_innermost_wait_that_spans_the_line():
    text = playwright("await expect(async () => {", "  expect(1).toBe(1);", "}).toPass({ timeout: 70 });")
    assert site_at(text, "expect(1)").api == "expect().toPass"


def test_a_test_around_a_line_is_not_meant_by_it():
    text = "test('x', async () => {\n  const a = 1;\n  expect(a).toBe(1);\n}, 9000);\n"
    ctx = context("jest")
    assert site_at(text, "expect", ctx, "a.test.js").action == "insert"
    assert site_at(text, "test(", ctx, "a.test.js").ms == 9000
    assert site_at(text, "9000", ctx, "a.test.js").kind is WaitKind.TEST_TIMEOUT


def test_the_definition_of_a_constant_that_one_wait_uses():
    text = (
        f"{PLAYWRIGHT}const SETTLE = 300;\ntest('x', async ({{ page }}) => {{\n"
        f"  await page.waitForTimeout(SETTLE);\n}});\n"
    )
    site = site_at(text, "const SETTLE")
    assert (site.ms, site.line, site.time_line) == (300, 4, 2)


def test_the_definition_of_a_shared_constant_means_the_waits_that_share_it():
    text = (
        f"{PLAYWRIGHT}const S = 300;\ntest('x', async ({{ page }}) => {{\n"
        f"  await page.waitForTimeout(S);\n  await page.waitForTimeout(S);\n}});\n"
    )
    found = choose_site(source(text), context(), 2)
    assert (found.ms, found.line, found.warnings) == (300, 2, ("2 waits of this file share this time",))


@pytest.mark.parametrize(
    ("between", "action"),
    [
        ([], "replace"),
        (["const a = 1;", "// note"], "replace"),
        (["const t = await l.count();", "expect(t).toBe(1);"], "replace"),
        (["go();"], "insert"),
        (["await page.click('#a');"], "insert"),
        (["const a = 1;", "const b = 1;", "const c = 1;"], "insert"),
    ],
)
def test_a_sleep_shortly_above(between, action):
    text = playwright("await page.waitForTimeout(300);", *between, "expect(x).toBe(2);")
    assert site_at(text, "expect(x)").action == action


def test_a_sleep_of_another_block_is_not_above():
    text = playwright("await page.waitForTimeout(300);", "if (a) {", "  expect(x).toBe(2);", "}")
    assert site_at(text, "expect(x)").action == "insert"


@pytest.mark.parametrize(
    "line",
    ["userEvent.click(a);", "expect(a).toBe(1);", "const b = read();", "a.b = 1;", "if (f()) g();", "return f();"],
)
def test_a_statement_that_acts_is_a_place_for_a_wait(line):
    text = playwright(line)
    site = site_at(text, line)
    assert (site.action, site.level, site.kind, site.ms, site.column) == ("insert", 1, WaitKind.NONE, None, 3)


def test_a_describe_is_no_place_for_a_wait():
    assert "nothing to wait for" in refusal("describe('a', () => {\n  it('b', () => {});\n});\n", 1, file="a.test.js")


def test_an_only_timer_beside_a_real_wait_is_not_meant():
    text = playwright("setInterval(f, 50); await page.waitForTimeout(70);")
    assert site_at(text, "setInterval").ms == 70


def test_a_column_past_the_end_is_refused():
    spec = source(PLAYWRIGHT + "test('x', async ({ page }) => {\n  await page.waitForTimeout(5);\n});\n")
    assert choose_site(spec, context("playwright"), 3, 32).ms == 5
    with pytest.raises(BadInput, match="ends in column 32"):
        choose_site(spec, context("playwright"), 3, 33)


SLEEP_THEN_READ = """test('x', async ({ page }) => {
  await page.locator('#go').click();
  await page.waitForTimeout(500);
  expect(await page.textContent('#stock')).toBe('7 left');
});
"""


def test_the_sleep_before_an_unbounded_read_is_meant():
    spec = source(PLAYWRIGHT + SLEEP_THEN_READ)
    assert choose_site(spec, context("playwright"), 5).ms == 500
    assert choose_site(spec, context("playwright"), 5, 16).api == "page.textContent"


def test_without_a_sleep_a_wait_is_inserted_before_a_value_that_is_compared_at_once():
    spec = source(PLAYWRIGHT + SLEEP_THEN_READ.replace("  await page.waitForTimeout(500);\n", ""))
    site = choose_site(spec, context("playwright"), 4)
    assert (site.action, site.line) == ("insert", 4)


def test_an_unbounded_action_keeps_its_own_bound_where_no_sleep_stands_before_it():
    spec = source(PLAYWRIGHT + SLEEP_THEN_READ)
    site = choose_site(spec, context("playwright"), 3)
    assert (site.action, site.api, site.ms) == ("add", "locator().click", None)
