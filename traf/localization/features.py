"""What speaks for a time, as numbers with names. Everything here was known before the fix."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from traf.localization.ladder import ladder
from traf.localization.model import Evidence, Occurrence, Query, Rung
from traf.localization.paper import longest_ms
from traf.syntax import WaitKind

Features = dict[str, float]

_SUBTOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBER = re.compile(r"\d[\d_.]*")
_STRING = re.compile(r"""(['"`])(?:\\.|(?!\1).)*\1""")
_NEAR_LINES = 25
_FRESH_DAYS = 90.0
_EDGES = (1.0, 1.3, 1.6, 1.9, 2.1, 2.8, 3.2, 4.5, 5.5, 9.5, 10.5, 25.0)
_ROUND = {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}


def proposals(evidence: Evidence, rungs: Iterable[Rung]) -> dict[float, Rung]:
    """The times above the one in force, each with the best rung that it stands on."""
    query = evidence.query
    wanted = set(rungs)
    most = longest_ms(query.above_ms)
    found: dict[float, Rung] = {}
    places = {rung: [o.ms for o in evidence.occurrences if o.rung is rung] for rung in Rung}
    places[Rung.CONFIGURED] = list(evidence.configured.values())
    places[Rung.LADDER] = list(ladder(query))
    for rung in Rung:
        if rung in wanted:
            for ms in sorted(places[rung]):
                if query.above_ms < ms <= most:
                    found.setdefault(ms, rung)
    return found


def features_of(evidence: Evidence, values: Mapping[float, Rung]) -> dict[float, Features]:
    """The features of each proposed time."""
    query = evidence.query
    scopes: dict[str, list[Occurrence]] = {
        "file": [o for o in evidence.occurrences if o.rung is Rung.DIRECTORY and o.steps == 0],
        "dir": [o for o in evidence.occurrences if o.rung is Rung.DIRECTORY],
        "hist": [o for o in evidence.occurrences if o.rung is Rung.HISTORY],
        "suite": [o for o in evidence.occurrences if o.rung is Rung.SUITE],
    }
    found: dict[float, Features] = {ms: {f"rung:{rung}": 1.0} for ms, rung in values.items()}
    for name, occurrences in scopes.items():
        _frequency(name, occurrences, query, found)
        _likeness(name, occurrences, query, found)
    _nearness(scopes["file"], query, found)
    _raises(scopes["hist"], query, found)
    _kinds([*scopes["dir"], *scopes["hist"], *scopes["suite"]], query, found)
    _order(scopes, query, found)
    for ms, features in found.items():
        features.update(_own(ms, query))
        if ms in evidence.configured.values():
            features["configured"] = 1.0
    return found


def _frequency(name: str, occurrences: Sequence[Occurrence], query: Query, found: dict[float, Features]) -> None:
    """How often the time stands in a scope, for the same call, for the same kind of wait, for any wait."""
    groups = {
        "call": [o.ms for o in occurrences if query.call and o.call == query.call],
        "kind": [o.ms for o in occurrences if o.kind is query.kind],
        "any": [o.ms for o in occurrences],
    }
    for group, times in groups.items():
        counts = Counter(ms for ms in times if ms in found)
        total = sum(counts.values())
        most = max(counts.values(), default=0)
        for ms, count in counts.items():
            found[ms][f"{name}.{group}"] = math.log1p(count)
            found[ms][f"{name}.{group}.share"] = count / total
            if count == most:
                found[ms][f"{name}.{group}.usual"] = 1.0


def _likeness(name: str, occurrences: Sequence[Occurrence], query: Query, found: dict[float, Features]) -> None:
    """The best likeness, by parts of names, of a line that holds the time, and of the lines beside it, to the asked one."""
    three, one = _words(query.text), _words(_middle(query.text))
    skeleton = _skeleton(_middle(query.text))
    for o in occurrences:
        if o.ms not in found:
            continue
        words = _words(o.text)
        likes = {
            "like": _cosine(three, words),
            "like line": _cosine(one, words),
            "beside": _cosine(one, _words(o.beside)),
        }
        if query.current_ms is not None:
            likes["same line"] = float(_skeleton(o.text) == skeleton)
        for what, like in likes.items():
            key = f"{name}.{what}"
            found[o.ms][key] = max(found[o.ms].get(key, 0.0), like)


def _nearness(occurrences: Sequence[Occurrence], query: Query, found: dict[float, Features]) -> None:
    for o in occurrences:
        if o.ms in found:
            near = math.exp(-abs(o.origin.line - query.line) / _NEAR_LINES)
            for key in ("near", *(["near.kind"] if o.kind is query.kind else [])):
                found[o.ms][key] = max(found[o.ms].get(key, 0.0), near)


def _raises(past: Sequence[Occurrence], query: Query, found: dict[float, Features]) -> None:
    """Whether commits raised waits to this time, from the same one, by the same factor, lately."""
    events = [o for o in past if o.raised_from is not None]
    factors = Counter(round(o.ms / o.raised_from, 2) for o in events if o.raised_from)
    newest = min((o.age_days for o in events), default=0.0)
    for ms, features in found.items():
        mine = [o for o in events if o.ms == ms]
        raised = [o for o in mine if o.raised_from]
        features["raised"] = math.log1p(len(raised))
        features["put in"] = math.log1p(len(mine) - len(raised))
        features["as a fix"] = math.log1p(sum(o.fix for o in mine))
        features["fresh"] = max((math.exp(-o.age_days / _FRESH_DAYS) for o in mine), default=0.0)
        if mine:
            features["newest"] = float(min(o.age_days for o in mine) == newest)
            features["same kind raised"] = math.log1p(sum(o.kind is query.kind for o in mine))
        if query.current_ms:
            same = sum(o.raised_from == query.current_ms for o in raised)
            features["raised from the same"] = math.log1p(same)
            features["same factor"] = math.log1p(factors.get(round(ms / query.current_ms, 2), 0))


def _kinds(occurrences: Sequence[Occurrence], query: Query, found: dict[float, Features]) -> None:
    """What kinds of waits the time is used for."""
    counts: dict[float, Counter[WaitKind]] = {}
    for o in occurrences:
        if o.ms in found:
            counts.setdefault(o.ms, Counter())[o.kind] += 1
    for ms, kinds in counts.items():
        total = kinds.total()
        for kind, count in kinds.items():
            found[ms][f"used:{query.kind}:{kind}"] = count / total


def _order(scopes: Mapping[str, Sequence[Occurrence]], query: Query, found: dict[float, Features]) -> None:
    """The next larger, and the largest, of the times that are used."""
    for name, occurrences in (("dir", scopes["dir"]), ("suite", scopes["suite"])):
        for group, same in (("kind", True), ("any", False)):
            times = sorted({o.ms for o in occurrences if o.ms in found and (not same or o.kind is query.kind)})
            for at, ms in enumerate(times):
                found[ms][f"{name}.{group}.rank"] = at / max(1, len(times) - 1) if len(times) > 1 else 0.5
            if times:
                found[times[0]][f"{name}.{group}.next"] = 1.0
                found[times[-1]][f"{name}.{group}.largest"] = 1.0


def _own(ms: float, query: Query) -> Features:
    """The time itself: how often the one in force, how round, how long."""
    power = 10.0 ** math.floor(math.log10(ms))
    digits = round(ms / power, 6)
    own = {f"digits:{digits:g}" if digits in _ROUND else "digits:odd": 1.0}
    base = query.current_ms or query.base_ms
    half = math.floor(2 * math.log10(ms)) / 2
    own[f"size:{query.kind}:{half:g}"] = 1.0
    if base:
        ratio = ms / base
        at = sum(edge <= ratio for edge in _EDGES)
        own[f"ratio:{at}"] = 1.0
        own[f"ratio:{query.kind}:{at}"] = 1.0
        if query.current_ms:
            for factor in (1.5, 2.0, 3.0, 4.0, 5.0, 10.0):
                if abs(ratio - factor) < 1e-9:
                    own[f"times:{factor:g}"] = 1.0
            if ms - query.current_ms in {power, 5.0 * power, 0.5 * power}:
                own["plus a round number"] = 1.0
    return own


def _middle(text: str) -> str:
    """The second of three lines."""
    return [*text.split("\n"), ""][1]


def _cosine(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0


@lru_cache(1 << 14)
def _skeleton(text: str) -> str:
    """A line without its numbers, what strings say, and white space."""
    return "".join(_NUMBER.sub("0", _STRING.sub("''", text)).split())


@lru_cache(1 << 14)
def _words(text: str) -> frozenset[str]:
    """The parts of the names in a line, lower case."""
    return frozenset(word.lower() for word in _SUBTOKEN.findall(text) if len(word) > 1)
