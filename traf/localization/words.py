"""Says in words what speaks for a time: the features that lift it above the other candidates, the weightiest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import expm1

from traf.localization.features import Features
from traf.localization.model import Evidence, Rung
from traf.syntax import WaitKind

_MOST = 3
_LEAST_GAIN = 0.05

_SCOPES = {
    "file": "this file",
    "dir": "the directory",
    "hist": "the directory's history",
    "suite": "the rest of the suite",
}
_GROUPS = {"call": "the same call", "kind": "waits of its kind", "any": "waits"}
_KINDS: Mapping[str, str] = {
    WaitKind.FIXED_SLEEP: "sleeps",
    WaitKind.POLL_TIMEOUT: "bounds of polling waits",
    WaitKind.TEST_TIMEOUT: "limits of tests",
}
_LIKE = {
    "like": "it stands on a line like the ones here",
    "like line": "it stands on a line like this one",
    "same line": "this very line has it",
    "beside": "it stands beside a line like this one",
}
_RUNGS = {
    Rung.DIRECTORY: "it stands in the directory",
    Rung.HISTORY: "it stood in the directory once",
    Rung.SUITE: "it stands elsewhere in the suite",
    Rung.CONFIGURED: "the project's configuration sets it",
    Rung.LADDER: "it is a usual step up",
}
_PLAIN = {
    "near": "it stands near this line",
    "near.kind": "a wait of its kind near this line has it",
    "newest": "the last commit that changed a wait here chose it",
    "fresh": "a commit chose it lately",
    "configured": "the project's configuration sets it",
    "plus a round number": "it is a round number above the time in force",
}
_COUNTED = {
    "raised": "changes raised a wait to it",
    "put in": "changes put it in",
    "as a fix": "changes that speak of flakiness chose it",
    "same kind raised": "changes chose it for waits of its kind",
    "raised from the same": "changes raised the same time to it",
    "same factor": "changes raised a wait by the same factor",
}


def reasons(
    features: Features, typical: Features, weights: Mapping[str, float], evidence: Evidence, ms: float
) -> tuple[str, ...]:
    """The reasons for a time; `typical` is what the candidates have on average."""
    gains = {name: weights.get(name, 0.0) * (value - typical.get(name, 0.0)) for name, value in features.items()}
    found: dict[str, None] = {}
    for name in sorted(gains, key=lambda name: (-gains[name], name)):
        if gains[name] < _LEAST_GAIN or len(found) == _MOST:
            break
        phrase = _phrase(name, features[name], evidence, ms)
        if phrase is not None:
            found[phrase] = None
    return tuple(found) or (_RUNGS[_rung(features)],)


def _rung(features: Features) -> Rung:
    return next(rung for rung in Rung if f"rung:{rung}" in features)


def _phrase(name: str, value: float, evidence: Evidence, ms: float) -> str | None:
    if value <= 0:
        return None
    head, _, rest = name.partition(":")
    if name in _COUNTED:
        return f"{round(expm1(value))} {_COUNTED[name]}"
    if head in {"times", "ratio"}:
        base = evidence.query.current_ms or evidence.query.base_ms or ms
        return f"it is {ms / base:.3g} times the time in force"
    said = {
        "rung": _RUNGS[Rung(rest)] if head == "rung" else None,
        "digits": "such times are common for such waits",
        "size": "such times are common for such waits",
        "used": f"it is used for {_KINDS.get(rest.partition(':')[2], 'waits')}",
    }
    return _PLAIN.get(name) or said.get(head) or _frequency(name, evidence, ms)


def _frequency(name: str, evidence: Evidence, ms: float) -> str | None:
    scope, _, rest = name.partition(".")
    group, _, what = rest.partition(".")
    if group in _LIKE:
        return f"{_LIKE[group]} in {_SCOPES[scope]}"
    where, whom = _SCOPES[scope], _GROUPS[group]
    if what in {"usual", "share"}:
        return f"it is the usual time of {whom} in {where}" if what == "usual" else f"many of {whom} in {where} have it"
    if what in {"next", "largest"}:
        return f"it is the {'next larger' if what == 'next' else 'largest'} time of {whom} in {where}"
    if what == "rank":
        return None
    count = Counter(_scope_of(o.rung, o.steps, scope) for o in evidence.occurrences if o.ms == ms)[True]
    return f"it stands {count} times in {where}" if count > 1 else f"it stands in {where}"


def _scope_of(rung: Rung, steps: int, scope: str) -> bool:
    rungs = {"file": Rung.DIRECTORY, "dir": Rung.DIRECTORY, "hist": Rung.HISTORY, "suite": Rung.SUITE}
    return rung is rungs[scope] and (scope != "file" or steps == 0)
