"""Which rankers are compared, on which rungs, and how each answers for one fix."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from traf.evaluation.manifest import Fix
from traf.localization.evidence import gather
from traf.localization.learned import Weights, rank_by_weights
from traf.localization.model import Candidate, Evidence, Rung
from traf.localization.suggest import Asked, RankerName, rank_by_frequency, suggest

_FOLDS = "folds.json"
KEPT = 10
"""How many of the ranked times are kept of each answer."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A ranker and the rungs that it may stand on."""

    ranker: RankerName
    rungs: tuple[Rung, ...]

    @property
    def name(self) -> str:
        """How tables call it."""
        if self.rungs == tuple(Rung):
            return f"{self.ranker}, all rungs"
        if Rung.LADDER in self.rungs:
            return f"{self.ranker}, all but history"
        return f"{self.ranker}, {' + '.join(self.rungs)}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a setup proposes for a fix: the first times, whether the developers' is among all of them, and the seconds."""

    setup: str
    times_ms: tuple[float, ...]
    holds_it: bool
    seconds: float


def setups(rankers: tuple[RankerName, ...], *, history: bool) -> list[Setup]:
    """The setups of the rankers, without and (with `history`) with the past."""
    near = (Rung.DIRECTORY,)
    past = (Rung.DIRECTORY, Rung.HISTORY)
    found = []
    for ranker in rankers:
        choices = [near, past]
        if ranker is RankerName.LEARNED:
            choices += [tuple(rung for rung in Rung if rung is not Rung.HISTORY), tuple(Rung)]
        found += [Setup(ranker, rungs) for rungs in choices if history or Rung.HISTORY not in rungs]
    return found


def answers(asked: Asked, fix: Fix, wanted: list[Setup], base_s: float) -> list[Answer]:
    """What each setup answers; `base_s` are the seconds that it took to stand there, which all of them need."""
    start = time.perf_counter()
    _ = asked.ground.documents
    base_s += time.perf_counter() - start
    gathered: dict[Rung, tuple[Evidence, float]] = {}
    found = []
    for setup in wanted:
        start = time.perf_counter()
        if setup.ranker is RankerName.PAPER:
            ranked = suggest(asked, setup.ranker, setup.rungs)
            seconds = time.perf_counter() - start
        else:
            for rung in setup.rungs:
                if rung not in gathered:
                    begin = time.perf_counter()
                    evidence = gather(asked.ground, asked.query, asked.own_lines, [rung])
                    gathered[rung] = evidence, time.perf_counter() - begin
            evidence = _joined([gathered[rung][0] for rung in setup.rungs])
            start = time.perf_counter()
            ranked = _rank(setup, evidence, fix.repo)
            seconds = time.perf_counter() - start + sum(gathered[rung][1] for rung in setup.rungs)
        times = tuple(each.ms for each in ranked)
        found.append(Answer(setup.name, times[:KEPT], fix.after_ms in times, round(base_s + seconds, 4)))
    return found


def _rank(setup: Setup, evidence: Evidence, repo: str) -> tuple[Candidate, ...]:
    if setup.ranker is RankerName.FREQUENT:
        return rank_by_frequency(evidence, setup.rungs)
    return rank_by_weights(evidence, setup.rungs, held_out(repo))


def _joined(parts: list[Evidence]) -> Evidence:
    occurrences = tuple(occurrence for part in parts for occurrence in part.occurrences)
    configured = {key: ms for part in parts for key, ms in part.configured.items()}
    return replace(parts[0], occurrences=occurrences, configured=configured)


def held_out(repo: str) -> Mapping[int, Weights] | None:
    """The weights that were learned without a repository where it was among those that the shipped ones were learned from.

    None for any other repository: the shipped weights have not seen it.
    """
    return next((fold for repos, fold in _folds() if repo in repos), None)


@cache
def _folds() -> list[tuple[frozenset[str], Mapping[int, Weights]]]:
    data: Any = json.loads(files("traf.evaluation").joinpath(_FOLDS).read_text("utf-8"))
    return [
        (frozenset(fold["without"]), {int(level): weights for level, weights in fold["levels"].items()})
        for fold in data["folds"]
    ]
