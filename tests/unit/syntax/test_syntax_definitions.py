from __future__ import annotations

import pytest

from tests.unit.syntax.syntax_help import changed, context, edited, playwright, site_at
from traf.core.errors import BadInput
from traf.syntax import WaitKind

SHARED = "const SETTLE = 900;\n" + playwright(
    "await page.waitForTimeout(SETTLE);", "await page.waitForTimeout(SETTLE);"
)


def test_a_constant_of_several_waits_is_their_time_and_its_edit_is_at_the_definition():
    site = site_at(SHARED, "const SETTLE")
    assert (site.kind, site.ms, site.line, site.api) == (WaitKind.FIXED_SLEEP, 900, 1, "SETTLE")
    assert site.warnings == ("2 waits of this file share this time",)
    assert changed(SHARED, edited(SHARED, "const SETTLE", 1500)) == ["const SETTLE = 1500;"]


def test_a_line_that_uses_the_constant_still_means_the_call():
    text = edited(SHARED, "await page", 1500)
    assert "const SETTLE = 900;" in text
    assert text.count("waitForTimeout(SETTLE)") == 1


def test_the_unit_is_that_of_the_waits():
    text = "const LONG = 3;\nScenario('x', ({ I }) => {\n  I.wait(LONG);\n  I.wait(LONG);\n});\n"
    ctx = context("codeceptjs")
    assert site_at(text, "const LONG", ctx).ms == 3000
    assert changed(text, edited(text, "const LONG", 5000, ctx)) == ["const LONG = 5;"]


def test_a_key_of_a_constant_object_and_of_constant_options():
    times = "const TIMES = {\n  short: 100,\n  long: 8000,\n};\n"
    text = times + playwright("await page.waitForTimeout(TIMES.long);", "await page.waitForTimeout(TIMES.long);")
    assert site_at(text, "long:").ms == 8000
    with pytest.raises(BadInput, match="nothing to wait for"):
        site_at(text, "short:")
    options = "const SLOW = { timeout: 8000 };\n"
    text = options + playwright("await page.click('a', SLOW);", "await page.click('b', SLOW);")
    assert changed(text, edited(text, "const SLOW", 9000)) == ["const SLOW = { timeout: 9000 };"]


def test_a_name_that_is_given_another_value_elsewhere():
    text = "let limit = 30000;\nif (process.env.DEBUG) {\n  limit = 120000;\n}\njest.setTimeout(limit);\n"
    site = site_at(text, "let limit", context("jest"))
    assert (site.kind, site.ms) == (WaitKind.TEST_TIMEOUT, 30000)
    assert site.warnings == ("the name is given another value elsewhere",)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("export const LOGIN_TIMEOUT = 15000;", WaitKind.POLL_TIMEOUT),
        ("export const WAIT = { timeout: 15000 };", WaitKind.POLL_TIMEOUT),
        ("export const SETTLE_DELAY = 15000;", WaitKind.FIXED_SLEEP),
        ("const uploadWait = 15000;\nmodule.exports = { uploadWait };", WaitKind.FIXED_SLEEP),
        ("const maxWait = 15000;\nexport { maxWait };", WaitKind.POLL_TIMEOUT),
    ],
)
def test_an_exported_constant_that_is_named_like_a_time(line, kind):
    site = site_at(f"{line}\n", line[:12], context("cypress"), file="support/times.js")
    assert (site.kind, site.ms, site.framework) == (kind, 15000, "cypress")
    assert site.warnings == ("the waits of other files may share this time",)


@pytest.mark.parametrize(
    "line",
    [
        "const LOGIN_TIMEOUT = 15000;",
        "export const PAGE_SIZE = 15000;",
        "export const WAIT_COUNT = 15000;",
        "export const TIMEOUT_SECONDS = 150;",
        "export const TIMEOUT = 60;",
        "export const TIMEOUT = 'slow';",
    ],
)
def test_other_constants_are_no_times(line):
    with pytest.raises(BadInput, match="nothing to wait for"):
        site_at(f"{line}\n", line[:12], context("cypress"), file="support/times.js")


def test_two_constants_on_a_line_need_a_column():
    with pytest.raises(BadInput, match="2 waits on this line, in columns 24 and 41"):
        site_at("export const TIMES = { shortWait: 1000, longWait: 5000 };\n", "TIMES", file="support/times.js")
