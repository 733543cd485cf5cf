"""The changes of given files, their renames and moves followed to where the files came from."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from traf.git.command import attempt
from traf.git.patches import ENTRY_FORMAT, FileChange, parse_patches

MOST_MOVES = 16
"""How many moves in a row are followed; each takes one more look at the log."""

_RENAMES = ("-M50%", "-l400")
"""Git's usual likeness; beyond 400 x 400 files that changed their name in one commit only unedited ones are matched."""

_PATCH = (
    *("-p", "-U0", "--inter-hunk-context=0", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """The difference between a commit and one of its parents.

    A merge has one Change for each parent. `parent` is the nearest ancestor that touched the asked paths too; None if
    there is none in this clone, and then `files` is empty. `time_s` is the committer's time.
    """

    commit: str
    parent: str | None
    time_s: int
    files: tuple[FileChange, ...] = ()


@dataclass(frozen=True, slots=True)
class _Commit:
    name: str
    time_s: int
    parents: tuple[str, ...]


def changes_of(top: Path, head: str, paths: Collection[str]) -> list[Change]:
    """The commits that touched the files, or the files that they were moved from: children before parents, newest first.

    Git limited to paths takes a moved file for a new one. So the commits that touch them are asked for moves in the whole
    tree, and the log is read again with the places found there, until there is none: one consistent history. Where a
    merge equals one of its parents only that side is followed, else all. What this clone cannot tell (shallow, missing
    objects) is left out.
    """
    known = dict.fromkeys(paths)
    commits: list[_Commit] = []
    moves: dict[str, list[tuple[str, str]]] = {}
    for _ in range(MOST_MOVES if known else 0):
        commits = _log(top, head, known)
        moves |= moves_of(top, [commit.name for commit in commits if commit.name not in moves])
        sources = [old for old, new in chain.from_iterable(moves.values()) if new in known and old not in known]
        if not sources:
            break
        known.update(dict.fromkeys(sources))
    return list(_changes(top, commits, known))


def _log(top: Path, head: str, paths: Collection[str]) -> list[_Commit]:
    printed = attempt(top, "log", "--date-order", "--parents", "--format=%H %ct %P", head, "--", *paths).stdout
    rows = (line.split() for line in printed.decode("ascii").splitlines())
    return [_Commit(name, int(time), tuple(parents)) for name, time, *parents in rows]


def moves_of(top: Path, commits: Collection[str]) -> dict[str, list[tuple[str, str]]]:
    """From where to where the commits moved files."""
    moves: dict[str, list[tuple[str, str]]] = {commit: [] for commit in commits}
    arguments = ("diff-tree", "--stdin", "-r", "-z", "--name-status", "--diff-filter=R", *_RENAMES)
    printed = attempt(top, *arguments, stdin=_stdin(commits)).stdout if commits else b""
    fields = iter(printed.split(b"\0")[:-1])
    pairs: list[tuple[str, str]] = []
    for part in fields:
        field = os.fsdecode(part)
        if field in moves:
            pairs = moves[field]
        else:  # the status of a rename, then its two names
            pairs.append((os.fsdecode(next(fields)), os.fsdecode(next(fields))))
    return moves


def _changes(top: Path, commits: Collection[_Commit], paths: Collection[str]) -> Iterator[Change]:
    pairs = [f"{commit.name} {parent}" for commit in commits for parent in commit.parents]
    arguments = ("diff-tree", "--stdin", "--always", "-r", f"--format={ENTRY_FORMAT}", *_PATCH, *_RENAMES, "--", *paths)
    printed = attempt(top, *arguments, stdin=_stdin(pairs)).stdout if pairs else b""
    patches = parse_patches(printed.splitlines(keepends=True))
    for commit in commits:
        if not commit.parents:
            yield Change(commit.name, None, commit.time_s)
        for parent in commit.parents:
            files = next(patches, None)
            if files is None:  # git stopped at an object that is not in this clone
                return
            yield Change(commit.name, parent, commit.time_s, files)


def _stdin(lines: Collection[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
