"""The measures of an answer, plain and over repositories."""

from __future__ import annotations

import pytest

from traf.evaluation.manifest import Fix
from traf.evaluation.measures import macro, measure, row
from traf.evaluation.setups import Answer


def pair(times, theirs=1000.0, repo="a/a", seconds=1.0):
    fix = Fix(repo, "f", "p", "x.spec.ts", 1, 0, "sleep", "jest", 500.0, theirs)
    return fix, Answer("s", tuple(times), theirs in times, seconds)


def test_measures():
    found = measure([pair([1000]), pair([2000, 1500, 1000]), pair([600, 1, 2, 1000]), pair([])])
    assert (found.applicable, found.ceiling, found.exact_1, found.exact_3, found.enough_1) == (
        0.75,
        0.75,
        0.25,
        0.5,
        0.5,
    )
    assert found.overshoot == 1.5
    assert found.log2 == pytest.approx((0 + 1 + 0.737) / 3, abs=0.001)


def test_nothing_found_says_nothing_of_how_far():
    found = measure([pair([])])
    assert (found.overshoot, found.log2) == (None, None)


def test_a_repository_counts_once():
    pairs = [pair([1000]), pair([1000]), pair([1000]), pair([600], repo="b/b")]
    assert measure(pairs).exact_1 == 0.75
    assert macro(pairs).exact_1 == 0.5


def test_seconds():
    found = row("s", "all", [pair([1], seconds=s) for s in range(1, 101)])
    assert (found.p50_s, found.p95_s) == (50, 95)
