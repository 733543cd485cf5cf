"""The suite's own names for times: constants of modules from which a file takes wait times already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.model import MsFrom
from traf.syntax.nodes import walk
from traf.syntax.sites import find_waits
from traf.syntax.values import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_DEEPEST = 2


def name_for(source: Source, ms: float, factor: float, context: Context) -> str | None:
    """An imported constant that is worth exactly `ms` (in units of `factor` ms), None if there is none.

    Only constants of modules count that give the file a wait time already: not every 3000 is a time.
    """
    modules = set(_modules_of_times(source, context))
    for binding in bindings_of(source).imports() if modules else ():
        if binding.module in modules and binding.path != ("*",):
            value = evaluate(source, binding.node, context)
            for name, data in _numbers(binding.name, value.data, _DEEPEST):
                if data * factor == ms:
                    return name
    return None


def _modules_of_times(source: Source, context: Context) -> Iterator[str]:
    for wait in find_waits(source, context):
        reading = wait.reading
        if reading is None or reading.node is None or reading.value.origin is not MsFrom.IMPORTED:
            continue
        for node in walk(reading.node):
            binding = bindings_of(source).resolve(source.text(node), node) if node.type == "identifier" else None
            if binding is not None and binding.module is not None:
                yield binding.module


def _numbers(name: str, data: object, depth: int) -> Iterator[tuple[str, float]]:
    """The numbers that a name gives, itself or as members of its object."""
    if isinstance(data, int | float) and not isinstance(data, bool):
        yield name, data
    elif isinstance(data, dict) and depth:
        for key, member in data.items():
            if isinstance(key, str) and _IDENTIFIER.fullmatch(key):
                yield from _numbers(f"{name}.{key}", member, depth - 1)
