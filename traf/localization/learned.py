"""Ranks times by weighted features; the weights are learned from public fixes and shipped as a readable file."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from traf.localization.features import Features, features_of, proposals
from traf.localization.model import Candidate, Evidence, Occurrence, Origin, Rung
from traf.localization.words import reasons

WEIGHTS = "weights.json"

Weights = Mapping[str, float]


@cache
def shipped_weights() -> Mapping[int, Weights]:
    """The weights by level: 0 a written time is replaced, 1 one is added."""
    data: Any = json.loads(files("traf.localization").joinpath(WEIGHTS).read_text("utf-8"))
    return {int(level): weights for level, weights in data["levels"].items()}


def rank_by_weights(
    evidence: Evidence, rungs: Collection[Rung], weights: Mapping[int, Weights] | None = None
) -> tuple[Candidate, ...]:
    """The times above the one in force, the likeliest first; equals by time. The scores add up to 1."""
    found = features_of(evidence, values := proposals(evidence, rungs))
    level = 0 if evidence.query.current_ms else 1
    own = (shipped_weights() if weights is None else weights)[level]
    sums = {ms: math.fsum(own.get(name, 0.0) * value for name, value in each.items()) for ms, each in found.items()}
    scores = _softmax(sums)
    best = _best_occurrences(evidence, values)
    typical = _means(found)
    ranked = sorted(scores, key=lambda ms: (-round(scores[ms], 12), ms))
    return tuple(
        Candidate(
            ms=ms,
            score=scores[ms],
            source=best[ms].origin if ms in best else Origin("", 0),
            text=best[ms].text if ms in best else "",
            rung=values[ms],
            reasons=reasons(found[ms], typical, own, evidence, ms),
        )
        for ms in ranked
    )


def _softmax(sums: Mapping[float, float]) -> dict[float, float]:
    if not sums:
        return {}
    most = max(sums.values())
    powers = {ms: math.exp(value - most) for ms, value in sums.items()}
    total = math.fsum(powers.values())
    return {ms: power / total for ms, power in powers.items()}


def _means(found: Mapping[float, Features]) -> Features:
    """What the candidates have on average: a reason for one of them is what the others lack."""
    sums: Features = {}
    for features in found.values():
        for name, value in features.items():
            sums[name] = sums.get(name, 0.0) + value / len(found)
    return sums


def _best_occurrences(evidence: Evidence, values: Mapping[float, Rung]) -> dict[float, Occurrence]:
    """For each time the place to show: on its rung, of the same call or kind, near, new."""
    query = evidence.query

    def order(o: Occurrence) -> tuple[bool, bool, bool, int, float, int, str, int]:
        distance = abs(o.origin.line - query.line) if o.steps == 0 else 0
        other_call, other_kind, no_raise = o.call != query.call, o.kind is not query.kind, not o.raised_from
        return other_call, other_kind, no_raise, o.steps, o.age_days, distance, o.origin.path, o.origin.line

    best: dict[float, Occurrence] = {}
    for o in sorted(evidence.occurrences, key=order):
        if values.get(o.ms) is o.rung:
            best.setdefault(o.ms, o)
    return best
