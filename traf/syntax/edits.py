"""Byte-exact edits that give a wait a time, in the style of the file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.syntax.exports import member_of
from traf.syntax.insert import insertion
from traf.syntax.layout import begins_line, braced, line_break
from traf.syntax.model import Edit, WaitSite
from traf.syntax.nodes import arguments, peel
from traf.syntax.numbers import in_style, plain
from traf.syntax.reading import LAST, Slot, position
from traf.syntax.sites import find_waits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.waits import Wait


def edits_for(source: Source, site: WaitSite, ms: float, context: Context) -> tuple[Edit, ...]:
    """The edits that give a site the time `ms`; none where it has that time already.

    Raises:
        BadInput: where the time cannot be given, with the reason.
    """
    where = f"{source.file}:{site.line}:{site.column}"
    if not math.isfinite(ms) or ms < 0:
        raise BadInput(f"{where}: {ms:g} ms is no time to wait; give 0 or more", slug="bad-time")
    if not site.editable:
        raise BadInput(f"{where}: {site.reason or 'the time of this call cannot be edited'}", slug="not-editable")
    if site.action == "insert":
        return insertion(source, site, ms, context)
    wait = find_wait(source, site, context)
    if site.ms == ms and wait.reading is not None:
        return ()
    return tuple(sorted(wait_edits(source, wait, ms), key=lambda edit: edit.start))


def find_wait(source: Source, site: WaitSite, context: Context) -> Wait:
    """The wait behind a site of the same file.

    Raises:
        BadInput: if the file holds no such wait (it has changed since).
    """
    for wait in find_waits(source, context):
        if (wait.site.start, wait.site.end) == (site.start, site.end):
            return wait
    raise BadInput(f"{source.file}:{site.line}: the wait is no longer there; choose it again", slug="stale-site")


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes with all edits made.

    Raises:
        ValueError: if edits overlap or lie outside.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    parts, at = [], 0
    for edit in ordered:
        if not at <= edit.start <= edit.end <= len(data):
            raise ValueError(f"edit of bytes {edit.start} to {edit.end} overlaps another or lies outside of the file")
        parts += [data[at : edit.start], edit.text]
        at = edit.end
    return b"".join([*parts, data[at:]])


def wait_edits(source: Source, wait: Wait, ms: float) -> list[Edit]:
    """The edits that give a wait a time, whatever it has now."""
    reading, slot = wait.reading, wait.slot
    if reading is not None and reading.target is not None:
        return [replacement(source, reading.target, ms, wait.factor)]
    if slot is None:
        raise BadInput(f"{source.file}:{wait.site.line}: {wait.site.api}() takes no time", slug="takes-no-time")
    return add_time(source, wait.call, slot, plain(ms, wait.factor), least=wait.row.args, fill=wait.row.fill)


def replacement(source: Source, target: Node, ms: float, factor: float = 1) -> Edit:
    """The edit that writes a time where one is written."""
    node, text = in_style(source, target, ms, factor)
    if node.type == "shorthand_property_identifier":
        text = f"{source.text(node)}: {text}"
    return Edit(node.start_byte, node.end_byte, text.encode())


def add_time(
    source: Source, call: Node, slot: Slot, text: str, *, least: int = 0, fill: dict[str, str] | None = None
) -> list[Edit]:
    """The edits that write a time at a slot of a call that has none there.

    Raises:
        BadInput: if the argument at the slot cannot hold it.
    """
    args = arguments(call)
    index = position(call, slot, least)
    if slot.key is None:
        if index < len(args) and not _is_nothing(source, args[index]):
            line = source.line_of(call.start_byte)
            raise BadInput(
                f"{source.file}:{line}: argument {index + 1} of this call is no time, so none can be written there",
                slug="not-editable",
            )
        if index < len(args):
            return [Edit(args[index].start_byte, args[index].end_byte, text.encode())]
        return _append(source, call, [*_placeholders(len(args), index, fill or {}), text])
    if index < len(args) and not _is_nothing(source, args[index]):
        return [_merge(source, call, args[index], slot.key, text)]
    option = braced(source, f"{slot.key}: {text}")
    if index < len(args):
        return [Edit(args[index].start_byte, args[index].end_byte, option.encode())]
    if slot.index == LAST:
        return _append(source, call, [*["undefined"] * (index - len(args)), option])
    return _append(source, call, [*_placeholders(len(args), index, fill or {}), option])


def _is_nothing(source: Source, arg: Node) -> bool:
    return source.text(peel(arg)) in {"undefined", "null"}


def _placeholders(have: int, index: int, fill: dict[str, str]) -> list[str]:
    return [fill.get(str(at), "undefined") for at in range(have, index)]


def _merge(source: Source, call: Node, arg: Node, key: str, text: str) -> Edit:
    """The edit that puts a key into the options, after everything that could set it again."""
    options = peel(arg)
    if options.type == "object":
        return _into_object(source, options, key, text)
    if options.type in {
        "identifier",
        "member_expression",
        "call_expression",
        "subscript_expression",
        "ternary_expression",
    }:
        own = source.text(arg)
        spread = f"({own})" if options.type == "ternary_expression" else own
        return Edit(arg.start_byte, arg.end_byte, braced(source, f"...{spread}, {key}: {text}").encode())
    line = source.line_of(call.start_byte)
    raise BadInput(
        f"{source.file}:{line}: the options of this call are no object that a time could be added to; write them out",
        slug="not-editable",
    )


def _into_object(source: Source, options: Node, key: str, text: str) -> Edit:
    members = [child for child in options.named_children if child.type != "comment"]
    if not members:
        return Edit(options.start_byte, options.end_byte, braced(source, f"{key}: {text}").encode())
    written = member_of(source, options, key)
    spreads = [member.start_byte for member in members if member.type == "spread_element"]
    if written is not None and written.type != "method_definition" and written.start_byte > max(spreads, default=-1):
        return Edit(written.start_byte, written.end_byte, text.encode())
    last = members[-1]
    own_line = source.line_of(options.start_byte) != source.line_of(last.start_byte) and begins_line(source, last)
    between = line_break(source, last) if own_line else " "
    return Edit(last.end_byte, last.end_byte, f",{between}{key}: {text}".encode())


def _append(source: Source, call: Node, texts: list[str]) -> list[Edit]:
    """The edit that adds arguments after the last one, on lines of their own where the arguments stand so."""
    holder = call.child_by_field_name("arguments")
    assert holder is not None
    args = arguments(call)
    close = holder.end_byte - 1
    if not args:
        return [Edit(close, close, ", ".join(texts).encode())]
    last = args[-1]
    comma = next((child for child in holder.children if child.type == "," and child.start_byte >= last.end_byte), None)
    own_lines = begins_line(source, last) and source.line_of(close) > source.line_of(last.end_byte - 1)
    if not own_lines:
        at = last.end_byte
        return [Edit(at, at, "".join(f", {text}" for text in texts).encode())]
    break_ = line_break(source, last)
    joined = f",{break_}".join(texts)
    if comma is None:
        return [Edit(last.end_byte, last.end_byte, f",{break_}{joined}".encode())]
    line_end = source.line_range(source.line_of(comma.start_byte))[1]
    at = line_end if source.line_of(close) > source.line_of(comma.start_byte) else comma.end_byte
    return [Edit(at, at, f"{break_}{joined},".encode())]
