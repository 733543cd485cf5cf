"""The times that a configuration file writes, as waits: `timeout` of a Playwright configuration, `testTimeout` of Jest's."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import UNKNOWN
from traf.syntax.bindings import bindings_of
from traf.syntax.catalogue import config_rows
from traf.syntax.exports import exported, member_of
from traf.syntax.model import WaitSite
from traf.syntax.nodes import ancestors, arguments, key_of, peel
from traf.syntax.reading import Reading
from traf.syntax.returned import returned
from traf.syntax.rows import ConfigRow, Row
from traf.syntax.slots import Slot
from traf.syntax.times import milliseconds, time_in_force
from traf.syntax.values import evaluate
from traf.syntax.waits import Wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_SHARED = "the time is a default of the configuration, shared by all tests"
_MAX_HOPS = 8


def config_waits(source: Source, context: Context) -> list[Wait]:
    """The written times of a configuration file; none for any other file."""
    rows = list(config_rows(PurePosixPath(source.file).name))
    waits = [wait for row in rows if row.anywhere for wait in _scattered(source, row, context)]
    options = _options(source, context) if any(not row.anywhere for row in rows) else None
    if options is not None:
        found = (
            _wait(source, node, row, context)
            for row in rows
            if not row.anywhere
            for node in _written(source, options, row)
        )
        waits += [wait for wait in found if wait is not None]
    return sorted(waits, key=lambda wait: wait.site.start)


def _options(source: Source, context: Context) -> Node | None:
    """The object literal that a configuration module exports."""
    found = exported(source, "default", context) or exported(source, "config", context)
    return _object_of(source, returned(source, found[1])) if found is not None and found[0] is source else None


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


def _written(source: Source, options: Node, row: ConfigRow) -> list[Node]:
    """The values that an object, its `projects`, and what is spread into it on a condition, give to the key of a row."""
    own = _given(source, [options], row.key.split("."))
    return own + _given(source, [options], ["projects", *row.key.split(".")])


def _given(source: Source, found: list[Node], keys: list[str]) -> list[Node]:
    for key in keys:
        holders = [holder for node in found for holder in _alternatives(peel(node))]
        found = [node for holder in holders if (node := member_of(source, holder, key)) is not None]
    return found


def _alternatives(node: Node) -> Iterator[Node]:
    """An object literal, those of a list, and those of `...(slow && { ... })` and `...(slow ? { ... } : { ... })` in it."""
    if node.type in {"binary_expression", "ternary_expression", "array"}:
        for part in node.named_children:
            yield from _alternatives(peel(part))
    elif node.type == "object":
        yield node
        for child in node.named_children:
            if child.type == "spread_element" and child.named_children:
                yield from _alternatives(peel(child.named_children[0]))


def _scattered(source: Source, row: ConfigRow, context: Context) -> Iterator[Wait]:
    """The waits of a key path that may stand anywhere in the file."""
    *outer, last = row.key.split(".")
    for pair in source.nodes("pair"):
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is None or value is None or key_of(source, key) != last:
            continue
        around = [up.child_by_field_name("key") for up in ancestors(pair) if up.type == "pair"]
        names = [key_of(source, each) for each in around if each is not None]
        wait = _wait(source, value, row, context) if names[: len(outer)] == outer[::-1] else None
        if wait is not None:
            yield wait


def _wait(source: Source, node: Node, row: ConfigRow, context: Context) -> Wait | None:
    value = evaluate(source, node, context)
    if value.data is None or (isinstance(value.data, str) and milliseconds(value) is None):
        return None
    warn = row.warn or (None if row.anywhere else _SHARED)
    api = Row(row.framework, (row.key,), ("",), row.kind, unit=row.unit, zero="unbounded", warn=warn)
    shared = None if value.data is not UNKNOWN else source.text(node)
    reading = Reading(Slot("argument", 0, (row.key,)), value, node, node, shared)
    ms, origin = time_in_force(reading, api, context, api.factor)
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
    return Wait(site, pair, api, reading.slot, reading, site.line, api.factor)
