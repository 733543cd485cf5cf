"""The experiment: stand at the parent of each fix, ask every setup, write the answers down. Goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from traf import __version__
from traf.core.errors import BadInput
from traf.evaluation.manifest import Fix
from traf.evaluation.setups import Answer, Setup, answers
from traf.evaluation.standing import Mirror

_CHUNK = 12
"""Fixes of one repository that a process takes at a time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answers for a fix, or why there are none."""

    fix: Fix
    answers: tuple[Answer, ...]
    problem: str | None = None


def sample_of(fixes: Sequence[Fix], size: int | None) -> list[Fix]:
    """Some of the fixes, always the same, in the order of the manifest."""
    if size is None or size >= len(fixes):
        return list(fixes)
    chosen = set(random.Random(0).sample(range(len(fixes)), size))  # noqa: S311 - a sample, no secret
    return [fix for at, fix in enumerate(fixes) if at in chosen]


def run(
    fixes: Sequence[Fix],
    mirrors: Path,
    wanted: list[Setup],
    journal: Path | None,
    jobs: int,
    progress: Callable[[int, int], None],
) -> list[Outcome]:
    """The outcomes of all fixes, in their order. `journal` remembers them, for the same setups and version of traf."""
    stamp = _stamp(wanted)
    done = _read(journal, stamp) if journal is not None else {}
    left = [fix for fix in fixes if fix.name not in done]
    progress(len(fixes) - len(left), len(fixes))
    tasks = list(_chunks(left))
    with ProcessPoolExecutor(max_workers=max(1, jobs)) as pool:
        running = [pool.submit(_work, mirrors, chunk, wanted) for chunk in tasks]
        try:
            for future in as_completed(running):
                for outcome in future.result():
                    done[outcome.fix.name] = outcome
                    if journal is not None:
                        _write(journal, outcome, stamp)
                progress(sum(fix.name in done for fix in fixes), len(fixes))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [done[fix.name] for fix in fixes]


def _chunks(fixes: Sequence[Fix]) -> Iterator[list[Fix]]:
    by_repo: dict[str, list[Fix]] = {}
    for fix in fixes:
        by_repo.setdefault(fix.repo, []).append(fix)
    for own in by_repo.values():
        own.sort(key=lambda fix: fix.parent)
        for at in range(0, len(own), _CHUNK):
            yield own[at : at + _CHUNK]


def _work(mirrors: Path, fixes: list[Fix], wanted: list[Setup]) -> list[Outcome]:
    try:
        mirror = Mirror(mirrors, fixes[0].repo)
    except BadInput as error:
        return [Outcome(fix, (), str(error)) for fix in fixes]
    try:
        return [_ask(mirror, fix, wanted) for fix in fixes]
    finally:
        mirror.close()


def _ask(mirror: Mirror, fix: Fix, wanted: list[Setup]) -> Outcome:
    start = time.perf_counter()
    try:
        with mirror.standing(fix) as asked:
            return Outcome(fix, tuple(answers(asked, fix, wanted, time.perf_counter() - start)))
    except BadInput as error:
        return Outcome(fix, (), str(error))


def _stamp(wanted: list[Setup]) -> str:
    """What answers depend on besides the fix: the setups and the code, weights included."""
    folder = Path(__file__).parent.parent
    code = sorted([*folder.rglob("*.py"), *folder.rglob("*.json"), *folder.rglob("*.toml")])
    digest = hashlib.sha256("\n".join([__version__, *(setup.name for setup in wanted)]).encode())
    for path in code:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _write(journal: Path, outcome: Outcome, stamp: str) -> None:
    row = {"stamp": stamp, "name": outcome.fix.name, **asdict(outcome)}
    with journal.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def _read(journal: Path, stamp: str) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    lines = journal.read_text("utf-8").splitlines() if journal.exists() else []
    for line in lines:
        try:
            row: dict[str, Any] = json.loads(line)
        except ValueError:  # the line that was being written when the last run was stopped
            continue
        if row.get("stamp") == stamp:
            given = tuple(Answer(**{**each, "times_ms": tuple(each["times_ms"])}) for each in row["answers"])
            found[row["name"]] = Outcome(Fix(**row["fix"]), given, row["problem"])
    return found
