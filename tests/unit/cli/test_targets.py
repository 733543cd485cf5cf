"""SPEC[:LINE[:COLUMN]], and the test that a line or a title means."""

from __future__ import annotations

from pathlib import Path

import pytest

from traf.cli.targets import Target, choose_test, parse_target
from traf.core.attempts import TestId
from traf.core.errors import BadInput
from traf.rerun.engine import ListedTest
from traf.syntax import parse

SPEC = """
const open = async (page) => {
  await page.goto('/');
  await page.waitForTimeout(100);
};

test.describe('files', () => {
  test.beforeEach(async ({ page }) => {
    await page.waitForTimeout(50);
  });
  test('opens', async ({ page }) => {
    await open(page);
  });
  test('closes', async ({ page }) => {
    await page.waitForTimeout(200);
  });
  for (const size of ['S', 'L']) {
    test(`has size ${size}`, async ({ page }) => {
      await page.waitForTimeout(300);
    });
  }
});
"""
SOURCE = parse("e2e/a.spec.js", SPEC.encode())


def listed(line: int | None, *title: str, variant: str | None = None) -> ListedTest:
    return ListedTest(TestId("e2e/a.spec.js", title, variant), line)


LISTED = [
    listed(11, "files", "opens", variant="chromium"),
    listed(11, "files", "opens", variant="firefox"),
    listed(14, "files", "closes"),
    listed(18, "files", "has size S"),
    listed(18, "files", "has size L"),
]


@pytest.mark.parametrize(
    ("text", "line", "target"),
    [
        ("a.ts", None, Target(Path("a.ts"))),
        ("a.ts:7", None, Target(Path("a.ts"), 7)),
        ("a.ts:7:3", None, Target(Path("a.ts"), 7, 3)),
        ("a.ts", 9, Target(Path("a.ts"), 9)),
        ("a.ts:7:3", 7, Target(Path("a.ts"), 7, 3)),
        ("C:odd:name.ts:7", None, Target(Path("C:odd:name.ts"), 7)),
        ("two\nlines.ts:7", None, Target(Path("two\nlines.ts"), 7)),
    ],
)
def test_a_target(text: str, line: int | None, target: Target) -> None:
    assert parse_target(text, line) == target


def test_a_file_whose_name_ends_like_a_line_is_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ts:7").write_text("")
    assert parse_target("a.ts:7") == Target(Path("a.ts:7"))
    assert parse_target("a.ts:7:2") == Target(Path("a.ts:7"), 2)


@pytest.mark.parametrize("text", ["a.ts:0", "a.ts:1:0"])
def test_lines_and_columns_count_from_one(text: str) -> None:
    with pytest.raises(BadInput, match="count from 1"):
        parse_target(text)


@pytest.mark.parametrize(
    ("line", "title", "chosen", "remark"),
    [
        (15, None, ("files", "closes"), None),
        (12, None, ("files", "opens"), None),
        (4, None, ("files", "opens"), None),
        (19, None, ("files", "has size S"), "2 tests run this line"),
        (9, None, ("files", "opens"), "tests run this line"),
        (4, "closes", ("files", "closes"), None),
        (None, "files > closes", ("files", "closes"), None),
        (None, "files closes", ("files", "closes"), None),
        (None, "size L", ("files", "has size L"), None),
    ],
)
def test_the_test_that_is_meant(
    line: int | None, title: str | None, chosen: tuple[str, ...], remark: str | None
) -> None:
    test, said = choose_test(LISTED, SOURCE, line, title)
    assert test.title == chosen
    assert (remark is None) == (said is None)
    assert remark is None or remark in (said or "")


def test_of_several_variants_the_first_is_meant() -> None:
    assert choose_test(LISTED, SOURCE, 12, None)[0].variant == "chromium"


@pytest.mark.parametrize(
    ("tests", "line", "title", "words"),
    [
        (LISTED, None, None, "several tests"),
        (LISTED, None, "has size", "several tests"),
        (LISTED, None, "missing", "there are 'files > opens'"),
        (LISTED, 1, None, "--test TITLE"),
        ([], 15, None, "no test"),
    ],
)
def test_what_means_no_test(tests: list[ListedTest], line: int | None, title: str | None, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        choose_test(tests, SOURCE, line, title)


def test_a_single_test_needs_no_line() -> None:
    assert choose_test(LISTED[:2], SOURCE, None, None)[0].title == ("files", "opens")
