"""What an expression is worth without running it: literals, arithmetic, constants of this and other files, fallbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.arithmetic import ENVIRONMENT, NOT_KNOWN, UNKNOWN, Value, binary, join, number_of, rank, unary
from traf.syntax.composites import read_array, read_call, read_object, read_template
from traf.syntax.model import MsFrom
from traf.syntax.names import read_class, read_member, read_name
from traf.syntax.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source


def evaluate(source: Source, node: Node, context: Context, given: Mapping[int, Value] | None = None) -> Value:
    """The value of an expression; `UNKNOWN` data where it depends on more than constants.

    `given` are values of parameters, by the start of the parameter's name.
    """
    return Scope(source, context, given or {}, _READERS).value(node)


def _number(scope: Scope, node: Node) -> Value:
    number = number_of(scope.source.text(node))
    return NOT_KNOWN if number is None else Value(number)


def _binary(scope: Scope, node: Node) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node.child_by_field_name("operator")
    if left is None or right is None or sign is None:
        return NOT_KNOWN
    first = scope.value(left)
    if sign.type in {"??", "||", "&&"}:
        return _fallback(scope, sign.type, first, right)
    return binary(sign.type, first, scope.value(right))


def _fallback(scope: Scope, sign: str, a: Value, right: Node) -> Value:
    if a.data is UNKNOWN:
        if a.origin is not MsFrom.ENVIRONMENT or sign == "&&":
            return a
        b = scope.value(right)
        return Value(b.data, max(b.origin, MsFrom.EXPRESSION, key=rank), b.notes | {"environment"})
    keep = a.data is not None if sign == "??" else bool(a.data) if sign == "||" else not a.data
    return a if keep else scope.value(right)


def _ternary(scope: Scope, node: Node) -> Value:
    condition = node.child_by_field_name("condition")
    if condition is None:
        return NOT_KNOWN
    test = scope.value(condition)
    if test.data is UNKNOWN:
        known = test.origin is MsFrom.ENVIRONMENT or ENVIRONMENT.search(scope.source.text(condition))
        return Value(UNKNOWN, MsFrom.ENVIRONMENT if known else MsFrom.UNKNOWN)
    branch = node.child_by_field_name("consequence" if test.data else "alternative")
    if branch is None:
        return NOT_KNOWN
    value = scope.value(branch)
    return join(value.data, value, test)


def _unary(scope: Scope, node: Node) -> Value:
    inner, sign = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    return unary(sign.type, scope.value(inner)) if inner is not None and sign is not None else NOT_KNOWN


_READERS: Mapping[str, Callable[[Scope, Node], Value]] = {
    "number": _number,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": _ternary,
    "identifier": read_name,
    "shorthand_property_identifier": read_name,
    "member_expression": read_member,
    "subscript_expression": read_member,
    "object": read_object,
    "array": read_array,
    "class": read_class,
    "class_declaration": read_class,
    "call_expression": read_call,
    "template_string": read_template,
    "true": lambda _scope, _node: Value(data=True),
    "false": lambda _scope, _node: Value(data=False),
    "null": lambda _scope, _node: Value(None),
    "undefined": lambda _scope, _node: Value(None),
}
