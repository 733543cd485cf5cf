"""Which times are proposed, and in which order; no history here."""

from __future__ import annotations

from tests.unit.localization.conftest import places, ranked, spec_of


def ms(candidates):
    return [candidate.ms for candidate in candidates]


def test_the_most_similar_line_first(maker):
    maker.write_all(
        {
            "e2e/a.spec.ts": spec_of(
                "await page.click(save);", "await page.waitForTimeout(500);", "await open(dialog);"
            ),
            "e2e/b.spec.ts": spec_of(
                "await page.fill(name); await page.waitForTimeout(4000);",
                "await page.click(save); await page.waitForTimeout(900); await open(dialog);",
                "await expect(rows).toHaveCount(3, { timeout: 7000 });",
            ),
        }
    )
    found = ranked(maker.top, "e2e/a.spec.ts", 5)
    assert places(found) == [
        (900, "e2e/b.spec.ts", 5, None),
        (4000, "e2e/b.spec.ts", 4, None),
        (7000, "e2e/b.spec.ts", 6, None),
    ]
    assert found[0].score > found[1].score > found[2].score == 0
    assert found[0].text == "  await page.click(save); await page.waitForTimeout(900); await open(dialog);"


def test_only_above_the_time_in_force(maker):
    lines = [f"await page.waitForTimeout({time});" for time in (500, 499, 500, 501, 0)]
    maker.write_all({"a.spec.ts": spec_of(*lines)})
    assert ms(ranked(maker.top, "a.spec.ts", 4)) == [501]
    assert ms(ranked(maker.top, "a.spec.ts", 4, above_ms=0)) == [499, 500, 501]


def test_not_what_stands_on_the_flaky_line(maker):
    maker.write_all({"a.spec.ts": spec_of("await page.waitForTimeout(500); test.setTimeout(9000);", "go();")})
    assert ranked(maker.top, "a.spec.ts", 4, above_ms=0) == ()


def test_not_the_flaky_time_of_a_call_on_several_lines(maker):
    maker.write_all(
        {"a.spec.ts": spec_of("await expect(x).toBeVisible({", "  timeout: 5000,", "});", "test.setTimeout(9000);")}
    )
    assert ms(ranked(maker.top, "a.spec.ts", 4, above_ms=0)) == [9000]


def test_a_call_without_a_time(maker):
    maker.write_all(
        {"a.spec.ts": spec_of("await expect(x).toBeVisible();", "await expect(y).toBeVisible({ timeout: 9000 });")}
    )
    assert ms(ranked(maker.top, "a.spec.ts", 4, above_ms=5000)) == [9000]


def test_one_entry_a_value(maker):
    maker.write_all(
        {
            "a.spec.ts": spec_of("await page.waitForTimeout(500);", "", "expect(x).toBe(1, { timeout: 2000 });"),
            "b.spec.ts": spec_of("await page.waitForTimeout(2000);", "await page.waitForTimeout(2 * 1000);"),
        }
    )
    assert places(ranked(maker.top, "a.spec.ts", 4)) == [(2000, "b.spec.ts", 4, None)]


def test_ties_same_file_then_nearer_then_by_name(maker):
    wait = "await page.waitForTimeout({});".format
    maker.write_all(
        {
            "b.spec.ts": spec_of(wait(1000), "", "", "", wait(2000), wait(500), "", wait(3000), "other(word);"),
            "a.spec.ts": spec_of(wait(4000), wait(4500)),
            "c.spec.ts": spec_of(wait(5000), "await poll({ timeout: 1 });"),
        }
    )
    assert ms(ranked(maker.top, "b.spec.ts", 9)) == [2000, 3000, 1000, 4000, 4500, 5000]


def test_times_over_ten_minutes_say_no_limit(maker):
    lines = [
        "test.setTimeout(500);",
        "test.setTimeout(600_000);",
        "test.setTimeout(600_001);",
        "test.setTimeout(2 ** 31 - 1);",
    ]
    maker.write_all({"a.spec.ts": spec_of(*lines)})
    assert ms(ranked(maker.top, "a.spec.ts", 4)) == [600_000]
    assert ms(ranked(maker.top, "a.spec.ts", 4, above_ms=550_000)) == [600_000, 600_001]


def test_nothing_else_in_the_folder(maker):
    maker.write_all({"a.spec.ts": spec_of("await page.waitForTimeout(500);")})
    assert ranked(maker.top, "a.spec.ts", 4) == ()


def test_without_a_repository(tmp_path):
    (tmp_path / "a.spec.ts").write_text(spec_of("await page.waitForTimeout(500);", "await page.waitForTimeout(900);"))
    assert places(ranked(tmp_path, "a.spec.ts", 4)) == [(900, "a.spec.ts", 5, None)]
