"""Levels and jobs: what agrees is run fast, what leaks is run in processes of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.attempts import TEST
from traf.core.attempts import Attempt, Level, Outcome, Series
from traf.rerun.engine import ends
from traf.rerun.runner import FRESH_RUNS, Runner

Behaviour = Callable[[int, Level], tuple[bool, float]]


class FakeTests:
    """A test whose outcome and duration follow from how many attempts its process has seen, and from its level."""

    def __init__(self, behaviour: Behaviour, stretch: float = 1) -> None:
        self._behaviour = behaviour
        self._stretch = stretch
        self.asked: list[tuple[int, Level, int]] = []

    def __call__(self, test: Any, runs: int, *, level: Level, jobs: int, until: Any, **_: Any) -> Series:
        self.asked.append((runs, level, jobs))
        attempts = []
        for index in range(runs):
            failed, ms = self._behaviour(0 if level is Level.PROCESS else index, level)
            ms *= self._stretch if jobs > 1 else 1
            attempts.append(Attempt(test, index, Outcome.FAIL if failed else Outcome.PASS, ms, None, level))
            if ends(attempts[-1], until):
                break
        return Series(tuple(attempts))


def observed(behaviour: Behaviour, level: Level | None = None) -> tuple[Runner, Series, FakeTests]:
    tests = FakeTests(behaviour)
    runner = Runner(tests, TEST, level=level)
    return runner, runner.observe(20), tests


def test_what_agrees_stays_fast() -> None:
    runner, series, tests = observed(lambda _index, _level: (False, 100))
    assert runner.level is Level.WORKER
    assert not runner.remarks
    assert len(series.attempts) == 20
    assert tests.asked == [(FRESH_RUNS, Level.PROCESS, 1), (20 - FRESH_RUNS, Level.WORKER, 1)]


@pytest.mark.parametrize("level", [None, Level.WARM])
@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (lambda index, _level: (index > 0, 100), "15 of 16 attempts in a shared process failed"),
        (lambda index, level: (level is not Level.PROCESS and index % 2 == 1, 100), "in an order that is no chance"),
        (lambda index, _level: (False, 100 + 40 * index), "grow slower"),
    ],
    ids=["fails from the second on", "alternates", "grows slower"],
)
def test_what_leaks_is_run_in_processes_of_its_own(behaviour: Behaviour, said: str, level: Level | None) -> None:
    runner, series, _ = observed(behaviour, level)
    assert runner.level is Level.PROCESS
    assert said in runner.remarks[0]
    assert len(series.attempts) == 20
    assert {a.level for a in series.attempts} == {Level.PROCESS}, "the attempts that leaked do not count"
    assert series.failures == 0


def test_processes_of_their_own_are_compared_with_nothing() -> None:
    _, series, tests = observed(lambda _index, _level: (False, 100), Level.PROCESS)
    assert tests.asked == [(20, Level.PROCESS, 1)]
    assert len(series.attempts) == 20


def test_a_test_that_is_slower_in_a_process_of_its_own_carries_a_remark() -> None:
    runner, _, _ = observed(lambda _index, level: (False, 900 if level is Level.PROCESS else 100))
    assert runner.level is Level.WORKER
    assert "900 ms" in runner.remarks[0]


@pytest.mark.parametrize(("runs", "fresh"), [(100, 10), (20, 2), (2, 2), (1, 1)])
def test_a_confirmation_ends_with_processes_of_their_own(runs: int, fresh: int) -> None:
    tests = FakeTests(lambda _index, _level: (False, 100))
    series = Runner(tests, TEST).confirm(runs, files={}, until="failure", allowed_ms=0)
    assert len(series.attempts) == runs
    assert sum(a.level is Level.PROCESS for a in series.attempts) == fresh


def test_a_confirmation_ends_with_the_first_failure() -> None:
    tests = FakeTests(lambda index, _level: (index == 3, 100))
    series = Runner(tests, TEST).confirm(20, files={}, until="failure", allowed_ms=0)
    assert len(series.attempts) == 4
    assert len(tests.asked) == 1


@pytest.mark.parametrize(("stretch", "jobs"), [(1.05, 2), (1.8, 1)])
def test_jobs_are_measured(stretch: float, jobs: int) -> None:
    tests = FakeTests(lambda _index, _level: (False, 100), stretch)
    runner = Runner(tests, TEST, jobs=None)
    assert len(runner.observe(20).attempts) == 20
    assert runner.jobs == jobs
    assert f"took {100 * stretch:.0f} ms each" in runner.remarks[0]
    assert tests.asked[-1][2] == jobs
