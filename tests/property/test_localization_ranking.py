"""Laws that hold for every ranking of times by evidence."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from traf.localization.features import features_of, proposals
from traf.localization.learned import rank_by_weights
from traf.localization.model import Evidence, Occurrence, Origin, Query, Rung
from traf.localization.suggest import rank_by_frequency
from traf.syntax import WaitKind

ALL = tuple(Rung)
KINDS = st.sampled_from([WaitKind.FIXED_SLEEP, WaitKind.POLL_TIMEOUT, WaitKind.TEST_TIMEOUT])
TIMES = st.sampled_from([1.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 1500.0, 5000.0, 60000.0, 700000.0])
CALLS = st.sampled_from(["wait", "get", "waitFor", ""])


@st.composite
def occurrences(draw):
    rung = draw(st.sampled_from([Rung.DIRECTORY, Rung.HISTORY, Rung.SUITE]))
    past = rung is Rung.HISTORY
    return Occurrence(
        ms=draw(TIMES),
        rung=rung,
        origin=Origin(
            draw(st.sampled_from(["a.spec.ts", "b.spec.ts"])), draw(st.integers(1, 90)), "c" * 40 if past else None
        ),
        text=draw(st.sampled_from(["cy.wait(1)", "await page.getByRole('x')", "", "saveButton.click()"])),
        kind=draw(KINDS),
        call=draw(CALLS),
        steps=draw(st.integers(0, 3)),
        age_days=draw(st.integers(0, 900)) if past else 0.0,
        raised_from=draw(st.none() | TIMES) if past else None,
        fix=draw(st.booleans()) if past else False,
    )


@st.composite
def evidences(draw):
    current = draw(st.none() | TIMES)
    query = Query(
        "a.spec.ts", 10, "a\nsaveButton.click()\nb", draw(KINDS | st.just(WaitKind.NONE)), draw(CALLS), current,
        draw(st.none() | TIMES) if current is None else None, current or 0.0,
    )  # fmt: skip
    found = draw(st.lists(occurrences(), max_size=12))
    return Evidence(query, tuple(found), draw(st.dictionaries(st.sampled_from(["x", "y"]), TIMES, max_size=2)))


RANKERS = (rank_by_weights, rank_by_frequency)


@given(evidences())
@settings(max_examples=150, deadline=None)
def test_no_time_at_or_below_the_one_in_force_and_none_twice(evidence):
    for ranker in RANKERS:
        times = [candidate.ms for candidate in ranker(evidence, ALL)]
        assert all(ms > evidence.query.above_ms for ms in times)
        assert len(times) == len(set(times))


@given(evidences(), st.randoms())
@settings(max_examples=150, deadline=None)
def test_the_order_of_the_evidence_does_not_matter(evidence, chance):
    shuffled = list(evidence.occurrences)
    chance.shuffle(shuffled)
    other = Evidence(evidence.query, tuple(shuffled), evidence.configured)
    for ranker in RANKERS:
        one, two = ranker(evidence, ALL), ranker(other, ALL)
        assert [(c.ms, c.rung) for c in one] == [(c.ms, c.rung) for c in two]


@given(evidences(), st.sets(st.sampled_from(ALL), min_size=1))
@settings(max_examples=100, deadline=None)
def test_fewer_rungs_propose_fewer_times(evidence, rungs):
    assert proposals(evidence, rungs).keys() <= proposals(evidence, ALL).keys()
    assert set(proposals(evidence, rungs).values()) <= rungs


@given(evidences())
@settings(max_examples=100, deadline=None)
def test_never_empty_handed(evidence):
    assert rank_by_weights(evidence, ALL)


@given(evidences(), occurrences())
@settings(max_examples=150, deadline=None)
def test_one_more_occurrence_never_lowers_the_counts_of_its_time(evidence, more):
    before = features_of(evidence, proposals(evidence, ALL))
    after_evidence = Evidence(evidence.query, (*evidence.occurrences, more), evidence.configured)
    after = features_of(after_evidence, proposals(after_evidence, ALL))
    counted = {f"{scope}.{group}" for scope in ("file", "dir", "hist", "suite") for group in ("call", "kind", "any")}
    for name in counted:
        if more.ms in before:
            assert after[more.ms].get(name, 0) >= before[more.ms].get(name, 0)
