"""Which line of the old version a line was."""

from __future__ import annotations

import pytest

from traf.git.patches import Hunk
from traf.localization.lineage import hunks_between, predecessor, same_text


def was(old, new, text):
    """The number and text of what a line (found by its text) of `new` was in `old`."""
    old_lines, new_lines = [line.encode() for line in old], [line.encode() for line in new]
    return predecessor(hunks_between(old_lines, new_lines), new.index(text) + 1)


def test_lines_around_a_change_keep_their_text_and_move():
    hunks = (Hunk(2, (b"b",), 2, (b"x", b"y")), Hunk(4, (b"d", b"e"), 4, ()), Hunk(6, (), 5, (b"z",)))
    # old: a b c d e f g; new: a x y c f z g... as git numbers them
    assert predecessor(hunks[:1], 1) == (1, None)
    assert predecessor(hunks[:1], 4) == (3, None)
    assert predecessor(hunks[:2], 4) == (3, None)
    assert predecessor(hunks[:2], 5) == (6, None)


def test_an_edited_line():
    old = ["start();", "await sleep(500);", "end();"]
    new = ["start();", "await sleep(2000);", "end();"]
    assert was(old, new, new[1]) == (2, "await sleep(500);")


def test_the_most_alike_line_of_a_hunk():
    old = ["const a = 1;", "await page.waitForTimeout(500);", "await page.click('#save');"]
    new = ["await page.press('#save', 'Enter');", "await page.waitForTimeout(SHORT);", "const b = '2';"]
    assert was(old, new, new[1]) == (2, old[1])


def test_among_equals_the_nearest():
    old = ["sleep(1);", "sleep(2);", "sleep(3);"]
    new = ["sleep(10);", "sleep(20);", "sleep(30);"]
    assert [was(old, new, text) for text in new] == [(1, "sleep(1);"), (2, "sleep(2);"), (3, "sleep(3);")]


def test_a_line_that_another_one_descends_from():
    old = ["await sleep(500);"]
    new = ["  await sleep(500);", "  await sleep(800);"]
    assert was(old, new, new[0]) == (1, old[0])
    assert was(old, new, new[1]) is None


def test_a_new_line():
    assert was(["a();", "b();"], ["a();", "await sleep(500);", "b();"], "await sleep(500);") is None
    assert was(["a();", "b();"], ["a();", "await sleep(500);"], "await sleep(500);") is None


def test_a_line_moved_and_edited():
    body = [f"step{n}();" for n in range(9)]
    old = ["await page.waitForTimeout(500);", *body]
    new = [*body, "  await page.waitForTimeout(900);"]
    assert was(old, new, new[-1]) == (1, old[0])


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        (
            ["await expect(page.locator('#x')).toBeVisible({ timeout: 5000 });"],
            ["await expect(page.locator('#x')).toBeVisible({", "  timeout: 5000,", "});"],
            2,
            1,
        ),
        (
            ["await expect(page.getByText('Saved')).toBeVisible({", "  timeout: 5000,", "});"],
            ['await expect(page.getByText("Saved")).toBeVisible({ timeout: 5000 });'],
            1,
            1,
        ),
        (["  it('x', () => { sleep(10) })"], ['\tit("x", () => {', "\t\tsleep(10);", "\t});"], 2, 1),
    ],
)
def test_reformatting_is_followed(old, new, line, expected):
    found = was(old, new, new[line - 1])
    assert found is not None
    assert found[0] == expected


def test_a_rewritten_file_of_thousands_of_lines():
    old = [f"await page.click('#b{n}'); await sleep({n});" for n in range(3000)]
    new = [f"\tawait page.click('#b{n}');  await sleep({n});" for n in range(3000)]
    assert was(old, new, new[2500]) == (2501, old[2500])


def test_same_text():
    assert same_text("  a( b )", "a(b)")
    assert not same_text("a(1)", "a(2)")


def test_each_line_has_one_successor_among_equals():
    old = ["sleep(SHORT);", "sleep(700);"]
    new = ["sleep(400);", "sleep(600);"]
    assert [was(old, new, text) for text in new] == [(1, "sleep(SHORT);"), (2, "sleep(700);")]
