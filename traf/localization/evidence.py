"""Gathers what speaks for each time: the directory, its history, the rest of the suite, the project's configuration."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence

from traf.localization.files import is_source
from traf.localization.ground import Ground
from traf.localization.lines import MAY_WAIT, LineWait, waits_of_line
from traf.localization.model import Evidence, Occurrence, Origin, Query, Rung, last_name
from traf.localization.paper import around
from traf.localization.past import cached_past
from traf.project.suite import is_suite_name
from traf.syntax import WaitSite

MOST_FILES = 300
"""How many files of the rest of the suite are read, the nearest."""

_LONGEST = 400_000
"""Bytes of a file of the suite that a person wrote."""


def query_of(ground: Ground, site: WaitSite, current_ms: float | None, above_ms: float) -> Query:
    """What is asked: the wait at a site, which has the written time `current_ms` (None where one would be added)."""
    return Query(
        file=ground.source.file,
        line=site.line,
        text=around(ground.source, site.line),
        kind=site.kind,
        api=site.api,
        current_ms=current_ms,
        base_ms=None if current_ms is not None else site.ms,
        above_ms=above_ms,
    )


def gather(ground: Ground, query: Query, own_lines: Collection[int], rungs: Collection[Rung]) -> Evidence:
    """The evidence for times, from the places that are asked for; `own_lines` are those of the wait itself."""
    found: list[Occurrence] = []
    if Rung.DIRECTORY in rungs:
        found += _directory(ground, own_lines)
    if Rung.HISTORY in rungs and ground.repository is not None and ground.head is not None:
        found += cached_past(
            ground.cache, ground.repository, ground.head, ground.source.file, frozenset(_beside(ground))
        )
    if Rung.SUITE in rungs:
        found += _suite(ground)
    configured = ground.context.defaults if Rung.CONFIGURED in rungs else {}
    return Evidence(query, tuple(found), dict(configured))


def _directory(ground: Ground, own_lines: Collection[int]) -> Iterator[Occurrence]:
    """The times of the directory's test files: as parsed, and on lines where nothing was understood by their words."""
    for source in ground.sources:
        own = source.file == ground.source.file
        spots = ground.spots[source.file]
        lines = source.data.split(b"\n")
        understood = {spot.line for spot in spots} | (set(own_lines) if own else set())
        found = [(spot.line, spot.ms, spot.kind, last_name(spot.api)) for spot in spots]
        found += [(at, wait.ms, wait.kind, wait.name) for at, wait in _spelled_out(lines) if at not in understood]
        for at, ms, kind, call in found:
            if own and at in own_lines:
                continue
            yield Occurrence(
                ms=ms,
                rung=Rung.DIRECTORY,
                origin=Origin(source.file, at),
                text=_text(lines, at),
                kind=kind,
                call=call,
                steps=0 if own else 1,
                beside=f"{_text(lines, at - 1)}\n{_text(lines, at + 1)}",
            )


def _spelled_out(lines: Sequence[bytes]) -> Iterator[tuple[int, LineWait]]:
    for at, line in enumerate(lines, 1):
        if MAY_WAIT.search(line):
            for wait in waits_of_line(_text(lines, at)):
                yield at, wait


def _text(lines: Sequence[bytes], at: int) -> str:
    return lines[at - 1].rstrip(b"\r").decode("utf-8", "replace") if 1 <= at <= len(lines) else ""


def _beside(ground: Ground) -> list[str]:
    folder = posixpath.dirname(ground.source.file)
    return [posixpath.join(folder, name) for name in ground.files.names_in(folder) if is_source(name)]


def _suite(ground: Ground) -> Iterator[Occurrence]:
    """The times of the files that are nearest to the spec: those of the suite, and the others that stand beside the spec."""
    folder = posixpath.dirname(ground.source.file)
    taken = {source.file for source in ground.sources}
    beside = set(_beside(ground))
    near = [path for path in {*beside, *filter(is_suite_name, ground.files.all())} if path not in taken]
    near.sort(key=lambda path: (_steps(folder, path), path))
    for path in near[:MOST_FILES]:
        data = ground.files.read(path)
        if data is None or len(data) > _LONGEST or b"\0" in data:
            continue
        steps = 1 + _steps(folder, path)
        lines = data.split(b"\n")
        for at, wait in _spelled_out(lines):
            yield Occurrence(
                ms=wait.ms,
                rung=Rung.SUITE,
                origin=Origin(path, at),
                text=_text(lines, at),
                kind=wait.kind,
                call=wait.name,
                steps=steps,
                beside=f"{_text(lines, at - 1)}\n{_text(lines, at + 1)}",
            )


def _steps(folder: str, path: str) -> int:
    """How many folders one goes up and down from a folder to a file."""
    here = folder.split("/") if folder else []
    there = path.split("/")[:-1]
    common = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        common += 1
    return len(here) + len(there) - 2 * common
