"""Every attempt of a repair is written down as it happens, so that an interrupted repair can go on where it was.

A journal is a file of JSON lines. The first says what it is of; then comes a `batch` line for each call of the engine, and
an `attempt` line for each attempt of it. A repair asks the same questions in the same order as long as it gets the same
answers: so what a journal holds is given again, call by call, until a question differs or the lines end.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Protocol

from traf.core.attempts import Attempt, AttemptError, Frame, Level, Outcome, Series, TestId
from traf.core.errors import CannotRun
from traf.rerun.engine import Until, ends

VERSION = 1

Line = dict[str, Any]


class Execute(Protocol):
    """`Engine.run`, or what stands in for it."""

    def __call__(
        self,
        test: TestId,
        runs: int,
        *,
        files: Mapping[str, bytes],
        until: Until | None,
        level: Level,
        jobs: int,
        allowed_ms: float,
        on_attempt: Callable[[Attempt], None],
    ) -> Series:
        """Run the test; see `Engine.run`."""


class Journal:
    """The journal at `path`. With `resume`, what it holds of the same repair is given again; else it begins anew."""

    def __init__(self, path: Path, about: Mapping[str, Any], *, resume: bool = False) -> None:
        """`about` says what is repaired and how, in values that JSON knows; a journal about anything else is not resumed.

        Raises:
            CannotRun: when the file cannot be written.
        """
        self._path = path
        self._past = _read(path, about) if resume else []
        self._held: list[str] = []
        self._file: IO[str] | None = None
        self.known = sum(line["event"] == "attempt" for line in self._past)
        self._write({"event": "repair", "version": VERSION, **about})

    def recording(self, execute: Execute) -> Execute:
        """`execute`, with what it does written down, and without doing again what is written down already."""

        def recorded(
            test: TestId,
            runs: int,
            *,
            files: Mapping[str, bytes],
            until: Until | None,
            level: Level,
            jobs: int,
            allowed_ms: float,
            on_attempt: Callable[[Attempt], None],
        ) -> Series:
            def seen(attempt: Attempt) -> None:
                self._write({"event": "attempt", **_attempt_data(attempt)})
                on_attempt(attempt)

            question = {"runs": runs, "until": until, "level": level, "files": _digest(files)}
            done = Series(tuple(self._again(test, question, seen)))
            left = runs - len(done.attempts)
            if left == 0 or (done.attempts and ends(done.attempts[-1], until)):
                return done
            return done + execute(
                test,
                left,
                files=files,
                until=until,
                level=level,
                jobs=jobs,
                allowed_ms=allowed_ms,
                on_attempt=seen,
            )

        return recorded

    def close(self) -> None:
        """Nothing more is written."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()

    def _again(self, test: TestId, question: Line, seen: Callable[[Attempt], None]) -> list[Attempt]:
        asked = {"event": "batch", "test": asdict(test), **question}
        asked["test"]["title"] = list(test.title)
        self._write(asked)
        if not self._past or self._past.pop(0) != asked:
            self._past.clear()
            return []
        attempts = []
        while self._past and self._past[0]["event"] == "attempt":
            attempts.append(_attempt(test, self._past.pop(0)))
            seen(attempts[-1])
        return attempts

    def _write(self, line: Mapping[str, Any]) -> None:
        """Write a line; as long as the past is given again its file stays, so that a second interruption loses nothing."""
        self._held.append(json.dumps(line) + "\n")
        if self._past:
            return
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                fresh = self._path.with_suffix(".new")
                self._file = fresh.open("w", encoding="utf-8")
                self._file.writelines(self._held)
                self._file.flush()
                fresh.replace(self._path)
            else:
                self._file.writelines(self._held)
                self._file.flush()
        except OSError as error:
            message = f"the journal {self._path} cannot be written: {error.strerror}"
            raise CannotRun(message, slug="journal-not-writable") from error
        self._held.clear()


def _read(path: Path, about: Mapping[str, Any]) -> list[Line]:
    """The lines of a journal about the same, without a last one that was cut off."""
    try:
        texts = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    lines: list[Line] = []
    for text in texts:
        try:
            line = json.loads(text)
        except ValueError:
            break
        if not isinstance(line, dict) or line.get("event") not in {"repair", "batch", "attempt"}:
            break
        lines.append(line)
    first = {"event": "repair", "version": VERSION, **about}
    return lines[1:] if lines and lines[0] == json.loads(json.dumps(first)) else []


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    return digest.hexdigest()


def _attempt_data(attempt: Attempt) -> Line:
    error = attempt.error
    return {
        "index": attempt.index,
        "outcome": attempt.outcome,
        "duration_ms": attempt.duration_ms,
        "level": attempt.level,
        "error": error and {"message": error.message, "frames": [asdict(frame) for frame in error.frames]},
    }


def _attempt(test: TestId, line: Line) -> Attempt:
    error = line["error"]
    return Attempt(
        test,
        line["index"],
        Outcome(line["outcome"]),
        line["duration_ms"],
        error and AttemptError(error["message"], tuple(Frame(**frame) for frame in error["frames"])),
        line["level"] and Level(line["level"]),
    )
