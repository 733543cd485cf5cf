"""What commits put into the files of a folder: one git log, read while git prints it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from traf.git.command import command, environment
from traf.git.patches import path_of

MOST_COMMITS = 2_000
"""How many commits of a folder are read, the newest: what is older says little about today's waits."""

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LOG = (
    *(
        "log",
        f"--max-count={MOST_COMMITS}",
        "--date-order",
        "--format=%x00%H %ct %s",
        "--diff-filter=AM",
        "--no-renames",
    ),
    *("-p", "-U0", "--inter-hunk-context=0", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=myers", "--no-merges"),
)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the log; `subject` is the first line of its message."""

    name: str
    time_s: int
    subject: str


@dataclass(frozen=True, slots=True)
class Addition:
    """A hunk of a commit: the wanted ones of the lines that it took away and put in, and whether the file is new."""

    commit: Commit
    path: str
    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    new_file: bool


def additions_in(top: Path, head: str, paths: Collection[str], wanted: Callable[[bytes], object]) -> Iterator[Addition]:
    """The hunks of the commits that touched the paths (files or folders), newest first, with their lines that are `wanted`.

    What this clone does not have (shallow, missing objects) is left out: git stops there.
    """
    process = subprocess.Popen(
        command(*_LOG, head, "--", *paths),
        cwd=top,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        yield from _read(process.stdout, wanted)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        process.stdout.close()
        process.wait()


def _read(printed: IO[bytes], wanted: Callable[[bytes], object]) -> Iterator[Addition]:
    commit = Commit("", 0, "")
    path: str | None = None
    new_file = False
    for line in printed:
        if line.startswith(b"@@"):
            found = _HUNK.match(line)
            if found is None:
                continue
            old, new, at = _hunk(printed, found, wanted)
            if path is not None and (old or new):
                yield Addition(commit, path, at, old, new, new_file)
        elif line.startswith(b"\0"):
            name, time_s, subject = [*line[1:].rstrip(b"\n").split(b" ", 2), b""][:3]
            commit = Commit(name.decode(), int(time_s), subject.decode("utf-8", "replace"))
        elif line.startswith(b"diff --git "):
            path, new_file = None, False
        elif line.startswith(b"new file"):
            new_file = True
        elif line.startswith(b"+++ "):
            path = path_of(line[4:].rstrip(b"\n"), prefix=2)


def _hunk(
    printed: IO[bytes], header: re.Match[bytes], wanted: Callable[[bytes], object]
) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """The wanted lines of a hunk, taken by their number (content can look like a header), and where it begins."""
    old_count, start, new_count = (1 if number is None else int(number) for number in header.groups())
    left = old_count + new_count
    old: list[str] = []
    new: list[str] = []
    at = 0
    while left > 0:
        line = printed.readline()
        if not line:
            break
        if line.startswith(b"\\"):  # git's remark that the file has no newline at its end
            continue
        left -= 1
        if wanted(line):
            if line.startswith(b"+"):
                at = at or start + new_count - left - 1
            (new if line.startswith(b"+") else old).append(line[1:].rstrip(b"\r\n").decode("utf-8", "replace"))
    return tuple(old), tuple(new), at or start
