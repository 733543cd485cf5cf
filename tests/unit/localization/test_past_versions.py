"""Times that lines held in earlier commits."""

from __future__ import annotations

import pytest

from tests.unit.git.history_maker import HOSTILE
from tests.unit.localization.conftest import places, ranked, spec_of

SPEC = "e2e/a.spec.ts"
PADDING = [f"await page.click('#button{n}');" for n in range(9)]


def wait(ms):
    return f"await page.waitForTimeout({ms});"


def past(maker, spec=SPEC, line=4, **options):
    """The candidates, each checked: the line of that commit is the text that the candidate shows."""
    found = ranked(maker.top, spec, line, **options)
    for candidate in found:
        source = candidate.source
        if source.commit is not None:
            shown = maker.git("show", f"{source.commit}:{source.path}").split("\n")
            assert shown[source.line - 1].rstrip("\r") == candidate.text
    return places(found)


def test_earlier_times_of_the_flaky_line_newest_first(maker):
    first = maker.commit({SPEC: spec_of(wait(3000), *PADDING)})
    second = maker.commit({SPEC: spec_of(wait(2000), *PADDING)})
    maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    maker.commit({"README": "x"})
    assert past(maker) == [(2000, SPEC, 4, second), (3000, SPEC, 4, first)]
    assert past(maker, history=False) == []


def test_earlier_times_of_other_lines_with_their_line_then(maker):
    other = "e2e/b.spec.ts"
    maker.commit({SPEC: spec_of(wait(500)), other: spec_of("", wait(800))})
    second = maker.commit({other: spec_of("", "", wait(4000))})
    maker.commit({other: spec_of(wait(800), "go(there);")})
    assert past(maker) == [(800, other, 4, None), (4000, other, 6, second)]


def test_a_time_that_a_call_without_one_had(maker):
    first = maker.commit({SPEC: spec_of("await expect(x).toBeVisible({ timeout: 9000 });", *PADDING)})
    maker.commit({SPEC: spec_of("await expect(x).toBeVisible();", *PADDING)})
    assert past(maker, above_ms=5000) == [(9000, SPEC, 4, first)]


def test_a_time_on_a_line_of_its_own(maker):
    call = "await expect(page.locator('#x')).toBeVisible({"
    first = maker.commit({SPEC: spec_of(call, "  timeout: 9000,", "});")})
    maker.commit({SPEC: spec_of(call, "  timeout: 2000,", "});")})
    assert past(maker) == [(9000, SPEC, 5, first)]


def test_a_renamed_file(maker):
    first = maker.commit({"e2e/old.spec.ts": spec_of(wait(3000), *PADDING)})
    second = maker.commit({"e2e/old.spec.ts": spec_of(wait(2000), *PADDING)})
    maker.commit({"e2e/old.spec.ts": None, SPEC: spec_of(wait(500), *PADDING)})
    assert past(maker) == [(2000, "e2e/old.spec.ts", 4, second), (3000, "e2e/old.spec.ts", 4, first)]


def test_a_file_moved_between_folders_twice(maker):
    first = maker.commit({"cypress/x/old.ts": spec_of(wait(3000), *PADDING)})
    second = maker.commit({"cypress/x/old.ts": None, "tests/old.ts": spec_of(wait(2000), *PADDING)})
    maker.commit({"tests/old.ts": None, SPEC: spec_of(wait(500), *PADDING)})
    assert past(maker) == [(2000, "tests/old.ts", 4, second), (3000, "cypress/x/old.ts", 4, first)]


def test_a_reformatting_between(maker):
    first = maker.commit({SPEC: spec_of("await expect(page.locator('#x')).toBeVisible({ timeout: 9000 })", *PADDING)})
    maker.commit({SPEC: spec_of("await expect(page.locator('#x')).toBeVisible({ timeout: 3000 })", *PADDING)})
    tabs = spec_of('await expect(page.locator("#x")).toBeVisible({', "  timeout: 3000,", "});", *PADDING)
    maker.commit({SPEC: tabs.replace("  ", "\t")})
    maker.commit({SPEC: tabs.replace("3000", "500").replace("  ", "    ")})
    found = past(maker)
    assert [(ms, line) for ms, _, line, _ in found] == [(3000, 4), (9000, 4)] or [ms for ms, *_ in found] == [
        9000,
        3000,
    ]
    assert (9000, SPEC, 4, first) in found


