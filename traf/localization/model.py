"""The nouns of localisation: where a time was found, what speaks for it, and how likely it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from traf.syntax import WaitKind


class Rung(StrEnum):
    """Where times are looked for, the best place first."""

    DIRECTORY = "directory"
    HISTORY = "history"
    SUITE = "suite"
    CONFIGURED = "configured"
    LADDER = "ladder"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a time stands: repository-relative path, 1-based line (0: not known), commit (None: the working tree)."""

    path: str
    line: int
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A wait time in ms with its score, where it came from, the text of that line, the rung, and what speaks for it."""

    ms: float
    score: float
    source: Origin
    text: str
    rung: Rung = Rung.DIRECTORY
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """The wait that needs a longer time: its place, the lines around it, and what can be read there.

    `current_ms` is the time that is written, None where one would be added; `base_ms` the time in force by default then.
    `kind` and `api` are those of the call on the line, whatever the developer will do about it. Candidates exceed `above_ms`.
    """

    file: str
    line: int
    text: str
    kind: WaitKind
    api: str
    current_ms: float | None
    base_ms: float | None
    above_ms: float

    @property
    def call(self) -> str:
        """The last name of the API."""
        return last_name(self.api)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A wait time that stands, or once stood, somewhere.

    `steps` is how far away: 0 the same file, 1 its directory, then one more for each folder. In the past: `age_days` before the
    commit that is looked at, `raised_from` the shorter time that it replaced (0: the wait was put in), `fix` whether the
    commit spoke of flakiness. `beside` are the lines before and after, where they are known.
    """

    ms: float
    rung: Rung
    origin: Origin
    text: str
    kind: WaitKind
    call: str
    steps: int = 1
    age_days: float = 0.0
    raised_from: float | None = None
    fix: bool = False
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a ranker may look at."""

    query: Query
    occurrences: tuple[Occurrence, ...]
    configured: Mapping[str, float] = field(default_factory=dict)


def last_name(api: str) -> str:
    """The last name of an API's path: "page.waitForTimeout" -> "waitForTimeout"."""
    return api.replace("()", "").rpartition(".")[2]
