"""The ranked times for a wait: for people, and as JSON by schemas/candidates.schema.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from traf.localization.model import Candidate, Query, Rung
from traf.report.printable import number, printable
from traf.report.waits_report import site_data
from traf.syntax.model import WaitSite

SCHEMA_VERSION = 1
_LONGEST_TEXT = 100
_PLACES = {
    Rung.DIRECTORY: "directory",
    Rung.HISTORY: "history",
    Rung.SUITE: "suite",
    Rung.CONFIGURED: "configuration",
    Rung.LADDER: "usual step",
}


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The times that were found on `rungs` for a site, best first; the first `limit` are shown.

    `query` is None where no time can be longer. `commit` is the one that was read, or that the working tree is based on.
    """

    site: WaitSite
    query: Query | None
    ranker: str
    rungs: tuple[Rung, ...]
    found: tuple[Candidate, ...]
    limit: int
    commit: str | None
    warnings: tuple[str, ...]


def candidates_json(result: Suggestions) -> str:
    """The times as one JSON document, ended by a line feed."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "site": site_data(result.site),
        "above_ms": None if result.query is None else number(result.query.above_ms),
        "ranker": result.ranker,
        "scopes": list(result.rungs),
        "commit": result.commit,
        "found": {rung: sum(each.rung is rung for each in result.found) for rung in result.rungs},
        "candidates": [_candidate(each) for each in result.found[: result.limit]],
        "warnings": list(result.warnings),
    }
    return json.dumps(data, ensure_ascii=True, indent=2) + "\n"


def _candidate(each: Candidate) -> dict[str, Any]:
    known = bool(each.source.path)
    return {
        "ms": number(each.ms),
        "score": round(each.score, 6),
        "scope": each.rung,
        "source": {"path": each.source.path, "line": each.source.line, "commit": each.source.commit} if known else None,
        "text": each.text.strip() if known else None,
        "reasons": list(each.reasons),
    }


def candidates_text(result: Suggestions) -> str:
    """The times for people, one paragraph each."""
    return "\n".join(printable(line) for line in _lines(result)) + "\n"


def _lines(result: Suggestions) -> Iterator[str]:
    site = result.site
    yield f"{site.file}:{site.line}  {_what(site)}"
    if not result.found:
        yield "no longer time was found" + ("" if result.query else ": it waits without a bound")
        return
    for place, each in enumerate(result.found[: result.limit], 1):
        yield ""
        yield f"{place:2}. {number(each.ms)} ms  [{_PLACES[each.rung]}]  {'; '.join(each.reasons)}"
        if each.source.path:
            commit = f" in {each.source.commit[:10]}" if each.source.commit else ""
            yield f"    {each.source.path}:{each.source.line}{commit}: {each.text.strip()[:_LONGEST_TEXT]}"
    left = len(result.found) - result.limit
    if left > 0:
        yield ""
        yield f"    and {left} more (--limit)"


def _what(site: WaitSite) -> str:
    if site.action == "insert":
        return "no wait stands here: one would be put in"
    time = "an unknown time" if site.ms is None else f"{number(site.ms)} ms"
    return f"{site.api} waits {time}" + ("" if site.action == "replace" else f" ({site.ms_from})")
