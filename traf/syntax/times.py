"""The time in force of a wait: what is written, else what the project configures, else the framework's own default."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import UNKNOWN
from traf.syntax.model import MsFrom, WaitKind
from traf.syntax.numbers import duration_ms

if TYPE_CHECKING:
    from traf.syntax.arithmetic import Value
    from traf.syntax.model import Context
    from traf.syntax.reading import Reading
    from traf.syntax.rows import Row


def time_in_force(
    reading: Reading | None, row: Row, context: Context, factor: float = 1
) -> tuple[float | None, MsFrom]:
    """The time in force in ms and where it comes from."""
    if reading is not None:
        ms = milliseconds(reading.value, factor, clock=row.kind is WaitKind.FAKE_CLOCK)
        if isinstance(reading.value.data, bool) or reading.value.data == math.inf:
            return None, MsFrom.UNBOUNDED
        if ms is None:
            known = reading.value.data is UNKNOWN and reading.value.origin is MsFrom.ENVIRONMENT
            return None, MsFrom.ENVIRONMENT if known else MsFrom.UNKNOWN
        return ms, reading.value.origin
    configured = next((context.defaults[key] for key in row.default_keys if key in context.defaults), None)
    ms = row.default if configured is None else configured
    if ms is None or math.isnan(ms):
        return None, MsFrom.UNKNOWN
    if ms == 0 and row.zero == "unbounded":
        return None, MsFrom.UNBOUNDED
    return ms, MsFrom.DEFAULT if configured is None else MsFrom.CONFIGURED


def milliseconds(value: Value, factor: float = 1, *, clock: bool = False) -> float | None:
    """A value as ms: a number of units, or a text such as "2s" or, of a `clock`, "00:02"; a negative time is none at all."""
    number = value.number
    if isinstance(value.data, str):
        return _clock_ms(value.data) if clock else duration_ms(value.data, factor)
    if number is None or not math.isfinite(number):
        return None
    ms = max(number, 0) * factor
    return int(ms) if ms == int(ms) else ms


def _clock_ms(text: str) -> float | None:
    parts = text.split(":")
    if not all(part.isascii() and part.isdigit() for part in parts) or len(parts) > 3:
        return None
    return 1000.0 * sum(int(part) * seconds for part, seconds in zip(reversed(parts), (1, 60, 3600), strict=False))
