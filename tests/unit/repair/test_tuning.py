"""Algorithm 1 of the paper, step by step, with callables in the place of runs."""

from __future__ import annotations

import pytest

from traf.repair.model import Mode
from traf.repair.tuning import round_up, tune


def search(mode: Mode, lower: float, upper: float, threshold: float, needed: float) -> tuple[float, list[int]]:
    asked: list[int] = []

    def holds(ms: int) -> bool:
        asked.append(ms)
        return ms >= needed

    return tune(mode, lower, upper, threshold, holds), asked


def test_full_halves_until_the_bounds_are_near() -> None:
    found, asked = search(Mode.FULL, 200, 1000, 5, needed=430)
    assert asked == [600, 400, 500, 450, 425, 438, 432, 429]
    assert found == 432


def test_first_match_stops_at_the_first_shorter_time_that_holds() -> None:
    assert search(Mode.FIRST_MATCH, 200, 1000, 5, needed=430) == (600, [600])
    assert search(Mode.FIRST_MATCH, 200, 1000, 5, needed=700) == (800, [600, 800])


def test_static_asks_nothing() -> None:
    assert search(Mode.STATIC, 0, 1000, 5, needed=1) == (1000, [])


@pytest.mark.parametrize("mode", [Mode.FULL, Mode.FIRST_MATCH])
def test_where_nothing_shorter_holds_the_found_time_stays(mode: Mode) -> None:
    found, asked = search(mode, 200, 1000, 5, needed=1000)
    assert found == 1000
    assert asked[:3] == [600, 800, 900]
    assert max(asked) >= 995


def test_bounds_within_the_threshold_ask_nothing() -> None:
    assert search(Mode.FULL, 995, 1000, 5, needed=0) == (1000, [])


def test_a_threshold_below_a_millisecond_ends() -> None:
    found, asked = search(Mode.FULL, 0, 10, 0.001, needed=3)
    assert found == 3
    assert len(asked) == len(set(asked))


def test_a_noisy_search_ends_at_the_shortest_time_it_saw_hold() -> None:
    answers = iter([False, True, False, True, True, False, True, False, True, False])
    held: list[float] = []

    def holds(ms: int) -> bool:
        answer = next(answers)
        if answer:
            held.append(ms)
        return answer

    assert tune(Mode.FULL, 0, 1024, 5, holds) == min(held)


@pytest.mark.parametrize(
    ("ms", "written"),
    [
        (0, 0),
        (1, 1),
        (7.2, 8),
        (99, 99),
        (100, 100),
        (101, 110),
        (523, 530),
        (530, 530),
        (999, 1000),
        (1041, 1100),
        (99_001, 100_000),
    ],
)
def test_rounding_is_up_to_two_digits(ms: float, written: int) -> None:
    assert round_up(ms) == written