def test_a_line_moved_inside_the_file(maker):
    first = maker.commit({SPEC: spec_of(*PADDING, wait(3000))})
    maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    assert past(maker) == [(3000, SPEC, 13, first)]


def test_an_edit_that_is_not_committed(maker):
    head = maker.commit({SPEC: spec_of(*PADDING, wait(3000), "go();")})
    maker.write_all({SPEC: spec_of("one();", "two();", *PADDING, wait(500), "go();")})
    assert past(maker, line=15) == [(3000, SPEC, 13, head)]


def test_a_file_that_is_not_committed(maker):
    maker.commit({"e2e/b.spec.ts": spec_of(wait(900))})
    maker.write_all({SPEC: spec_of(wait(500))})
    assert past(maker) == [(900, "e2e/b.spec.ts", 4, None)]


def test_carriage_returns_in_the_work_tree_only(maker):
    first = maker.commit({SPEC: spec_of(wait(3000), *PADDING)})
    maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    maker.write_all({SPEC: spec_of(wait(500), *PADDING).replace("\n", "\r\n")})
    assert past(maker) == [(3000, SPEC, 4, first)]


def test_both_sides_of_a_merge(maker):
    maker.commit({SPEC: spec_of(wait(5000), *PADDING, wait(700))})
    maker.git("checkout", "--quiet", "-b", "side")
    on_side = maker.commit({SPEC: spec_of(wait(4000), *PADDING, wait(700))})
    maker.commit({SPEC: spec_of(wait(500), *PADDING, wait(700))})
    maker.git("checkout", "--quiet", "main")
    on_main = maker.commit({SPEC: spec_of(wait(5000), *PADDING, wait(6000))})
    maker.commit({SPEC: spec_of(wait(5000), *PADDING, wait(800))})
    maker.minute += 1
    maker.git("merge", "--quiet", "--no-edit", "side")
    found = past(maker)
    assert {ms: commit for ms, *_, commit in found if ms in {4000, 6000}} == {4000: on_side, 6000: on_main}
    assert {ms for ms, *_ in found} == {700, 800, 4000, 5000, 6000}


def test_a_merge_that_kept_one_side(maker):
    maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    maker.git("checkout", "--quiet", "-b", "side")
    maker.commit({SPEC: spec_of(wait(9000), *PADDING)})
    maker.git("checkout", "--quiet", "main")
    maker.commit({"README": "x"})
    maker.git("merge", "--quiet", "--no-edit", "--strategy=ours", "side")
    assert past(maker) == []


def test_a_shallow_clone_gives_what_it_has(maker, tmp_path):
    maker.commit({SPEC: spec_of(wait(3000), *PADDING)})
    second = maker.commit({SPEC: spec_of(wait(2000), *PADDING)})
    maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    clone = tmp_path / "clone"
    maker.git("clone", "--quiet", "--depth=2", f"file://{maker.top}", str(clone))
    assert places(ranked(clone, SPEC, 4)) == [(2000, SPEC, 4, second)]


def test_a_partial_clone_gives_what_it_has(maker, tmp_path):
    maker.git("config", "uploadpack.allowFilter", "true")
    maker.commit({SPEC: spec_of(wait(3000), *PADDING)})
    maker.commit({SPEC: spec_of(wait(500), wait(900), *PADDING)})
    clone = tmp_path / "clone"
    maker.git("clone", "--quiet", "--filter=blob:none", f"file://{maker.top}", str(clone))
    assert places(ranked(clone, SPEC, 4)) == [(900, SPEC, 5, None)]


def test_no_commit_yet(maker):
    maker.write_all({SPEC: spec_of(wait(500), wait(900))})
    assert past(maker) == [(900, SPEC, 5, None)]


