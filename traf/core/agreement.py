"""Whether two ways of running a test show the same thing, and whether attempts are independent of each other: exact tests."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction


def same_rate(failures: int, runs: int, other_failures: int, other_runs: int) -> float:
    """The p-value of Fisher's exact test (two-sided): how likely so different shares of failures are by chance alone.

    Raises:
        ValueError: unless 0 <= failures <= runs, of both.
    """
    if not (0 <= failures <= runs and 0 <= other_failures <= other_runs):
        raise ValueError(f"{failures} of {runs} and {other_failures} of {other_runs} are no shares")
    total = failures + other_failures

    def ways(k: int) -> int:
        return math.comb(runs, k) * math.comb(other_runs, total - k)

    seen = ways(failures)
    possible = [ways(k) for k in range(max(0, total - other_runs), min(runs, total) + 1)]
    return float(Fraction(sum(count for count in possible if count <= seen), sum(possible)))


def independent(failed: Sequence[bool]) -> float:
    """How likely an order of outcomes as regular as this is, were the attempts independent (two-sided).

    The number of stretches of equal outcomes (Wald and Wolfowitz, 1940, exact): few of them are a trend, as where state
    that piles up fails all later attempts; very many an alternation, as where a failure resets what a pass leaves behind.
    """
    ones, zeros = sum(failed), len(failed) - sum(failed)
    if ones == 0 or zeros == 0:
        return 1.0
    stretches = 1 + sum(a != b for a, b in itertools.pairwise(failed))
    counts = [_orders(ones, zeros, number) for number in range(2, len(failed) + 1)]
    few, many = sum(counts[: stretches - 1]), sum(counts[stretches - 2 :])
    return min(1.0, 2 * float(Fraction(min(few, many), sum(counts))))


def _orders(ones: int, zeros: int, stretches: int) -> int:
    """In how many orders so many outcomes of two kinds form that number of stretches."""
    half, odd = divmod(stretches, 2)

    def split(items: int, parts: int) -> int:
        return math.comb(items - 1, parts - 1) if 0 < parts <= items else 0

    if not odd:
        return 2 * split(ones, half) * split(zeros, half)
    return split(ones, half + 1) * split(zeros, half) + split(ones, half) * split(zeros, half + 1)


def growing(values: Sequence[float]) -> float:
    """How likely an order as rising as this is by chance (Mann, 1945; Kendall's S in its normal approximation, one-sided)."""
    count = len(values)
    if count < 3:
        return 1.0
    score = sum((b > a) - (b < a) for at, a in enumerate(values) for b in values[at + 1 :])
    spread = math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    return 0.5 * math.erfc((score - 1) / spread / math.sqrt(2)) if score > 0 else 1.0
