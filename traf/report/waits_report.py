"""The waits of a suite: for people, and as JSON by schemas/waits.schema.json."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from traf.report.printable import number, printable
from traf.syntax.model import MsFrom, WaitKind, WaitSite

SCHEMA_VERSION = 1
_NAMES = {
    WaitKind.FIXED_SLEEP: "fixed sleep",
    WaitKind.POLL_TIMEOUT: "polling bound",
    WaitKind.TEST_TIMEOUT: "test limit",
    WaitKind.FAKE_CLOCK: "fake clock",
    WaitKind.NONE: "no wait",
}
_NOT_A_TIME = {
    MsFrom.UNBOUNDED: "no bound",
    MsFrom.ENVIRONMENT: "from the environment",
    MsFrom.UNKNOWN: "not known",
}


@dataclass(frozen=True, slots=True)
class Suite:
    """The sites that were found in `files` files, and the ms that one run of their tests spends in fixed sleeps."""

    sites: tuple[WaitSite, ...]
    files: int
    slept_ms: float


def waits_json(suite: Suite) -> str:
    """The sites as one JSON document, ended by a line feed."""
    summary = {"files": suite.files, "sites": len(suite.sites), "fixed_sleep_ms_per_run": number(suite.slept_ms)}
    data = {"schema_version": SCHEMA_VERSION, "sites": [site_data(site) for site in suite.sites], "summary": summary}
    return json.dumps(data, ensure_ascii=True, indent=2) + "\n"


def site_data(site: WaitSite) -> dict[str, Any]:
    """A site as plain data; `ms` is null where no bound is in force or the time cannot be known without running."""
    return {
        "file": site.file,
        "line": site.line,
        "column": site.column,
        "framework": site.framework,
        "api": site.api,
        "kind": site.kind,
        "ms": None if site.ms is None else number(site.ms),
        "ms_from": site.ms_from,
        "editable": site.editable,
        "reason": site.reason,
        "warnings": list(site.warnings),
    }


def waits_text(suite: Suite) -> str:
    """The sites as a table for each file, and what they add up to."""
    return "\n".join(_lines(suite)) + "\n"


def _lines(suite: Suite) -> Iterator[str]:
    for file, sites in groupby(suite.sites, key=lambda site: site.file):
        yield printable(file)
        rows = [_row(site) for site in sites]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        for *cells, notes in rows:
            yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
            yield from (f"      {note}" for note in notes)
        yield ""
    yield from _summary(suite)


def _row(site: WaitSite) -> tuple[str, str, str, str, list[str]]:
    time = _NOT_A_TIME.get(site.ms_from) or f"{number(site.ms or 0)} ms ({site.ms_from})"
    what = "a wait can be put in before this" if site.action == "insert" else f"{_NAMES[site.kind]}"
    notes = [printable(note) for note in (*([site.reason] if site.reason else []), *site.warnings)]
    return f"{site.line}:{site.column}", what, "" if site.action == "insert" else time, printable(site.api), notes


def _summary(suite: Suite) -> Iterator[str]:
    kinds = Counter(site.kind for site in suite.sites if site.kind is not WaitKind.NONE)
    listed = ", ".join(_counted(count, _NAMES[kind]) for kind, count in kinds.most_common())
    where = _counted(suite.files, "file")
    yield f"{_counted(sum(kinds.values()), 'wait')} in {where}: {listed}" if kinds else f"no waits in {where}"
    if kinds[WaitKind.FIXED_SLEEP]:
        yield f"One run of these tests sleeps at least {number(suite.slept_ms / 1000)} s in fixed sleeps."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 or noun.endswith('s') else 's'}"


def chosen_first(chosen: WaitSite, sites: Sequence[WaitSite]) -> tuple[WaitSite, ...]:
    """The chosen site, then the others that stand on its line."""
    others = (site for site in sites if site.line == chosen.line and site.start != chosen.start)
    return (chosen, *others)
