"""Reads the output of `git diff-tree -p -U0` as data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

ENTRY_FORMAT = "%x00"
"""The line before each commit's patch; no line of a patch looks like it."""

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_QUOTED = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `old` from line `old_start` became lines `new` from `new_start` (1-based, without line ends).

    As in git, the start of an empty side is the line *after* which the hunk lies.
    """

    old_start: int
    old: tuple[bytes, ...]
    new_start: int
    new: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """What one commit did to one file; `old_path` None: it was added, `new_path` None: deleted."""

    old_path: str | None
    new_path: str | None
    hunks: tuple[Hunk, ...] = ()


@dataclass(slots=True)
class _Section:
    """A file's section of a patch while it is being read."""

    old_path: str | None = None
    new_path: str | None = None
    hunks: list[Hunk] = field(default_factory=list)

    def header(self, line: bytes) -> None:
        """Take over one line of the section's header."""
        line = line.rstrip(b"\n")
        if line.startswith(b"--- "):
            self.old_path = path_of(line[4:], prefix=2)
        elif line.startswith(b"+++ "):
            self.new_path = path_of(line[4:], prefix=2)
        elif line.startswith(b"rename from "):
            self.old_path = path_of(line[12:])
        elif line.startswith(b"rename to "):
            self.new_path = path_of(line[10:])

    def change(self) -> FileChange:
        return FileChange(self.old_path, self.new_path, tuple(self.hunks))


def parse_patches(lines: Iterable[bytes]) -> Iterator[tuple[FileChange, ...]]:
    """The patch after each ENTRY_FORMAT line. Files without a name in it (empty, or only their mode changed) are left out."""
    source = iter(lines)
    sections: list[_Section] | None = None
    for line in source:
        if line.startswith(b"\0"):
            if sections is not None:
                yield _changes(sections)
            sections = []
        elif sections is None:
            continue
        elif line.startswith(b"diff --git "):
            sections.append(_Section())
        elif found := _HUNK.match(line):
            sections[-1].hunks.append(_hunk(found, source))
        elif sections:
            sections[-1].header(line)
    if sections is not None:
        yield _changes(sections)


def _changes(sections: list[_Section]) -> tuple[FileChange, ...]:
    return tuple(section.change() for section in sections if section.old_path or section.new_path)


def _hunk(header: re.Match[bytes], source: Iterator[bytes]) -> Hunk:
    """The hunk's lines, taken by their number: content can never look like a header."""
    old_start, old_count, new_start, new_count = (1 if number is None else int(number) for number in header.groups())
    old: list[bytes] = []
    new: list[bytes] = []
    while len(old) < old_count or len(new) < new_count:
        line = next(source, b"")
        if not line:
            break
        side = {b"-": old, b"+": new}.get(line[:1])
        if side is not None:  # else git's remark that the file has no newline at its end
            side.append(line[1:].rstrip(b"\r\n"))
    return Hunk(old_start, tuple(old), new_start, tuple(new))


def path_of(name: bytes, prefix: int = 0) -> str | None:
    """The name that git prints in a patch, without its first `prefix` characters."""
    """A name out of a header: git marks one with spaces by a tab at its end and quotes control characters as C does."""
    if name == b"/dev/null":
        return None
    if name.startswith(b'"'):
        name = _QUOTED.sub(_unescaped, name[1 : name.rindex(b'"')])
    elif prefix:
        name = name.removesuffix(b"\t")
    return os.fsdecode(name[prefix:])


def _unescaped(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    return bytes([int(code, 8) if len(code) == 3 else _ESCAPES[code[0]]])
