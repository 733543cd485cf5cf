"""Where an expression is read, and how deep: what every reader of a kind of expression is given."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import NOT_KNOWN, Value
from traf.syntax.nodes import peel, string_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_MAX_DEPTH = 60
_MAX_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression is read: its file, the outside, and the values given to parameters (by their node's start).

    `readers` read one kind of node each.
    """

    source: Source
    context: Context
    given: Mapping[int, Value]
    readers: Mapping[str, Callable[[Scope, Node], Value]]
    depth: int = 0
    steps: Iterator[int] = field(default_factory=lambda: iter(range(_MAX_STEPS)))

    def value(self, node: Node) -> Value:
        """The value of an expression, or of a part of one; not known where it is nested too deep."""
        if self.depth > _MAX_DEPTH or next(self.steps, None) is None:
            return NOT_KNOWN
        node = peel(node)
        reader = self.readers.get(node.type)
        if reader is not None:
            return reader(replace(self, depth=self.depth + 1), node)
        text = string_of(self.source, node)
        return NOT_KNOWN if text is None else Value(text)

    def of(self, source: Source) -> Scope:
        """The scope of an expression of another file."""
        return replace(self, source=source, given={}, depth=self.depth + 1)
