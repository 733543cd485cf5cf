"""Ranks the wait times that similar lines hold, today and in the past."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from traf.git import Repository
from traf.localization.documents import Document, documents_of, line_text, read_test_files
from traf.localization.history import History
from traf.localization.model import Candidate, Origin
from traf.localization.similarity import scores
from traf.syntax import Context, Source, WaitSite

LONGEST_MS = 600_000.0
"""Ten minutes. A longer time does not wait for a web page: it says "no limit", or bounds a whole suite."""

_STEP = 10.0
"""A time up to this often the one in force is kept however long it is."""

_DIGITS = 12
"""Decimals of a score that count: the rest is the noise of adding the same numbers in another order."""


def find_candidates(
    root: Path,
    spec: str,
    source: Source,
    site: WaitSite,
    context: Context,
    repository: Repository | None,
    *,
    history: bool,
    above_ms: float,
) -> tuple[Candidate, ...]:
    """The times above `above_ms` that lines similar to the site's hold, the likeliest first (TRaf paper, section IV-A).

    The query is the line of the call with one line either side. The documents are the lines of the directory's test files
    that hold a wait time, without the flaky line itself, and (with `history`) past versions of them and of the flaky
    line that held another time. All of them together are the document set that weighs the tokens, so that a time known
    only from the past is found as well. Each value stands once, with its best score; among equals the same file counts
    first, then the nearer line (of today), then the newer version.

    Values over LONGEST_MS are left out, unless the time in force is of that order itself (a tenth of the value or more).

    `spec` is the source's path below `root`, which is the repository's top where there is a repository.
    """
    files = read_test_files(root, source)
    past = History(repository, context, files) if history and repository is not None else None
    flaky_origins = dict.fromkeys(Origin(spec, line) for line in (site.line, site.time_line or site.line))
    written = {document.source: document for document in documents_of(files, context)}
    flaky = [written.pop(origin, _timeless(source, origin)) for origin in flaky_origins]
    documents = list(written.values())
    if past is not None:
        documents += past.versions([*flaky, *documents])
    query = "\n".join(line_text(source, line) for line in (site.line - 1, site.line, site.line + 1))
    rated = zip(scores(query, [document.text for document in documents]), documents, strict=True)
    return _ranked(rated, Origin(spec, site.line), past, above_ms)


def _timeless(source: Source, origin: Origin) -> Document:
    return Document(origin, line_text(source, origin.line), (), today=origin)


def _ranked(
    rated: Iterable[tuple[float, Document]], flaky: Origin, past: History | None, above_ms: float
) -> tuple[Candidate, ...]:
    """One candidate a value, best first."""
    ceiling_ms = max(LONGEST_MS, _STEP * above_ms)

    def order(rating: tuple[float, Document]) -> tuple[float, bool, int, int, str, int]:
        score, document = rating
        elsewhere = document.today.path != flaky.path
        distance = 0 if elsewhere else abs(document.today.line - flaky.line)
        return -round(score, _DIGITS), elsewhere, distance, document.age, document.source.path, document.source.line

    best: dict[float, Candidate] = {}
    for score, document in sorted(rated, key=order):
        for ms in document.times_ms:
            wanted = above_ms < ms <= ceiling_ms and ms not in best
            if wanted and (past is None or past.holds(document, ms)):
                best[ms] = Candidate(ms, score, document.source, document.text)
    return tuple(best.values())
