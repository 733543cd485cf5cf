"""The better ranker on small projects: the rungs, what a commit shows, and what is said."""

from __future__ import annotations

import pytest

from tests.unit.localization.conftest import spec_of
from traf.git import open_objects
from traf.localization.cache import Cache
from traf.localization.evidence import gather, query_of
from traf.localization.ground import commit_ground
from traf.localization.model import Rung
from traf.localization.suggest import Asked, RankerName, suggest
from traf.project.commits import CommitSurveyor
from traf.syntax import find_sites

ALL = tuple(Rung)


def asked_at(repository, commit, file, line, cache=None):
    surveyor = CommitSurveyor(repository.tree(commit))
    survey = surveyor.survey_file(file)
    ground = commit_ground(repository, commit, survey.source, survey.context, cache or Cache(None))
    site = next(site for site in find_sites(survey.source, survey.context) if site.line == line)
    query = query_of(ground, site, site.ms if site.level == 0 else None, site.ms or 0.0)
    return Asked(ground, query, (site.line, site.time_line or site.line))


@pytest.fixture
def repository(maker):
    maker.commit(
        {
            "package.json": '{"devDependencies": {"@playwright/test": "1"}}',
            "playwright.config.ts": "export default { expect: { timeout: 7500 } };",
            "e2e/a.spec.ts": spec_of("await page.waitForTimeout(500);"),
            "e2e/b.spec.ts": spec_of("await page.waitForTimeout(700);"),
            "e2e/other/c.spec.ts": spec_of("await page.waitForTimeout(900);"),
        }
    )
    maker.commit({"e2e/b.spec.ts": spec_of("await page.waitForTimeout(800);")})
    maker.commit({"e2e/b.spec.ts": spec_of("await page.waitForTimeout(600);")})
    maker.git("clone", "--quiet", "--bare", str(maker.top), str(maker.top.parent / "bare"))
    with open_objects(maker.top.parent / "bare") as found:
        yield found


def rungs_of(candidates):
    return {candidate.ms: candidate.rung for candidate in candidates}


def test_each_time_stands_on_its_best_rung(repository):
    asked = asked_at(repository, repository.commit("HEAD"), "e2e/a.spec.ts", 4)
    found = rungs_of(suggest(asked, RankerName.LEARNED, ALL))
    assert found[600] is Rung.DIRECTORY
    assert found[700] is found[800] is Rung.HISTORY
    assert found[900] is Rung.SUITE
    assert found[7500] is Rung.CONFIGURED
    assert found[1000] is found[1500] is Rung.LADDER
    assert min(found) > 500


@pytest.mark.parametrize("rung", ALL)
def test_one_rung_alone(repository, rung):
    asked = asked_at(repository, repository.commit("HEAD"), "e2e/a.spec.ts", 4)
    assert set(rungs_of(suggest(asked, RankerName.LEARNED, [rung])).values()) == {rung}


def test_a_commit_knows_nothing_of_what_came_after_it(repository):
    asked = asked_at(repository, repository.commit("HEAD~2"), "e2e/a.spec.ts", 4)
    near = [Rung.DIRECTORY, Rung.HISTORY]
    assert set(rungs_of(suggest(asked, RankerName.LEARNED, near))) == {700}
    assert [c.ms for c in suggest(asked, RankerName.PAPER, near)] == [700]
    assert [c.ms for c in suggest(asked, RankerName.FREQUENT, near)] == [700]


def test_the_paper_stays_near(repository):
    asked = asked_at(repository, repository.commit("HEAD"), "e2e/a.spec.ts", 4)
    assert {c.ms for c in suggest(asked, RankerName.PAPER, ALL)} == {600, 700, 800}
    assert suggest(asked, RankerName.PAPER, [Rung.SUITE, Rung.LADDER]) == ()


def test_a_raise_is_told_from_other_changes(repository):
    asked = asked_at(repository, repository.commit("HEAD"), "e2e/a.spec.ts", 4)
    past = gather(asked.ground, asked.query, asked.own_lines, [Rung.HISTORY]).occurrences
    assert [(o.ms, o.raised_from) for o in past if o.origin.path == "e2e/b.spec.ts"] == [
        (600, None),
        (800, 700),
        (700, None),
    ]


def test_what_is_remembered_is_what_was_found(repository, tmp_path):
    cache = Cache(tmp_path / "cache.sqlite")
    head = repository.commit("HEAD")
    first = suggest(asked_at(repository, head, "e2e/a.spec.ts", 4, cache), RankerName.LEARNED, ALL)
    cache.close()
    again = Cache(tmp_path / "cache.sqlite")
    assert suggest(asked_at(repository, head, "e2e/a.spec.ts", 4, again), RankerName.LEARNED, ALL) == first


def test_an_imported_constant_that_changes_is_read_again(maker, tmp_path):
    spec = "import { LONG } from '../support/times';\n" + spec_of(
        "await page.waitForTimeout(LONG);", "await page.waitForTimeout(5);"
    )
    head = []
    for ms in (700, 900):
        files = {"package.json": '{"devDependencies": {"@playwright/test": "1"}}', "e2e/a.spec.ts": spec}
        head.append(maker.commit({**files, "support/times.ts": f"export const LONG = {ms};\n"}))
    cache = Cache(tmp_path / "cache.sqlite")
    with open_objects(maker.top) as repository:
        found = [
            suggest(asked_at(repository, one, "e2e/a.spec.ts", 6, cache), RankerName.PAPER, [Rung.DIRECTORY])
            for one in head
        ]
    assert [[c.ms for c in one] for one in found] == [[700], [900]]


def test_files_moved_into_the_directory_bring_their_past(maker):
    long = [f"await page.click('{at}');" for at in range(20)]
    maker.commit({"old/a.spec.ts": spec_of("await page.waitForTimeout(300);", *long)})
    maker.commit({"old/a.spec.ts": spec_of("await page.waitForTimeout(950);", *long)})
    maker.commit({"old/a.spec.ts": spec_of("await page.waitForTimeout(200);", *long)})
    maker.commit({"old/a.spec.ts": None, "e2e/a.spec.ts": spec_of("await page.waitForTimeout(200);", *long)})
    with open_objects(maker.top) as repository:
        asked = asked_at(repository, repository.commit("HEAD"), "e2e/a.spec.ts", 4)
        found = suggest(asked, RankerName.LEARNED, [Rung.HISTORY])
    assert 950 in [c.ms for c in found]


def test_every_suggestion_says_why(repository):
    asked = asked_at(repository, repository.commit("HEAD"), "e2e/a.spec.ts", 4)
    for name in RankerName:
        assert all(candidate.reasons for candidate in suggest(asked, name, ALL))


def test_scores_of_the_weights_add_up(repository):
    asked = asked_at(repository, repository.commit("HEAD"), "e2e/a.spec.ts", 4)
    found = suggest(asked, RankerName.LEARNED, ALL)
    assert sum(c.score for c in found) == pytest.approx(1)
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)
