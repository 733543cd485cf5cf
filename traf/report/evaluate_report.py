"""The tables of `traf evaluate static`: for people, and as JSON by schemas/evaluate.schema.json."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from traf.evaluation.manifest import Fix
from traf.evaluation.measures import Measures, Row, by_repository, row
from traf.evaluation.setups import Answer
from traf.evaluation.static import Outcome
from traf.report.printable import number, printable

SCHEMA_VERSION = 1
_MISSES_SHOWN = 20
_FEWEST = 10
"""Fixes from which a kind has its own row."""

_HEAD = ("applicable", "ceiling", "exact@1", "exact@3", "enough@1", "overshoot", "|log2|")

_Pairs = dict[str, list[tuple[Fix, Answer]]]


def static_json(outcomes: Sequence[Outcome], setups: Sequence[str]) -> str:
    """The tables as one JSON document, ended by a line feed."""
    pairs = _pairs(outcomes)
    data = {
        "schema_version": SCHEMA_VERSION,
        "fixes": len(outcomes),
        "judged": sum(outcome.problem is None for outcome in outcomes),
        "left_out": _left_out(outcomes),
        "rows": [_row(each) for each in _rows(pairs, setups)],
        "repositories": {
            setup: {repo: asdict(own) for repo, own in by_repository(pairs[setup]).items()}
            for setup in setups
            if setup in pairs
        },
        "misses": list(_misses(pairs, setups)),
    }
    return json.dumps(data, ensure_ascii=True, indent=2) + "\n"


def static_text(outcomes: Sequence[Outcome], setups: Sequence[str]) -> str:
    """The tables for people."""
    return "\n".join(printable(line) for line in _lines(outcomes, setups)) + "\n"


def _lines(outcomes: Sequence[Outcome], setups: Sequence[str]) -> Iterator[str]:
    pairs = _pairs(outcomes)
    judged = [outcome for outcome in outcomes if outcome.problem is None]
    repos = {outcome.fix.repo for outcome in judged}
    yield f"{len(judged)} of {len(outcomes)} fixes in {len(repos)} repositories; shares in %, plain | macro (over repositories)"
    for problem, count in _left_out(outcomes).items():
        yield f"left out: {count} x {problem}"
    if not judged:
        return
    group = None
    for each in _rows(pairs, setups):
        if each.group != group:
            group = each.group
            yield ""
            yield (
                f"{f'{group} ({each.plain.fixes})':38}"
                + "".join(f"{name:>16}" for name in _HEAD)
                + f"{'p50/p95 s':>14}"
            )
        yield f"  {each.setup:36}" + "".join(_cells(each.plain, each.macro)) + f"{each.p50_s:>8.2f}/{each.p95_s:.2f}"
    yield ""
    yield from _spread(pairs, setups)
    yield ""
    yield from _shown_misses(pairs, setups)


def _spread(pairs: _Pairs, setups: Sequence[str]) -> Iterator[str]:
    """How the setups fare in each repository, those with the most fixes first."""
    each = {setup: by_repository(pairs[setup]) for setup in setups}
    yield "exact@1 in % in each repository, by setup"
    for at, setup in enumerate(setups, 1):
        yield f"  ({at}) {setup}"
    yield f"  {'':50}{'fixes':>6}" + "".join(f"{f'({at})':>6}" for at in range(1, len(setups) + 1))
    sizes = {repo: own.fixes for repo, own in each[setups[0]].items()}
    for repo in sorted(sizes, key=lambda repo: (-sizes[repo], repo)):
        shares = "".join(f"{100 * each[setup][repo].exact_1:>6.0f}" for setup in setups)
        yield f"  {repo:50}{sizes[repo]:>6}{shares}"


def _shown_misses(pairs: _Pairs, setups: Sequence[str]) -> Iterator[str]:
    """Misses of the first ranker where it may use most, evenly from all of them."""
    ranker = setups[0].partition(",")[0]
    setup = [setup for setup in setups if setup.startswith(f"{ranker},")][-1]
    misses = list(_misses(pairs, [setup]))
    shown = misses[:: max(1, math.ceil(len(misses) / _MISSES_SHOWN))]
    yield f"misses of {setup} ({len(shown)} of {len(misses)}; all of them with --format json)"
    for miss in shown:
        before = "none" if miss["before_ms"] is None else miss["before_ms"]
        first = miss["proposed_ms"][0] if miss["proposed_ms"] else "nothing"
        place = "" if miss["rank"] is None else f", theirs at place {miss['rank']}"
        yield (
            f"  {miss['repo']} {miss['fix'][:10]} {miss['path']}:{miss['line']}  {before} -> {miss['after_ms']}, "
            f"proposed {first}{place}"
        )


def _cells(plain: Measures, macro: Measures) -> Iterator[str]:
    for name in ("applicable", "ceiling", "exact_1", "exact_3", "enough_1"):
        yield f"{100 * getattr(plain, name):.1f} | {100 * getattr(macro, name):.1f}".rjust(16)
    for name in ("overshoot", "log2"):
        yield " | ".join("-" if v is None else f"{v:.2f}" for v in (getattr(plain, name), getattr(macro, name))).rjust(
            16
        )


def _pairs(outcomes: Sequence[Outcome]) -> _Pairs:
    found: _Pairs = {}
    for outcome in outcomes:
        for answer in outcome.answers:
            found.setdefault(answer.setup, []).append((outcome.fix, answer))
    return found


def _rows(pairs: _Pairs, setups: Sequence[str]) -> Iterator[Row]:
    fixes = [fix for fix, _ in next(iter(pairs.values()), [])]
    levels = sorted({fix.level for fix in fixes})
    kinds = [kind for kind, count in Counter(fix.kind for fix in fixes).most_common() if count >= _FEWEST]
    for group, of in [
        ("all", None),
        *((f"level {level}", level) for level in levels),
        *((kind, kind) for kind in kinds),
    ]:
        for setup in setups:
            own = [pair for pair in pairs.get(setup, []) if of is None or of in {pair[0].level, pair[0].kind}]
            if own:
                yield row(setup, group, own)


def _row(each: Row) -> dict[str, Any]:
    return {
        "setup": each.setup,
        "group": each.group,
        "plain": asdict(each.plain),
        "macro": asdict(each.macro),
        "p50_s": each.p50_s,
        "p95_s": each.p95_s,
    }


def _left_out(outcomes: Sequence[Outcome]) -> dict[str, int]:
    return dict(Counter(outcome.problem for outcome in outcomes if outcome.problem is not None).most_common())


def _misses(pairs: _Pairs, setups: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The fixes whose time was not the first, with what would have been right and what was proposed."""
    for setup in setups:
        for fix, answer in pairs.get(setup, []):
            if answer.times_ms[:1] == (fix.after_ms,):
                continue
            yield {
                "setup": setup,
                "repo": fix.repo,
                "fix": fix.fix,
                "path": fix.path,
                "line": fix.line,
                "level": fix.level,
                "kind": fix.kind,
                "before_ms": None if fix.before_ms is None else number(fix.before_ms),
                "after_ms": number(fix.after_ms),
                "proposed_ms": [number(ms) for ms in answer.times_ms],
                "rank": answer.times_ms.index(fix.after_ms) + 1 if fix.after_ms in answer.times_ms else None,
                "among_all": answer.holds_it,
            }
