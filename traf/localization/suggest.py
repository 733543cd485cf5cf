"""The way in: the ranked times for a wait, by the ranker and from the places that are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from traf.localization.evidence import gather
from traf.localization.features import proposals
from traf.localization.ground import Ground
from traf.localization.learned import rank_by_weights
from traf.localization.model import Candidate, Evidence, Occurrence, Query, Rung
from traf.localization.paper import rank_by_paper

_COUNTED = frozenset({Rung.DIRECTORY, Rung.HISTORY})


class RankerName(StrEnum):
    """How times are ranked: by learned weights, as the TRaf paper does, or by how often they stand in the directory."""

    LEARNED = "learned"
    PAPER = "paper"
    FREQUENT = "frequent"


@dataclass(frozen=True, slots=True)
class Asked:
    """A wait on its ground; `own_lines` are the lines of the wait itself, the line of its call first."""

    ground: Ground
    query: Query
    own_lines: tuple[int, ...]


def suggest(asked: Asked, ranker: RankerName, rungs: Collection[Rung]) -> tuple[Candidate, ...]:
    """The times to try, the likeliest first. The paper's ranker stays in the directory and its history."""
    if ranker is RankerName.PAPER:
        if Rung.DIRECTORY not in rungs:
            return ()
        time_line = asked.own_lines[1] if len(asked.own_lines) > 1 else None
        return rank_by_paper(
            asked.ground,
            asked.own_lines[0],
            time_line,
            history=Rung.HISTORY in rungs,
            above_ms=asked.query.above_ms,
        )
    if ranker is RankerName.FREQUENT:
        return rank_by_frequency(gather(asked.ground, asked.query, asked.own_lines, _COUNTED & set(rungs)), rungs)
    return rank_by_weights(gather(asked.ground, asked.query, asked.own_lines, rungs), rungs)


def rank_by_frequency(evidence: Evidence, rungs: Collection[Rung]) -> tuple[Candidate, ...]:
    """The most frequent times of the directory first, those of its history after them; the shorter one of equals."""
    values = proposals(evidence, set(rungs) & _COUNTED)
    first: dict[tuple[float, Rung], Occurrence] = {}
    for occurrence in evidence.occurrences:
        first.setdefault((occurrence.ms, occurrence.rung), occurrence)
    counts = Counter((o.ms, o.rung) for o in evidence.occurrences)
    found = []
    for ms in sorted(values, key=lambda ms: (values[ms] is not Rung.DIRECTORY, -counts[ms, values[ms]], ms)):
        occurrence, count = first[ms, values[ms]], counts[ms, values[ms]]
        said = f"it stands {count} times there"
        found.append(Candidate(ms, float(count), occurrence.origin, occurrence.text, values[ms], (said,)))
    return tuple(found)
