"""The nouns of the syntax room: wait sites, the tests around them, edits, and what must be told from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from traf.syntax.source import Source


class WaitKind(StrEnum):
    """What a wait costs and bounds."""

    FIXED_SLEEP = "fixed_sleep"
    POLL_TIMEOUT = "poll_timeout"
    TEST_TIMEOUT = "test_timeout"
    FAKE_CLOCK = "fake_clock"
    NONE = "none"


class MsFrom(StrEnum):
    """Where the time in force comes from."""

    LITERAL = "literal"
    EXPRESSION = "expression"
    CONSTANT = "constant"
    IMPORTED = "imported"
    PARAMETER = "parameter"
    CONFIGURED = "configured"
    DEFAULT = "default"
    UNBOUNDED = "unbounded"
    ENVIRONMENT = "environment"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Context:
    """What syntax must know from outside, as a value.

    `framework` is the project's test framework ("playwright", "jest"), or None. `defaults` maps a default's key as the
    wait_apis tables name it ("playwright.expect.timeout", "jest.testTimeout") to the project's configured ms; 0 means
    "no limit" where the framework says so. `load_module(from_file, specifier)` gives a module of the project or None.
    `dependencies` are the names of the packages that the project asks for; `ambient` are its setup and support files: what
    they register is there in every test.
    """

    framework: str | None = None
    defaults: Mapping[str, float] = field(default_factory=dict)
    load_module: Callable[[str, str], Source | None] = lambda _file, _specifier: None
    dependencies: frozenset[str] = frozenset()
    ambient: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes [start, end) of a file by `text`."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class WaitSite:
    """A place in a test that takes, or could take, a wait time.

    `line` and `column` (1-based, in characters) are those of the call, or of the statement that a wait would be inserted
    before; `start`/`end` its byte range. `time_line` is the line on which the written time stands in this file, None if no
    time is written. `level` is the paper's: 0 replace a written time, 1 add one. `action` says what an edit would do.
    `ms` is the time in force, None when unbounded or unknown. A site with `editable` False says why in `reason`.
    """

    file: str
    line: int
    column: int
    start: int
    end: int
    framework: str
    api: str
    kind: WaitKind
    ms: float | None
    ms_from: MsFrom
    level: int
    action: Literal["replace", "add", "insert"]
    time_line: int | None = None
    editable: bool = True
    reason: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TestBlock:
    """A test, describe or hook call. `titles` is the title path including its own; an entry is None where it is computed.

    `modifier` is "skip", "only", "fixme", "each" and the like, joined by dots, or "". Lines are 1-based; bytes [start, end).
    """

    __test__ = False

    kind: Literal["test", "describe", "hook"]
    titles: tuple[str | None, ...]
    line: int
    column: int
    end_line: int
    start: int
    end: int
    modifier: str = ""


@dataclass(frozen=True, slots=True)
class LimitFit:
    """Whether a new bound fits into the enclosing test's own limit, and the edits that make it fit.

    `limit_ms` is the limit in force (None: no limit), `needed_ms` what the test's sequential waits may take with the new
    bound, `raised_ms` the limit after `edits` (None where none is needed). `possible` False: no place to raise it, `reason`.
    """

    fits: bool
    limit_ms: float | None
    needed_ms: float
    raised_ms: float | None = None
    edits: tuple[Edit, ...] = ()
    possible: bool = True
    reason: str | None = None
