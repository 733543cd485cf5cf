"""The search, for any bounds, thresholds and answers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from traf.repair.model import Mode
from traf.repair.tuning import round_up, tune

times = st.integers(0, 100_000)


@settings(derandomize=True, deadline=None)
@given(times, times, st.floats(1, 1000), st.floats(0, 200_000))
def test_full_ends_within_the_threshold_of_what_is_needed(a: int, b: int, threshold: float, needed: float) -> None:
    lower, upper = sorted((a, b))
    asked: list[int] = []

    def holds(ms: int) -> bool:
        asked.append(ms)
        return ms >= needed

    found = tune(Mode.FULL, lower, upper, threshold, holds)
    assert lower <= found <= upper
    assert all(lower < ms < upper for ms in asked)
    if lower < needed <= upper and upper > lower:
        assert needed <= found <= needed + max(threshold, 1)
    assert len(asked) <= 18


@settings(derandomize=True, deadline=None)
@given(times, times, st.floats(1, 1000), st.lists(st.booleans(), min_size=30, max_size=30), st.sampled_from(list(Mode)))
def test_any_answers_end_at_the_shortest_time_seen_to_hold(
    a: int, b: int, threshold: float, answers: list[bool], mode: Mode
) -> None:
    lower, upper = sorted((a, b))
    held = [float(upper)]
    given_answers = iter(answers)

    def holds(ms: int) -> bool:
        answer = next(given_answers)
        if answer:
            held.append(ms)
        return answer

    assert tune(mode, lower, upper, threshold, holds) == min(held)


@settings(derandomize=True, deadline=None)
@given(st.floats(0, 1e7))
def test_rounding_goes_up_by_less_than_a_tenth(ms: float) -> None:
    written = round_up(ms)
    assert written >= ms
    assert written - ms <= max(1, ms * 0.1 + 1)
    assert len(str(written).rstrip("0")) <= 2
