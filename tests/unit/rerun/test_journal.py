"""What was run is written down as it happens, and not run again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.attempts import TEST
from traf.core.attempts import Attempt, AttemptError, Frame, Level, Outcome, Series
from traf.core.errors import CannotRun
from traf.rerun.engine import ends
from traf.rerun.journal import Execute, Journal

ABOUT = {"file": TEST.file, "place": [7, None]}
ERROR = AttemptError("no row \u2028 \x00 \ud83d", (Frame("e2e/a.spec.ts", 7, 3, "f"), Frame("x", 1, 1)))


class StoppedError(Exception):
    """The user pressed Ctrl-C."""


class FakeTests:
    """Attempts with outcomes in turn; the one with the number `stop` is never made."""

    def __init__(self, outcomes: str, stop: int | None = None, done: int = 0) -> None:
        self._outcomes: Iterator[str] = cycle(outcomes)
        for _ in range(done):
            next(self._outcomes)
        self.made = 0
        self._stop = stop

    def __call__(self, test: Any, runs: int, *, on_attempt: Callable[[Attempt], None], until: Any, **_: Any) -> Series:
        attempts = []
        for index in range(runs):
            if self.made == self._stop:
                raise StoppedError
            self.made += 1
            failed = next(self._outcomes) == "f"
            outcome = Outcome.FAIL if failed else Outcome.PASS
            attempts.append(Attempt(test, index, outcome, 12.5, ERROR if failed else None, Level.WORKER))
            on_attempt(attempts[-1])
            if ends(attempts[-1], until):
                break
        return Series(tuple(attempts))


def search(tests: FakeTests, journal: Journal | None = None) -> list[tuple[Outcome, AttemptError | None]]:
    """Asks as a repair does: what comes next depends on the answers."""
    seen: list[Attempt] = []
    run: Execute = tests if journal is None else journal.recording(tests)

    def ask(runs: int, until: Any = None, files: dict[str, bytes] | None = None) -> Series:
        return run(
            TEST, runs, files=files or {}, until=until, level=Level.WORKER, jobs=1, allowed_ms=0, on_attempt=seen.append
        )

    with closing(journal) if journal is not None else nullcontext():
        ask(4)
        for ms in (200, 400, 800):
            if not ask(5, "failure", {TEST.file: str(ms).encode()}).failures:
                break
    return [(a.outcome, a.error) for a in seen]


@given(st.text("pf", min_size=1, max_size=12), st.lists(st.integers(0, 25), max_size=3))
def test_a_resumed_repair_sees_what_an_uninterrupted_one_sees(
    tmp_path_factory: pytest.TempPathFactory, outcomes: str, stops: list[int]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "j.ndjson"
    whole = search(FakeTests(outcomes))
    done = 0
    for stop in [*stops, None]:
        tests = FakeTests(outcomes, stop, done)
        journal = Journal(path, ABOUT, resume=True)
        assert journal.known == done
        try:
            assert search(tests, journal) == whole
        except StoppedError:
            done += tests.made
            continue
        done += tests.made
        break
    assert done == len(whole), "no attempt was made twice"
    assert all(json.loads(line) for line in path.read_text("utf-8").splitlines())


@pytest.mark.parametrize("torn", ['{"event": "attem', "nonsense", "[1]", '{"event": "other"}'])
def test_a_torn_end_is_left_out(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "j.ndjson"
    search(FakeTests("pf"), Journal(path, ABOUT))
    with path.open("a") as file:
        file.write(torn)
    tests = FakeTests("pf")
    search(tests, Journal(path, ABOUT, resume=True))
    assert tests.made == 0


def test_without_resume_or_about_something_else_it_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "j.ndjson"
    for about, resume in ((ABOUT, False), (ABOUT, False), ({**ABOUT, "place": [8, None]}, True)):
        tests = FakeTests("p")
        journal = Journal(path, about, resume=resume)
        assert journal.known == 0
        search(tests, journal)
        assert tests.made == 9


def test_a_question_that_differs_ends_the_past(tmp_path: Path) -> None:
    path = tmp_path / "j.ndjson"
    search(FakeTests("p"), Journal(path, ABOUT))
    tests = FakeTests("p")
    how: dict[str, Any] = {"until": None, "jobs": 1, "allowed_ms": 0, "on_attempt": lambda _attempt: None}
    with closing(Journal(path, ABOUT, resume=True)) as journal:
        journal.recording(tests)(TEST, 4, files={}, level=Level.PROCESS, **how)
    assert tests.made == 4


def test_a_second_interruption_before_anything_new_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j.ndjson"
    search(FakeTests("p"), Journal(path, ABOUT))
    before = path.read_bytes()
    Journal(path, ABOUT, resume=True).close()
    assert path.read_bytes() == before


def test_a_journal_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotRun, match="cannot be written"):
        Journal(tmp_path / "file" / "j.ndjson", ABOUT)
