"""The times that a configuration file writes, as waits: `timeout` of a Playwright configuration, `testTimeout` of Jest's."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import UNKNOWN
from traf.syntax.bindings import bindings_of
from traf.syntax.catalogue import ConfigRow, Row, config_rows
from traf.syntax.exports import exported, member_of
from traf.syntax.model import WaitSite
from traf.syntax.nodes import arguments, peel
from traf.syntax.reading import Reading, Slot
from traf.syntax.values import evaluate
from traf.syntax.waits import Wait, time_in_force

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_SHARED = "the time is a default of the configuration, shared by all tests"
_MAX_HOPS = 8


def config_waits(source: Source, context: Context) -> list[Wait]:
    """The written times of a configuration file; none for any other file."""
    rows = list(config_rows(PurePosixPath(source.file).name))
    found = exported(source, "default", context) if rows else None
    if found is None or found[0] is not source:
        return []
    options = _object_of(source, found[1])
    waits = (_config_wait(source, options, row, context) for row in rows) if options is not None else ()
    return sorted((wait for wait in waits if wait is not None), key=lambda wait: wait.site.start)


def _object_of(source: Source, node: Node) -> Node | None:
    """The object literal behind `defineConfig(...)` and a constant's name."""
    for _hop in range(_MAX_HOPS):
        node = peel(node)
        if node.type == "object":
            return node
        if node.type == "call_expression" and arguments(node):
            node = arguments(node)[-1]
        elif node.type == "identifier":
            binding = bindings_of(source).resolve(source.text(node), node)
            if binding is None or binding.value is None:
                return None
            node = binding.value
        else:
            return None
    return None


def _config_wait(source: Source, options: Node, row: ConfigRow, context: Context) -> Wait | None:
    node: Node | None = options
    for key in row.key.split("."):
        node = member_of(source, peel(node), key) if node is not None else None
    if node is None:
        return None
    value = evaluate(source, node, context)
    if isinstance(value.data, str) or value.data is None:
        return None
    api = Row(row.framework, (row.key,), ("",), row.kind, zero="unbounded", warn=_SHARED)
    reading = Reading(Slot(0, row.key), value, node, node, None if value.data is not UNKNOWN else source.text(node))
    ms, origin = time_in_force(reading, api, context)
    pair = node.parent if node.parent is not None and node.parent.type == "pair" else node
    line = source.line_of(node.start_byte)
    site = WaitSite(
        file=source.file,
        line=source.line_of(pair.start_byte),
        column=source.column_of(pair.start_byte),
        start=pair.start_byte,
        end=pair.end_byte,
        framework=row.framework,
        api=row.key,
        kind=row.kind,
        ms=ms,
        ms_from=origin,
        level=0,
        action="replace",
        time_line=line,
    )
    return Wait(site, pair, api, reading.slot, reading, site.line)
