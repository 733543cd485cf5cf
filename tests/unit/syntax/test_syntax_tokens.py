from __future__ import annotations

import pytest

from traf.syntax import tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("await page.waitForTimeout(500);", ["page", "waitForTimeout"]),
        ("  const text = await page.locator('#out').textContent();", ["text", "page", "locator", "textContent"]),
        ("}, { timeout: 10_000 });", ["timeout"]),
        ("if (await dialog.isVisible()) {", ["dialog", "isVisible"]),
        ("cy.get('.a').type(of, from)", ["cy", "get", "type", "of", "from"]),
        ("x('a // b') // not here", ["x"]),
        ("/* no */ yes /* no", ["yes"]),
        ("`text ${name} more ${a.b({ c: `in ${d}` })} end` + e", ["name", "a", "b", "c", "d", "e"]),
        ("a = /re[/]gex/g.test(b) / c", ["a", "test", "b", "c"]),
        ("a.b < c && $d + _e1 === été", ["a", "b", "c", "$d", "_e1", "été"]),
        ("x('unclosed", ["x"]),
        ("`unclosed ${a", ["a"]),
        ("0x1f 1e5 2n", []),
        ("f(f, f)", ["f", "f", "f"]),
        ("", []),
    ],
)
def test_identifiers_without_keywords_strings_and_comments(text, words):
    assert tokens(text) == words
