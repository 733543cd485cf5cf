"""How an author would write a number of milliseconds, in the style of what stood there before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import number_of
from traf.syntax.nodes import peel

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source

_GROUPED = re.compile(r"\d+(?:_\d+)+")


def plain(ms: float, factor: float = 1) -> str:
    """A time as a number of the API's unit (`factor` ms); whole where the unit is the ms."""
    units = round(ms) if factor == 1 else ms / factor
    return str(int(units)) if units == int(units) else repr(units)


def in_style(source: Source, node: Node, ms: float, factor: float = 1) -> tuple[Node, str]:
    """The node to replace and its new text: digits grouped as before, the first factor of a product where it fits."""
    inner = peel(node)
    text = plain(ms, factor)
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
