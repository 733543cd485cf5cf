"""The nouns of localisation: where a time was found, and how likely it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a time stands: repository-relative path, 1-based line, commit (None: the working tree)."""

    path: str
    line: int
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A wait time in ms with its best score (cosine, 0..1), where it came from, and the text of that line."""

    ms: float
    score: float
    source: Origin
    text: str
