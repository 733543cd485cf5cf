"""How an author would write a number of milliseconds, in the style of what stood there before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import number_of
from traf.syntax.nodes import peel

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source

_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-zA-Z]*)\s*")
_UNITS_MS = {
    1: ("ms", "msec", "msecs", "millisecond", "milliseconds"),
    1000: ("s", "sec", "secs", "second", "seconds"),
    60_000: ("m", "min", "mins", "minute", "minutes"),
    3_600_000: ("h", "hr", "hrs", "hour", "hours"),
    86_400_000: ("d", "day", "days"),
}
_UNIT_MS = {name: ms for ms, names in _UNITS_MS.items() for name in names}
_GROUPED = re.compile(r"\d+(?:_\d+)+")


def duration_ms(text: str, factor: float = 1) -> float | None:
    """The ms of a text such as "2s", "1.5 minutes" or "500" (units of `factor` ms), as the package ms reads it, or None."""
    form = _DURATION.fullmatch(text)
    unit = form[2].lower() if form is not None else ""
    if form is None or (unit and unit not in _UNIT_MS):
        return None
    ms = float(form[1]) * (_UNIT_MS[unit] if unit else factor)
    return int(ms) if ms == int(ms) else ms


def plain(ms: float, factor: float = 1) -> str:
    """A time as a number of the API's unit (`factor` ms); whole where the unit is the ms."""
    return _short(round(ms) if factor == 1 else ms / factor)


def _short(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


def in_style(source: Source, node: Node, ms: float, factor: float = 1, *, clock: bool = False) -> tuple[Node, str]:
    """The node to replace and its new text: digits grouped as before, the first factor of a product where it fits.

    A text such as "2s" or, of a `clock`, "00:02" stays one.
    """
    inner = peel(node)
    text = plain(ms, factor)
    if inner.type == "string":
        written = source.text(inner)
        worded = _on_clock(written[1:-1], ms) if clock else _worded(written[1:-1], ms, factor)
        return node, text if worded is None else f"{written[0]}{worded}{written[0]}"
    if inner.type == "number":
        return inner, _grouped(text) if _GROUPED.fullmatch(source.text(inner)) else text
    product = _first_factor(source, inner)
    if product is not None:
        first, rest = product
        wanted = float(text)
        if rest and wanted % rest == 0 and wanted >= rest:
            return first, in_style(source, first, wanted / rest)[1]
    # A shorthand property cannot be replaced by a number alone; a cast of something else than a number goes with it.
    return (inner if inner.type == "shorthand_property_identifier" else node), text


def _worded(text: str, ms: float, factor: float) -> str | None:
    """A time with the unit of another one."""
    form = _DURATION.fullmatch(text)
    unit = _UNIT_MS.get(form[2].lower()) if form is not None and form[2] else factor
    return None if form is None or unit is None else f"{_short(ms / unit)}{text[form.end(1) :]}"


def _on_clock(text: str, ms: float) -> str | None:
    """A time as "mm:ss" or "hh:mm:ss", with as many parts as another one or more; None for parts of a second."""
    if ms % 1000:
        return None
    minutes, seconds = divmod(int(ms) // 1000, 60)
    parts = [minutes // 60, minutes % 60, seconds]
    first = next((at for at, part in enumerate(parts) if part), 2)
    return ":".join(f"{part:02}" for part in parts[min(first, 2 - text.count(":")) :])


def _grouped(digits: str) -> str:
    whole, dot, rest = digits.partition(".")
    return f"{int(whole):_}{dot}{rest}"


def _first_factor(source: Source, node: Node) -> tuple[Node, float] | None:
    """The first factor of a product of number literals and the product of the others."""
    rest = 1.0
    while node.type == "binary_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        if left is None or right is None or sign is None or sign.type != "*":
            return None
        right = peel(right)
        value = number_of(source.text(right)) if right.type == "number" else None
        if value is None:
            return None
        rest *= value
        node = peel(left)
    return (node, rest) if node.type == "number" and rest != 1.0 else None