def test_a_detached_head_sees_its_own_past(maker):
    first = maker.commit({SPEC: spec_of(wait(3000), *PADDING)})
    second = maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    maker.commit({SPEC: spec_of(wait(9000), *PADDING)})
    maker.git("checkout", "--quiet", second)
    assert past(maker) == [(3000, SPEC, 4, first)]


@pytest.mark.parametrize("name", HOSTILE[:-1])
def test_hostile_names(maker, name):
    spec = f"e2e/{name}"
    first = maker.commit({spec: spec_of(wait(3000), *PADDING), "e2e/zzz.js": spec_of(wait(1))})
    maker.commit({spec: spec_of(wait(500), *PADDING)})
    found = ranked(maker.top, spec, 4)
    assert places(found) == [(3000, spec, 4, first)]


def test_lines_of_one_wording_are_told_apart_where_it_matters(maker):
    """The second `timeout: 9000` bounds no wait, whatever the first one does."""
    call, other = "await expect(x).toBeVisible({", "await server.start({"
    maker.commit({SPEC: spec_of(wait(500), call, "  timeout: 800,", "});")})
    maker.commit({SPEC: spec_of(wait(500), other, "  timeout: 9000,", "});")})
    last = maker.commit({SPEC: spec_of(wait(500), call, "  timeout: 9000,", "});")})
    maker.commit({SPEC: spec_of(wait(500), call, "  timeout: 800,", "});")})
    assert past(maker) == [(800, SPEC, 6, None), (9000, SPEC, 6, last)]


def test_newer_versions_win_among_equals(maker):
    first = maker.commit({SPEC: spec_of(wait(3000), *PADDING)})
    maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    third = maker.commit({SPEC: spec_of(wait(3000), *PADDING)})
    maker.commit({SPEC: spec_of(wait(500), *PADDING)})
    assert first != third
    assert past(maker) == [(3000, SPEC, 4, third)]


def test_the_work_tree_wins_over_commits_among_equals(maker):
    other = "e2e/b.spec.ts"
    maker.commit({SPEC: spec_of(wait(500)), other: spec_of(wait(3000), *PADDING)})
    maker.commit({other: spec_of(wait(800), *PADDING, wait(3000))})
    assert (3000, other, 14, None) in past(maker)


def test_imported_names_mean_what_they_meant_then(maker):
    def using(name):
        return f"import {{ {name} }} from '../times.js';\n" + spec_of(wait(name), *PADDING)

    maker.commit({"times.ts": "export const LONG = 3000;\nexport const SHORT = 500;\n", SPEC: using("LONG")})
    last = maker.commit({"README": "x"})
    maker.commit({SPEC: using("SHORT")})
    maker.commit({"times.ts": "export const LONG = 9000;\nexport const SHORT = 500;\n"})
    found = past(maker, line=5, above_ms=500)
    assert [(ms, path, line) for ms, path, line, _ in found] == [(3000, SPEC, 5)]
    assert found[0][3] != last


def test_a_module_outside_the_repository_is_unknown(maker):
    first = maker.commit({SPEC: "import { A } from '../../out';\n" + spec_of(wait("A"), wait(700))})
    maker.commit({SPEC: "import { A } from 'far';\n" + spec_of(wait(400), wait(600))})
    assert past(maker, line=5) == [(600, SPEC, 6, None), (700, SPEC, 6, first)]


def test_a_name_may_mean_something_else_in_another_file(maker):
    other = "e2e/b.spec.ts"
    first = maker.commit(
        {SPEC: spec_of(wait(500), "const A = 800;", wait("A")), other: spec_of("const A = 900;", wait("A"))}
    )
    maker.commit({other: spec_of("const A = 900;", wait(600))})
    found = sorted(past(maker), key=lambda place: place[0])
    assert found == [(600, other, 5, None), (800, SPEC, 6, None), (900, other, 5, first)]


def test_a_constant_that_had_another_value(maker):
    first = maker.commit({SPEC: spec_of("const A = 3000;", wait("A"), *PADDING)})
    maker.commit({SPEC: spec_of("const A = 500;", wait("A"), *PADDING)})
    assert past(maker, line=5) == [(3000, SPEC, 4, first)]
