"""Compares proposed times with those that developers chose."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from traf.evaluation.manifest import Fix
from traf.evaluation.setups import Answer


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures over some fixes; shares are of 1, None where nothing can be said.

    applicable: some time was found; ceiling: theirs is among them; exact_1, exact_3: it is the first, among the first three;
    enough_1: the first is at least theirs; overshoot: the median of first / theirs where that is enough; log2: the mean of
    |log2(first / theirs)|.
    """

    fixes: int
    applicable: float
    ceiling: float
    exact_1: float
    exact_3: float
    enough_1: float
    overshoot: float | None
    log2: float | None


SHARES = ("applicable", "ceiling", "exact_1", "exact_3", "enough_1")


@dataclass(frozen=True, slots=True)
class Row:
    """A setup's measures over all fixes (plain) and averaged over repositories (macro), with the seconds it took."""

    setup: str
    group: str
    plain: Measures
    macro: Measures
    p50_s: float
    p95_s: float


def measure(pairs: Sequence[tuple[Fix, Answer]]) -> Measures:
    """The measures of answers to fixes; there is one at least."""
    firsts = [(fix.after_ms, answer.times_ms[0]) for fix, answer in pairs if answer.times_ms]
    enough = [first / theirs for theirs, first in firsts if first >= theirs]
    count = len(pairs)
    return Measures(
        fixes=count,
        applicable=len(firsts) / count,
        ceiling=sum(answer.holds_it for _, answer in pairs) / count,
        exact_1=sum(theirs == first for theirs, first in firsts) / count,
        exact_3=sum(fix.after_ms in answer.times_ms[:3] for fix, answer in pairs) / count,
        enough_1=len(enough) / count,
        overshoot=statistics.median(enough) if enough else None,
        log2=statistics.fmean(abs(math.log2(first / theirs)) for theirs, first in firsts) if firsts else None,
    )


def macro(pairs: Sequence[tuple[Fix, Answer]]) -> Measures:
    """The measures of each repository, averaged: the mean of shares, the median of overshoots."""
    each = list(by_repository(pairs).values())

    def mean(of: Callable[[Measures], float | None]) -> float | None:
        known = [value for value in map(of, each) if value is not None]
        return statistics.fmean(known) if known else None

    overshoots = [one.overshoot for one in each if one.overshoot is not None]
    return Measures(
        fixes=len(pairs),
        **{name: mean(lambda one, name=name: getattr(one, name)) or 0.0 for name in SHARES},  # type: ignore[misc]
        overshoot=statistics.median(overshoots) if overshoots else None,
        log2=mean(lambda one: one.log2),
    )


def by_repository(pairs: Sequence[tuple[Fix, Answer]]) -> dict[str, Measures]:
    """The measures of each repository."""
    groups: dict[str, list[tuple[Fix, Answer]]] = {}
    for fix, answer in pairs:
        groups.setdefault(fix.repo, []).append((fix, answer))
    return {repo: measure(own) for repo, own in sorted(groups.items())}


def row(setup: str, group: str, pairs: Sequence[tuple[Fix, Answer]]) -> Row:
    """The row of a table."""
    seconds = sorted(answer.seconds for _, answer in pairs)
    return Row(setup, group, measure(pairs), macro(pairs), _quantile(seconds, 0.5), _quantile(seconds, 0.95))


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1 if ordered else 0)]
