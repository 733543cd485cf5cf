"""The times of last resort, known from no place: multiples of the time in force, and round numbers."""

from __future__ import annotations

from traf.localization.model import Query
from traf.syntax import WaitKind

_FACTORS = (1.5, 2.0, 3.0, 4.0, 5.0, 10.0)
_STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
_REACH = 10.0
"""Round numbers are taken up to this often the time in force."""

_SLEEPS = (100.0, 200.0, 300.0, 500.0, 1_000.0, 2_000.0, 3_000.0, 5_000.0)
_BOUNDS = (10_000.0, 15_000.0, 20_000.0, 30_000.0, 60_000.0)


def ladder(query: Query) -> tuple[float, ...]:
    """The times above the one in force that could always be tried, in rising order."""
    base = query.current_ms or query.base_ms
    found: set[float] = set()
    if base:
        found |= {base * factor for factor in _FACTORS}
        found |= set(_round_numbers(base, base * _REACH))
    if query.current_ms is None:
        found |= {*_SLEEPS} if query.kind is not WaitKind.TEST_TIMEOUT else set()
        found |= {*_BOUNDS}
    return tuple(sorted(ms for ms in found if ms > query.above_ms))


def _round_numbers(above: float, most: float) -> list[float]:
    power = 1.0
    while power * 10 <= above:
        power *= 10
    numbers = [power * scale * step for scale in (1, 10) for step in _STEPS]
    return [ms for ms in numbers if above < ms <= most]
