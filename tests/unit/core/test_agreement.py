"""Exact tests against values computed by hand or by counting all cases."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traf.core.agreement import growing, independent, same_rate


def test_fishers_tea() -> None:
    # The lady tasting tea: 3 of 4 right. Two-sided p = (1 + 16 + 16 + 1) / 70.
    assert same_rate(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert same_rate(0, 4, 16, 16) == pytest.approx(1 / math.comb(20, 4))
    assert same_rate(2, 5, 2, 5) == 1.0
    assert same_rate(0, 3, 0, 9) == 1.0


@given(st.integers(0, 12), st.integers(0, 12), st.data())
def test_shares_differ_as_much_seen_from_either_side(runs: int, others: int, data: st.DataObject) -> None:
    failures, other_failures = data.draw(st.integers(0, runs)), data.draw(st.integers(0, others))
    p = same_rate(failures, runs, other_failures, others)
    assert 0 < p <= 1
    assert p == same_rate(other_failures, others, failures, runs)
    assert p == pytest.approx(same_rate(runs - failures, runs, others - other_failures, others))


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        same_rate(3, 2, 0, 1)


@pytest.mark.parametrize("ones", [1, 3, 4])
def test_an_order_is_as_likely_as_counting_all_of_them_says(ones: int) -> None:
    size = 7
    orders = [tuple(at in chosen for at in range(size)) for chosen in itertools.combinations(range(size), ones)]

    def stretches(order: tuple[bool, ...]) -> int:
        return 1 + sum(a != b for a, b in itertools.pairwise(order))

    for order in orders:
        few = sum(stretches(other) <= stretches(order) for other in orders)
        many = sum(stretches(other) >= stretches(order) for other in orders)
        assert independent(order) == pytest.approx(min(1, 2 * min(few, many) / len(orders)))


def test_trends_and_alternations_are_no_chance_and_one_kind_says_nothing() -> None:
    assert independent([False] * 8 + [True] * 8) < 0.001
    assert independent([False, True] * 8) < 0.001
    assert independent([False] * 20) == independent([True] * 20) == independent([]) == 1.0


def test_growing() -> None:
    assert growing(range(16)) < 1e-6
    assert growing(range(16, 0, -1)) == 1.0
    assert growing([3, 3, 3, 3]) == 1.0
    assert growing([5, 1, 4, 2, 3, 6]) > 0.1
    assert growing([1, 2]) == 1.0
