"""The wait times that the files of a folder once held, and by what commits: read from one git log, without parsing."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import astuple, replace

from traf import __version__
from traf.git import Repository
from traf.git.additions import Addition
from traf.localization.cache import Cache
from traf.localization.files import is_source
from traf.localization.lines import MAY_WAIT, LineWait, waits_of_line
from traf.localization.model import Occurrence, Origin, Rung
from traf.syntax import WaitKind

_DAY_S = 86_400
_MOST_MOVING = 20
"""How many commits that put files into the folder are asked whether they moved them there."""

_SPEAKS_OF_FLAKINESS = re.compile(
    r"flak|time.?out|wait|stab|intermittent|racy|race cond|sleep|slow|retr(?:y|ies)|unreliab|sporadic", re.IGNORECASE
)


def cached_past(
    cache: Cache, repository: Repository, head: str, file: str, names: frozenset[str]
) -> tuple[Occurrence, ...]:
    """What `past_of` gives, remembered by commit and folder."""
    folder = posixpath.dirname(file)
    key = json.dumps(["past", __version__, head, folder or sorted(names)])
    known = cache.get(key)
    if known is None:
        found = tuple(past_of(repository, head, file, names))
        cache.put(key, json.dumps([astuple(each) for each in found]))
    else:
        found = tuple(
            Occurrence(ms, Rung(rung), Origin(*origin), text, WaitKind(kind), *rest)
            for ms, rung, origin, text, kind, *rest in json.loads(known)
        )
    return tuple(replace(each, steps=0 if each.origin.path == file else 1) for each in found)


def past_of(repository: Repository, head: str, file: str, names: frozenset[str]) -> Iterator[Occurrence]:
    """The times that commits put into the files of a file's folder (not of folders below), newest first.

    A file that was moved into the folder is followed to where it came from, once. `names` are the files of the folder today,
    by which the past of the top folder is narrowed.
    """
    folder = posixpath.dirname(file)
    now_s = repository.time_s(head)
    paths = [folder] if folder else sorted(names)
    if not paths:
        return
    added: dict[str, set[str]] = {}
    for addition in repository.additions(paths, head, MAY_WAIT.search):
        if not _counts(addition, folder):
            continue
        if addition.new_file:
            added.setdefault(addition.commit.name, set()).add(addition.path)
        yield from _occurrences(addition, file, now_s)
    came_from = _sources(repository, added)
    if came_from:
        for addition in repository.additions(sorted(came_from), head, MAY_WAIT.search):
            if not addition.new_file:
                yield from _occurrences(addition, file, now_s)


def _counts(addition: Addition, folder: str) -> bool:
    return posixpath.dirname(addition.path) == folder and is_source(addition.path)


def _sources(repository: Repository, added: dict[str, set[str]]) -> set[str]:
    """Where the files that were new in the folder were moved from."""
    commits = list(added)[:_MOST_MOVING]
    moves = repository.moves(commits) if commits else {}
    return {old for commit, pairs in moves.items() for old, new in pairs if new in added.get(commit, ())}


def _occurrences(addition: Addition, file: str, now_s: int) -> Iterator[Occurrence]:
    age_days = max(0.0, (now_s - addition.commit.time_s) / _DAY_S)
    fix = bool(_SPEAKS_OF_FLAKINESS.search(addition.commit.subject))
    before = [wait for line in addition.old for wait in waits_of_line(line)]
    kept = list(before)
    for text in addition.new:
        for wait in waits_of_line(text):
            same = next((old for old in kept if old == wait), None)
            if same is not None:  # the line moved or was reworded
                kept.remove(same)
                continue
            yield Occurrence(
                ms=wait.ms,
                rung=Rung.HISTORY,
                origin=Origin(addition.path, addition.line, addition.commit.name),
                text=text,
                kind=wait.kind,
                call=wait.name,
                steps=0 if addition.path == file else 1,
                age_days=age_days,
                raised_from=_replaced(wait, before, new_file=addition.new_file),
                fix=fix,
            )


def _replaced(wait: LineWait, before: list[LineWait], *, new_file: bool) -> float | None:
    """The shorter time that a wait replaced; 0 where it was put in, None where it is new with its file or was lowered."""
    if new_file:
        return None
    alike = [old.ms for old in before if old.name == wait.name and old.kind is wait.kind]
    if not alike:
        return 0.0
    lower = [ms for ms in alike if ms < wait.ms]
    return max(lower) if lower else None
