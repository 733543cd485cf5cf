"""The ranking of the TRaf paper (section IV-A): the times of similar lines, today and in the past."""

from __future__ import annotations

from collections.abc import Iterable

from traf.localization.documents import Document, line_text
from traf.localization.ground import Ground
from traf.localization.history import History
from traf.localization.model import Candidate, Origin, Rung
from traf.localization.similarity import scores
from traf.syntax import Source

LONGEST_MS = 600_000.0
"""Ten minutes. A longer time does not wait for a web page: it says "no limit", or bounds a whole suite."""

_STEP = 10.0
"""A time up to this often the one in force is kept however long it is."""

_DIGITS = 12
"""Decimals of a score that count: the rest is the noise of adding the same numbers in another order."""


def longest_ms(above_ms: float) -> float:
    """The longest time that is worth a try where one above `above_ms` is wanted."""
    return max(LONGEST_MS, _STEP * above_ms)


def rank_by_paper(
    ground: Ground, line: int, time_line: int | None, *, history: bool, above_ms: float, near_first: bool = False
) -> tuple[Candidate, ...]:
    """The times above `above_ms` that lines similar to the given one hold, the likeliest first.

    The query is the line of the call with one line either side. The documents are the lines of the directory's test files
    that hold a wait time, without the flaky line itself, and (with `history`) past versions of them and of the flaky
    line that held another time. All of them together are the document set that weighs the tokens, so that a time known
    only from the past is found as well. Each value stands once, with its best score. The paper does not say what comes first
    among equals: the order of the text does; with `near_first` the same file, then the nearer line (of today), then the newer
    version.

    Values over LONGEST_MS are left out, unless the time in force is of that order itself (a tenth of the value or more).
    """
    spec, source = ground.source.file, ground.source
    past = ground.history() if history else None
    flaky_origins = dict.fromkeys(Origin(spec, at) for at in (line, time_line or line))
    written = {document.source: document for document in ground.documents}
    flaky = [written.pop(origin, _timeless(source, origin)) for origin in flaky_origins]
    documents = list(written.values())
    if past is not None:
        documents += past.versions([*flaky, *documents])
    query = around(source, line)
    rated = zip(scores(query, [document.text for document in documents]), documents, strict=True)
    return _ranked(rated, Origin(spec, line), past, above_ms, near_first=near_first)


def around(source: Source, line: int) -> str:
    """A line with one line either side."""
    return "\n".join(line_text(source, at) for at in (line - 1, line, line + 1))


def _timeless(source: Source, origin: Origin) -> Document:
    return Document(origin, line_text(source, origin.line), (), today=origin)


def _ranked(
    rated: Iterable[tuple[float, Document]],
    flaky: Origin,
    past: History | None,
    above_ms: float,
    *,
    near_first: bool,
) -> tuple[Candidate, ...]:
    """One candidate a value, best first."""

    def order(rating: tuple[float, Document]) -> tuple[float, bool, int, int, str, int]:
        score, document = rating
        elsewhere = near_first and document.today.path != flaky.path
        distance = abs(document.today.line - flaky.line) if near_first and not elsewhere else 0
        return -round(score, _DIGITS), elsewhere, distance, document.age, document.source.path, document.source.line

    best: dict[float, Candidate] = {}
    for score, document in sorted(rated, key=order):
        for ms in document.times_ms:
            wanted = above_ms < ms <= longest_ms(above_ms) and ms not in best
            if wanted and (past is None or past.holds(document, ms)):
                rung = Rung.HISTORY if document.age else Rung.DIRECTORY
                reason = f"a line with the likeness {score:.2f}"
                best[ms] = Candidate(ms, score, document.source, document.text, rung, (reason,))
    return tuple(best.values())
