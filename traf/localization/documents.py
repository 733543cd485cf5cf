"""The documents that are ranked: single lines of a directory's test files that hold a wait time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from traf.core.errors import BadInput
from traf.localization.files import SUFFIXES, Files
from traf.localization.model import Origin
from traf.syntax import Context, Source, WaitKind, find_sites, parse, test_blocks

_TEST_NAME = re.compile(r"[._-](?:spec|test|cy|e2e)\.", re.IGNORECASE)
_MAY_HOLD_TESTS = re.compile(rb"\b(?:it|test|specify|describe|context|suite|scenario)\b", re.IGNORECASE)
_WAITS = frozenset({WaitKind.FIXED_SLEEP, WaitKind.POLL_TIMEOUT, WaitKind.TEST_TIMEOUT})


@dataclass(frozen=True, slots=True)
class Document:
    """A line and the wait times (ms) that it holds, in the order in which they stand.

    `today` is the line of the working tree that it is, or that it has become since; `age` is 0 for the working tree and
    grows with every older commit.
    """

    source: Origin
    text: str
    times_ms: tuple[float, ...]
    today: Origin
    age: int = 0


@dataclass(frozen=True, slots=True)
class Spot:
    """A time that is written on a line of a file, and the call that waits for it."""

    line: int
    ms: float
    kind: WaitKind
    api: str


def read_test_files(files: Files, spec: Source) -> list[Source]:
    """The spec and the other test files of its directory (not of folders below), by name.

    A file counts as a test by its name (`.spec.`, `_test.`, ...; the spec's own ending), by standing in `__tests__`, or by
    containing tests. Where the spec itself is no test (a page object, a support file), all sources beside it count: they are
    what it is. Files that cannot be read or parsed hold no documents.
    """
    folder = PurePosixPath(spec.file).parent
    endings = PurePosixPath(spec.file).suffixes
    helpers = not (len(endings) > 1 or _TEST_NAME.search(spec.file) or test_blocks(spec))
    found = [spec]
    for name in files.names_in("" if folder == PurePosixPath() else str(folder)):
        path = PurePosixPath(name)
        file = str(folder / name)
        if path.suffix.lower() not in SUFFIXES or file == spec.file:
            continue
        alike = len(endings) > 1 and path.suffixes == endings
        named = helpers or alike or folder.name == "__tests__" or bool(_TEST_NAME.search(name))
        other = _read(files, file, named=named)
        if other is not None:
            found.append(other)
    return found


def _read(files: Files, file: str, *, named: bool) -> Source | None:
    data = files.read(file)
    if data is None or not (named or _MAY_HOLD_TESTS.search(data)):
        return None
    try:
        source = parse(file, data)
    except BadInput:
        return None
    return source if named or test_blocks(source) else None


def spots_of(source: Source, context: Context) -> tuple[Spot, ...]:
    """The wait times (ms) that are written in a file, by line.

    A time that a call takes from a constant's definition stands on both lines: there the number, here its name.
    """
    found: dict[Spot, None] = {}
    for site in find_sites(source, context, written_only=True):
        if site.kind not in _WAITS or site.time_line is None or site.ms is None:
            continue
        in_call = site.line <= site.time_line <= source.line_of(site.end - 1)
        for line in (site.time_line,) if in_call else (site.time_line, site.line):
            found[Spot(line, site.ms, site.kind, site.api)] = None
    return tuple(sorted(found, key=lambda spot: spot.line))


def times_by_line(source: Source, context: Context) -> dict[int, tuple[float, ...]]:
    """The wait times (ms) that are written in a file, by the line on which they stand."""
    return times_of(spots_of(source, context))


def times_of(spots: Iterable[Spot]) -> dict[int, tuple[float, ...]]:
    """The times by line."""
    lines: dict[int, dict[float, None]] = {}
    for spot in spots:
        lines.setdefault(spot.line, {})[spot.ms] = None
    return {line: tuple(times) for line, times in lines.items()}


def documents_of(source: Source, spots: Iterable[Spot]) -> Iterator[Document]:
    """The lines of a file that hold a wait time."""
    for line, times_ms in sorted(times_of(spots).items()):
        origin = Origin(source.file, line)
        yield Document(origin, line_text(source, line), times_ms, today=origin)


def line_text(source: Source, line: int) -> str:
    """The text of a line, without its line end; empty outside the file."""
    if not 1 <= line <= source.line_count:
        return ""
    start, end = source.line_range(line)
    return source.data[start:end].decode("utf-8", "replace")
