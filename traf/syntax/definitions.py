"""The definitions of constants that are times: a line that says `const SLOW = 8000` means what waits for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.exports import exported
from traf.syntax.model import WaitKind, WaitSite
from traf.syntax.nodes import arguments, key_of, peel
from traf.syntax.reading import Reading
from traf.syntax.rows import Row
from traf.syntax.slots import Slot, position
from traf.syntax.times import milliseconds
from traf.syntax.values import evaluate
from traf.syntax.waits import Wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.declarations import Binding
    from traf.syntax.model import Context
    from traf.syntax.source import Source

# A constant that only other files use is a time by its name and size.
_BOUND = re.compile(r"time_?out|deadline|wait_?(?:for|until)|max_?(?:time|wait)", re.IGNORECASE)
_SLEEP = re.compile(r"sleep|delay|pause|wait", re.IGNORECASE)
_OTHER = re.compile(r"count|size|interval|retr|attempt|sec(?:ond)?s?$|min(?:ute)?s?$", re.IGNORECASE)
_LEAST_MS = 100


@dataclass(frozen=True, slots=True)
class _Definition:
    """The value of a constant, or of a key of one that is an object, and the names that lead there."""

    binding: Binding
    names: tuple[str, ...]
    value: Node


def defined_waits(source: Source, waits: list[Wait], context: Context) -> Iterator[Wait]:
    """The constants that give `waits` their time, or that are exported and named like a time, each as a wait."""
    for definition in _definitions(source):
        users = [wait for wait in waits if _uses(source, wait, definition)]
        shared = _is_exported(source, definition.binding, context)
        row = users[0].row if users else _row_by_name(definition, context) if shared else None
        value = evaluate(source, definition.value, context) if row is not None else None
        ms = milliseconds(value, users[0].factor if users else 1) if value is not None else None
        if row is None or value is None or ms is None or (not users and ms < _LEAST_MS):
            continue
        remarks = {
            f"{len(users)} waits of this file share this time": len(users) > 1,
            "the waits of other files may share this time": shared,
            "the name is given another value elsewhere": bindings_of(source).reassigned(definition.binding),
        }
        reading = Reading(Slot("argument"), value, None, definition.value)
        yield _wait(source, definition, row, reading, ms, tuple(remark for remark, holds in remarks.items() if holds))


def _definitions(source: Source) -> Iterator[_Definition]:
    for node in source.nodes("variable"):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "identifier" or value is None:
            continue
        binding = bindings_of(source).resolve(source.text(name), name)
        if binding is not None and binding.node == name and binding.kind in {"const", "let"}:
            yield from _within(source, _Definition(binding, (binding.name,), peel(value)))


def _within(source: Source, definition: _Definition) -> Iterator[_Definition]:
    """The definition itself, or those of the keys of the object that it is."""
    if definition.value.type != "object":
        yield definition
        return
    for pair in definition.value.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = key_of(source, key) if key is not None else None
        if name is not None and value is not None:
            yield from _within(source, replace(definition, names=(*definition.names, name), value=peel(value)))


def _uses(source: Source, wait: Wait, definition: _Definition) -> bool:
    """Whether a wait's time is exactly this one: the name or the member, or options that are the constant."""
    if wait.reading is None or wait.slot is None:
        return False
    node, names, keys = wait.reading.node, definition.names, wait.slot.keys
    if node is None:
        if not keys or not wait.slot.is_argument or names[-len(keys) :] != keys:
            return False
        args, index = arguments(wait.call), position(wait.call, wait.slot, wait.row.args)
        node, names = args[index] if 0 <= index < len(args) else None, names[: -len(keys)]
    if node is None or source.text(peel(node)).replace("?.", ".") != ".".join(names):
        return False
    return bindings_of(source).resolve(names[0], node) == definition.binding


def _is_exported(source: Source, binding: Binding, context: Context) -> bool:
    at_top = bindings_of(source).resolve(binding.name, source.root) == binding
    return at_top and exported(source, binding.name, context, hops=0) is not None


def _row_by_name(definition: _Definition, context: Context) -> Row | None:
    name = ".".join(definition.names)
    bound = bool(_BOUND.search(name))
    if _OTHER.search(name) or not (bound or _SLEEP.search(name)):
        return None
    kind = WaitKind.POLL_TIMEOUT if bound else WaitKind.FIXED_SLEEP
    return Row(context.framework or "generic", (name,), ("",), kind)


def _wait(
    source: Source, definition: _Definition, row: Row, reading: Reading, ms: float, warnings: tuple[str, ...]
) -> Wait:
    parent = definition.value.parent
    node = parent if parent is not None and parent.type in {"pair", "variable_declarator"} else definition.value
    line = source.line_of(node.start_byte)
    site = WaitSite(
        file=source.file,
        line=line,
        column=source.column_of(node.start_byte),
        start=node.start_byte,
        end=node.end_byte,
        framework=row.framework,
        api=".".join(definition.names),
        kind=row.kind,
        ms=ms,
        ms_from=reading.value.origin,
        level=0,
        action="replace",
        time_line=source.line_of(definition.value.start_byte),
        warnings=warnings,
    )
    return Wait(site, node, row, reading.slot, reading, line, row.factor)
