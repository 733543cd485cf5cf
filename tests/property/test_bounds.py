"""The bound on the flake rate, for any number of runs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from traf.core.bounds import flake_rate_upper

runs_and_failures = st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@settings(derandomize=True, deadline=None)
@given(runs_and_failures)
def test_it_lies_above_the_rate_seen_and_never_above_one(counts: tuple[int, int]) -> None:
    runs, failures = counts
    assert failures / runs <= flake_rate_upper(runs, failures) <= 1


@settings(derandomize=True, deadline=None)
@given(runs_and_failures)
def test_more_green_runs_lower_it_and_a_failure_raises_it(counts: tuple[int, int]) -> None:
    runs, failures = counts
    assert flake_rate_upper(runs + 1, failures) <= flake_rate_upper(runs, failures)
    assert flake_rate_upper(runs + 1, failures + 1) >= flake_rate_upper(runs + 1, failures)
