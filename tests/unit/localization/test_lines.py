"""Times that a single line spells out."""

from __future__ import annotations

import pytest

from traf.localization.lines import MAY_WAIT, waits_of_line


@pytest.mark.parametrize(
    ("line", "ms", "kind", "name"),
    [
        ("  cy.wait(500);", 500, "fixed_sleep", "wait"),
        ("  await page.waitForTimeout(2_000)", 2000, "fixed_sleep", "waitForTimeout"),
        ("  await new Promise(r => setTimeout(r, 2 * 60));", 120, "fixed_sleep", "setTimeout"),
        ("const SAVE_DELAY = 900;", 900, "fixed_sleep", "SAVE_DELAY"),
        ("  cy.get('x', { timeout: 10000 })", 10000, "poll_timeout", "timeout"),
        ("export const LONG_TIMEOUT = 6e4", 60000, "poll_timeout", "LONG_TIMEOUT"),
        ("  await waitForVisible(find(row), 3000);", 3000, "poll_timeout", "waitForVisible"),
        ("jest.setTimeout(30 * 1000);", 30000, "test_timeout", "setTimeout"),
        ("  this.timeout(9000);", 9000, "test_timeout", "timeout"),
        ("  testTimeout: 5000,", 5000, "test_timeout", "testTimeout"),
        ("}, 60000);", 60000, "test_timeout", ""),
    ],
)
def test_a_line_with_a_time(line, ms, kind, name):
    (wait,) = waits_of_line(line)
    assert (wait.ms, wait.kind, wait.name) == (ms, kind, name)
    assert MAY_WAIT.search(line.encode())


@pytest.mark.parametrize(
    "line",
    [
        "cy.wait('@alias')",
        "const rows = 500;",
        "expect(x).toBe(500)",
        "width: 50%",
        "",
        "timeout: x.timeout",
        "wait(0)",
    ],
)
def test_a_line_without_one(line):
    assert waits_of_line(line) == ()
