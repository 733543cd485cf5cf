"""The time of one call: where it stands or would stand, what it is worth, and which token an edit would replace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import UNKNOWN, Value
from traf.syntax.bindings import bindings_of
from traf.syntax.declarations import Binding
from traf.syntax.exports import member_of
from traf.syntax.model import MsFrom
from traf.syntax.nodes import CALLBACKS, arguments, peel
from traf.syntax.slots import Slot, linked_call, position, spread_before
from traf.syntax.values import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_FIRST = Slot("argument")
_NO_TIMES = CALLBACKS | {"object", "array", "regex", "true", "false", "class"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A written time.

    `node` is the expression in this file that gives the time, None where it comes with options from elsewhere; `target` is
    what an edit replaces: `node`, or the initialiser of a constant that only this place uses. `shared` names a constant
    that others use too.
    """

    slot: Slot
    value: Value
    node: Node | None = None
    target: Node | None = None
    shared: str | None = None
    parameter: bool = False


def read(
    source: Source,
    call: Node,
    slot: Slot,
    context: Context,
    *,
    least: int = 0,
    given: Mapping[int, Value] | None = None,
) -> Reading | None:
    """The time that is written at a slot of a call, None if none is."""
    if slot.place == "value":
        node = call.child_by_field_name("right")
        return _plain(source, slot, node, context, given) if node is not None else None
    if not slot.is_argument:
        linked = linked_call(source, call, slot)
        place = replace(slot, place="last") if slot.keys else _FIRST
        return read(source, linked, place, context, least=1, given=given) if linked is not None else None
    args = arguments(call)
    index = position(call, slot, least)
    if not 0 <= index < len(args) or spread_before(call, index):
        return None
    if not slot.keys:
        return _plain(source, slot, args[index], context, given)
    arg = args[index]
    for key in slot.keys[:-1]:
        holder = peel(arg)
        inner = member_of(source, holder, key) if holder.type == "object" else None
        if inner is None:
            return None
        arg = inner
    return _option(source, slot, arg, context, given)


def _plain(
    source: Source, slot: Slot, node: Node, context: Context, given: Mapping[int, Value] | None
) -> Reading | None:
    """The time that an expression gives by itself."""
    if peel(node).type in _NO_TIMES:
        return None
    value = evaluate(source, node, context, given)
    # `f(x, undefined)` writes no time; where the place may hold something else, a text is no time either.
    floating = slot.shifts or slot.place == "last"
    return (
        None
        if value.data is None or (floating and isinstance(value.data, str))
        else _reading(source, slot, node, value)
    )


def _option(
    source: Source, slot: Slot, arg: Node, context: Context, given: Mapping[int, Value] | None
) -> Reading | None:
    value = evaluate(source, arg, context, given)
    holder = peel(arg)
    if holder.type == "identifier":
        holder = _own_object(source, holder) or holder
    key = slot.keys[-1]
    if holder.type == "object":
        node = member_of(source, holder, key)
        if node is not None and not _overridden(source, holder, node, key, context):
            member = evaluate(source, node, context, given)
            return None if member.data is None else _reading(source, slot, node, member)
    if isinstance(value.data, dict):
        if key in value.data:
            data = value.data[key]
            origin = MsFrom.CONSTANT if value.origin in {MsFrom.LITERAL, MsFrom.EXPRESSION} else value.origin
            return None if data is None else Reading(slot, Value(data, origin, value.notes))
        return Reading(slot, Value(UNKNOWN, MsFrom.UNKNOWN)) if UNKNOWN in value.data else None
    if value.data is UNKNOWN and holder.type not in {
        "arrow_function",
        "function_expression",
        "string",
        "template_string",
    }:
        return Reading(slot, Value(UNKNOWN, value.origin))
    return None


def _own_object(source: Source, name: Node) -> Node | None:
    """The object literal of a constant that only this place uses."""
    binding = bindings_of(source).resolve(source.text(name), name)
    if binding is None or binding.value is None or binding.path or not _only_here(source, binding):
        return None
    value = peel(binding.value)
    return value if value.type == "object" else None


def _overridden(source: Source, holder: Node, node: Node, key: str, context: Context) -> bool:
    """Whether a spread after the written key may set it again."""
    for child in holder.named_children:
        if child.type == "spread_element" and child.start_byte > node.start_byte and child.named_children:
            data = evaluate(source, child.named_children[0], context).data
            if not isinstance(data, dict) or key in data or UNKNOWN in data:
                return True
    return False


def _reading(source: Source, slot: Slot, node: Node, value: Value) -> Reading:
    inner = peel(node)
    if inner.type not in {"identifier", "shorthand_property_identifier"}:
        names = [source.text(inner)] if inner.type in {"member_expression", "subscript_expression"} else []
        return Reading(slot, value, node, node, names[0] if names else None)
    binding = bindings_of(source).resolve(source.text(inner), inner)
    if binding is None:
        return Reading(slot, value, node, node)
    parameter = binding.kind == "parameter"
    if binding.value is not None and binding.kind in {"const", "let", "parameter"} and _only_here(source, binding):
        default = binding.fallback if binding.path else binding.value
        if default is not None and not bindings_of(source).reassigned(binding):
            return Reading(slot, value, node, default, None, parameter)
    return Reading(slot, value, node, node, source.text(inner), parameter)


def _only_here(source: Source, binding: Binding) -> bool:
    """Whether a constant has one use in its file and none outside."""
    statement = binding.node.parent
    while statement is not None and statement.type not in {"program", "statement_block"}:
        if statement.type == "export_statement":
            return False
        statement = statement.parent
    return len(bindings_of(source).uses(binding)) == 1
