"""Values of expressions, and what operators and built-in functions make of them."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from traf.syntax.model import MsFrom

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SAFE_INTEGER = 2**53


class Unknown:
    """The type of `UNKNOWN`: a value that cannot be told without running the code."""

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        return False


UNKNOWN: Final = Unknown()

_RANKS = {
    origin: rank
    for rank, origin in enumerate(
        (
            MsFrom.LITERAL,
            MsFrom.EXPRESSION,
            MsFrom.CONSTANT,
            MsFrom.PARAMETER,
            MsFrom.IMPORTED,
            MsFrom.ENVIRONMENT,
            MsFrom.UNKNOWN,
        )
    )
}
_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": math.fmod,
    "**": operator.pow,
}
_COMPARISONS: Mapping[str, Callable[[object, object], bool]] = {
    "===": operator.eq,
    "==": operator.eq,
    "!==": operator.ne,
    "!=": operator.ne,
}
_MATH: Mapping[str, Callable[..., float]] = {
    "Math.max": max,
    "Math.min": min,
    "Math.round": lambda x: math.floor(x + 0.5),
    "Math.floor": math.floor,
    "Math.ceil": math.ceil,
    "Math.abs": abs,
}
_VARIADIC = frozenset({"Math.max", "Math.min"})
_PATHS = frozenset({"path.join", "path.resolve", "join", "resolve", "require.resolve"})
# What is read from the environment.
ENVIRONMENT: Final = re.compile(r"\b(?:process\s*\??\.|import\.meta\.env|__ENV\b|Cypress\.env|Deno\.env|Bun\.env)")
_CONVERSIONS = frozenset({"Number", "parseInt", "parseFloat", "Number.parseInt", "Number.parseFloat"})


@dataclass(frozen=True, slots=True)
class Value:
    """A value, where it comes from, and remarks: "environment" (a fallback is in force), "random"."""

    data: object
    origin: MsFrom = MsFrom.LITERAL
    notes: frozenset[str] = frozenset()

    @property
    def number(self) -> float | None:
        """The value as a number, None where it is none."""
        if isinstance(self.data, bool) or not isinstance(self.data, int | float):
            return None
        return self.data


NOT_KNOWN: Final = Value(UNKNOWN, MsFrom.UNKNOWN)


def number_of(text: str) -> float | None:
    """The number that a JavaScript number literal stands for."""
    digits = text.replace("_", "").lower()
    try:
        if digits[:2] in {"0x", "0o", "0b"}:
            return int(digits, 0)
        number = float(digits.removesuffix("n"))
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < _SAFE_INTEGER else number


def rank(origin: MsFrom) -> int:
    """How far from a plain literal an origin is."""
    return _RANKS[origin]


def join(data: object, *parts: Value, least: MsFrom = MsFrom.EXPRESSION) -> Value:
    """A value made of others: it is as far from a literal as the farthest of them, and at least `least`."""
    origin = max((part.origin for part in parts), key=rank, default=least)
    if _RANKS[origin] < _RANKS[least]:
        origin = least
    notes = frozenset().union(*(part.notes for part in parts))
    if isinstance(data, float) and not math.isfinite(data):
        data = UNKNOWN
    if isinstance(data, float) and data.is_integer() and abs(data) < _SAFE_INTEGER:
        data = int(data)
    if data is UNKNOWN and origin is not MsFrom.ENVIRONMENT:
        origin = MsFrom.UNKNOWN
    return Value(data, origin, notes)


def binary(sign: str, a: Value, b: Value) -> Value:
    """What a binary operator makes of two values."""
    data: object = UNKNOWN
    x, y = a.number, b.number
    if a.data is UNKNOWN or b.data is UNKNOWN:
        data = UNKNOWN
    elif sign in _COMPARISONS:
        data = _COMPARISONS[sign](a.data, b.data)
    elif sign == "+" and isinstance(a.data, str) and isinstance(b.data, str):
        data = a.data + b.data
    elif x is not None and y is not None and sign in _ARITHMETIC:
        data = _computed(_ARITHMETIC[sign], x, y)
    return join(data, a, b)


def _computed(compute: Callable[[float, float], float], x: float, y: float) -> object:
    try:
        return float(compute(float(x), float(y)))
    except (ArithmeticError, ValueError, TypeError):
        return UNKNOWN


def unary(sign: str, a: Value) -> Value:
    """What a sign or `!` makes of a value."""
    data: object = UNKNOWN
    if a.data is not UNKNOWN and sign == "!":
        data = not a.data
    elif a.number is not None and sign in {"-", "+"}:
        data = -a.number if sign == "-" else a.number
    return join(data, a)


def builtin(name: str, values: list[Value]) -> Value:
    """What a function of the language makes of its arguments; not known for any other."""
    numbers = [value.number for value in values]
    data: object = UNKNOWN
    if name == "Math.random":
        return Value(UNKNOWN, MsFrom.UNKNOWN, frozenset({"random"}))
    if name in _CONVERSIONS and values:
        text = values[0].data
        number = number_of(text) if isinstance(text, str) else values[0].number
        data = UNKNOWN if number is None else number
    elif name in _PATHS and values and all(isinstance(value.data, str) for value in values):
        data = "/".join(str(value.data) for value in values)
    elif name in _MATH and numbers and None not in numbers:
        data = _MATH[name](*numbers) if name in _VARIADIC else _MATH[name](numbers[0])
    return join(data, *values)
