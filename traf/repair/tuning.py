"""The search for a shorter time that still holds: Algorithm 1 of the TRaf paper (section IV-B), and its first-match form.

Pure: the search asks a callable for verdicts and never knows what a run is.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from traf.repair.model import Mode

Holds = Callable[[int], bool]


def tune(mode: Mode, lower_ms: float, upper_ms: float, threshold_ms: float, holds: Holds) -> float:
    """The shortest time between `lower_ms` and `upper_ms` (known to hold) that the search saw hold.

    Whole milliseconds are tried, each halfway between the bounds (rounded up). A time that holds becomes the upper bound, one
    that does not the lower bound, until they lie at most `threshold_ms` apart. FIRST_MATCH stops at the first time that
    holds, STATIC tries none.
    """
    while mode is not Mode.STATIC and upper_ms - lower_ms > threshold_ms:
        middle = math.ceil((lower_ms + upper_ms) / 2)
        if middle >= upper_ms:
            break
        if holds(middle):
            upper_ms = middle
            if mode is Mode.FIRST_MATCH:
                break
        else:
            lower_ms = middle
    return upper_ms


def round_up(ms: float) -> int:
    """`ms` as a person would write it: the next number with at most two significant digits (523 -> 530, 1041 -> 1100)."""
    whole = math.ceil(ms)
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return math.ceil(whole / unit) * unit
