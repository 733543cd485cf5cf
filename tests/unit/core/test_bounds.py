"""What a number of runs proves."""

from __future__ import annotations

from math import comb

import pytest

from traf.core.bounds import flake_rate_upper


@pytest.mark.parametrize(
    ("runs", "upper"),
    [(3, 0.632), (10, 0.259), (20, 0.139), (59, 0.0495), (100, 0.0295), (299, 0.00997), (2995, 0.001)],
)
def test_all_green(runs: int, upper: float) -> None:
    assert flake_rate_upper(runs, 0) == pytest.approx(upper, abs=0.0005)


def test_with_failures_it_is_the_exact_binomial_bound() -> None:
    upper = flake_rate_upper(20, 9)
    # the definition: nine or fewer failures of twenty have probability 5 % at that rate
    tail = sum(comb(20, k) * upper**k * (1 - upper) ** (20 - k) for k in range(10))
    assert tail == pytest.approx(0.05, abs=1e-9)


def test_only_failures_prove_nothing_below_one() -> None:
    assert flake_rate_upper(7, 7) == 1.0


@pytest.mark.parametrize(("runs", "failures", "confidence"), [(3, 4, 0.95), (3, -1, 0.95), (3, 1, 1.0), (3, 1, 0.0)])
def test_nonsense_is_refused(runs: int, failures: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="no bound"):
        flake_rate_upper(runs, failures, confidence)
