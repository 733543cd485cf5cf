"""Writes a time into a call that has none: in options, as an argument, in the chain of calls, in the test's body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.syntax.exports import member_of
from traf.syntax.layout import begins_line, braced, indent, line_break, newline, statement_end
from traf.syntax.model import Edit
from traf.syntax.nodes import CALLBACKS, arguments, peel
from traf.syntax.slots import Slot, body_of, position, receiver_in

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.rows import Row
    from traf.syntax.source import Source


def add_time(source: Source, call: Node, slot: Slot, text: str, row: Row) -> list[Edit]:
    """The edits that write a time at a slot of a call that has none there.

    Raises:
        BadInput: if what stands at the slot cannot hold it.
    """
    if slot.place == "body":
        return [first_statement(source, call, f"{receiver_in(source, call, slot)}.{slot.link}({text})")]
    if slot.place in {"before", "after"}:
        return [_linked(source, call, slot, text)]
    if not slot.keys:
        return _plain(source, call, slot, text, row)
    return _option(source, call, slot, text, row)


def _option(source: Source, call: Node, slot: Slot, text: str, row: Row) -> list[Edit]:
    """The edits that write a time into the options of a call."""
    args = arguments(call)
    index = position(call, slot, row.args)
    key = slot.keys[-1]
    option = braced(source, f"{key}: {text}")
    if slot.place == "fn" and (index == len(args) or peel(args[index]).type in CALLBACKS):
        return [_before(source, args[index], option)]
    if slot.shifts and index < len(args) and peel(args[index]).type != "object":
        return [_before(source, args[index], option)]
    if row.object and args and peel(args[0]).type != "object":
        return [_as_object(source, args, row, f"{key}: {text}")]
    if index < len(args) and not _is_nothing(source, args[index]):
        return [_merge(source, call, args[index], key, text)]
    if index < len(args):
        return [Edit(args[index].start_byte, args[index].end_byte, option.encode())]
    return _append(source, call, [*_placeholders(len(args), index, row.fill), option])


def _plain(source: Source, call: Node, slot: Slot, text: str, row: Row) -> list[Edit]:
    """The edits that write a time as an argument of a call."""
    args = arguments(call)
    index = max(len(args), row.args) if slot.place == "last" else slot.index
    if index < len(args) and slot.shifts:
        return [_before(source, args[index], text)]
    if index < len(args) and not _is_nothing(source, args[index]):
        line = source.line_of(call.start_byte)
        raise BadInput(
            f"{source.file}:{line}: argument {index + 1} of this call is no time, so none can be written there",
            slug="not-editable",
        )
    if index < len(args):
        return [Edit(args[index].start_byte, args[index].end_byte, text.encode())]
    return _append(source, call, [*_placeholders(len(args), index, row.fill), text])


def _before(source: Source, arg: Node, text: str) -> Edit:
    """The edit that puts an argument in before another one."""
    between = line_break(source, arg) if begins_line(source, arg) else " "
    return Edit(arg.start_byte, arg.start_byte, f"{text},{between}".encode())


def _as_object(source: Source, args: list[Node], row: Row, option: str) -> Edit:
    """The edit that turns positional arguments into one options object."""
    names = next((names for names in row.object if len(names) == len(args)), None)
    if names is None:
        line = source.line_of(args[0].start_byte)
        raise BadInput(
            f"{source.file}:{line}: this form of the call takes no time; write one options object", slug="not-editable"
        )
    pairs = [f"{name}: {source.text(arg)}" for name, arg in zip(names, args, strict=True)]
    return Edit(args[0].start_byte, args[-1].end_byte, braced(source, ", ".join([*pairs, option])).encode())


def _linked(source: Source, call: Node, slot: Slot, text: str) -> Edit:
    """The edit that puts a call into the chain, on a line of its own where the link beside it has one."""
    target = call.child_by_field_name("function")
    name = target.child_by_field_name("property") if target is not None else None
    holder = target.child_by_field_name("object") if target is not None else None
    at = holder.end_byte if slot.place == "before" and holder is not None else _end_of_members(call)
    own_line = name if name is not None and holder is not None and _begins_after(source, holder, name) else None
    between = line_break(source, own_line) if own_line is not None else ""
    return Edit(at, at, f"{between}.{slot.link}({text})".encode())


def _end_of_members(call: Node) -> int:
    """The end of what is read of a call's result without another call: `.to.be.visible`."""
    end = call
    while end.parent is not None and end.parent.type == "member_expression":
        end = end.parent
    parent = end.parent
    called = parent is not None and parent.type == "call_expression" and parent.child_by_field_name("function") == end
    return call.end_byte if called else end.end_byte


def _begins_after(source: Source, holder: Node, name: Node) -> bool:
    """Whether the line on which a link's name stands begins with it."""
    start = source.line_range(source.line_of(name.start_byte))[0]
    return source.line_of(holder.end_byte) < source.line_of(name.start_byte) and source.data[
        start : name.start_byte
    ].strip() in {b".", b"?."}


def first_statement(source: Source, call: Node, text: str) -> Edit:
    """The edit that makes `text` the first statement of a call's callback.

    Raises:
        BadInput: if the callback has no body to put it in.
    """
    body = body_of(call)
    if body is None:
        line = source.line_of(call.start_byte)
        raise BadInput(f"{source.file}:{line}: the test has no body to set its limit in", slug="no-limit-here")
    head = body.named_children[0] if body.named_children else None
    if head is None or not begins_line(source, head):
        return Edit(body.start_byte + 1, body.start_byte + 1, f" {text};".encode())
    start = source.line_range(source.line_of(head.start_byte))[0]
    ending = statement_end(source) + newline(source, source.line_of(head.start_byte))
    return Edit(start, start, f"{indent(source, head)}{text}{ending}".encode())


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
    holder = call.child_by_field_name("arguments") or call
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
