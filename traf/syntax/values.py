"""What an expression is worth without running it: literals, arithmetic, constants of this and other files, fallbacks."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import NOT_KNOWN, UNKNOWN, Value, binary, builtin, join, number_of, rank, unary
from traf.syntax.bindings import bindings_of
from traf.syntax.declarations import Binding, required_module
from traf.syntax.exports import exported
from traf.syntax.fields import field_of_this, static_fields
from traf.syntax.model import MsFrom
from traf.syntax.nodes import arguments, key_of, peel, string_of
from traf.syntax.numbers import duration_ms
from traf.syntax.returned import returned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_MAX_DEPTH = 60
_MAX_STEPS = 10_000


# Calls that give back their argument; several objects are laid over each other.
_IDENTITY = frozenset({"Object.freeze", "Object.assign", "defineConfig", "defineProject", "structuredClone"})
_MERGES = frozenset({"mergeConfig", "merge", "_.merge", "deepmerge"})
# Packages whose function makes ms of a text such as "2s".
_DURATIONS = frozenset({"ms", "@vercel/ms", "@lukeed/ms", "parse-duration"})
_ENVIRONMENT = re.compile(r"\b(?:process\s*\??\.|import\.meta\.env|__ENV\b|Cypress\.env|Deno\.env|Bun\.env)")


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression is read: its file, the outside, and the values given to parameters (by their node's start)."""

    source: Source
    context: Context
    given: Mapping[int, Value]
    depth: int = 0
    steps: Iterator[int] = field(default_factory=lambda: iter(range(_MAX_STEPS)))

    def deeper(self) -> Scope:
        """The scope of a part of an expression."""
        return Scope(self.source, self.context, self.given, self.depth + 1, self.steps)


def evaluate(source: Source, node: Node, context: Context, given: Mapping[int, Value] | None = None) -> Value:
    """The value of an expression; `UNKNOWN` data where it depends on more than constants.

    `given` are values of parameters, by the start of the parameter's name.
    """
    return _value(Scope(source, context, given or {}), node)


def _value(scope: Scope, node: Node) -> Value:
    if scope.depth > _MAX_DEPTH or next(scope.steps, None) is None:
        return NOT_KNOWN
    scope = scope.deeper()
    node = peel(node)
    reader = _READERS.get(node.type)
    if reader is not None:
        return reader(scope, node)
    text = string_of(scope.source, node)
    return NOT_KNOWN if text is None else Value(text)


def _number(scope: Scope, node: Node) -> Value:
    number = number_of(scope.source.text(node))
    return NOT_KNOWN if number is None else Value(number)


def _binary(scope: Scope, node: Node) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node.child_by_field_name("operator")
    if left is None or right is None or sign is None:
        return NOT_KNOWN
    first = _value(scope, left)
    if sign.type in {"??", "||", "&&"}:
        return _fallback(scope, sign.type, first, right)
    return binary(sign.type, first, _value(scope, right))


def _fallback(scope: Scope, sign: str, a: Value, right: Node) -> Value:
    if a.data is UNKNOWN:
        if a.origin is not MsFrom.ENVIRONMENT or sign == "&&":
            return a
        b = _value(scope, right)
        return Value(b.data, max(b.origin, MsFrom.EXPRESSION, key=rank), b.notes | {"environment"})
    keep = a.data is not None if sign == "??" else bool(a.data) if sign == "||" else not a.data
    return a if keep else _value(scope, right)


def _ternary(scope: Scope, node: Node) -> Value:
    condition = node.child_by_field_name("condition")
    if condition is None:
        return NOT_KNOWN
    test = _value(scope, condition)
    if test.data is UNKNOWN:
        known = test.origin is MsFrom.ENVIRONMENT or _ENVIRONMENT.search(scope.source.text(condition))
        return Value(UNKNOWN, MsFrom.ENVIRONMENT if known else MsFrom.UNKNOWN)
    branch = node.child_by_field_name("consequence" if test.data else "alternative")
    if branch is None:
        return NOT_KNOWN
    value = _value(scope, branch)
    return join(value.data, value, test)


def _unary(scope: Scope, node: Node) -> Value:
    inner, sign = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    return unary(sign.type, _value(scope, inner)) if inner is not None and sign is not None else NOT_KNOWN


def _identifier(scope: Scope, node: Node) -> Value:
    name = scope.source.text(node)
    binding = bindings_of(scope.source).resolve(name, node)
    if binding is None:
        # A file's own folder is where paths start that are relative to it.
        known: dict[str, object] = {"undefined": None, "Infinity": math.inf, "__dirname": "."}
        return Value(known[name]) if name in known else NOT_KNOWN
    return value_of_binding(scope, binding)


def value_of_binding(scope: Scope, binding: Binding) -> Value:
    """The value that a declared name has; `UNKNOWN` for what is assigned again."""
    if binding.node.start_byte in scope.given:
        return scope.given[binding.node.start_byte]
    if binding.kind == "import":
        return _imported(scope, binding)
    if binding.kind == "enum":
        return Value(_enum(scope, binding), MsFrom.CONSTANT)
    if binding.kind == "function":
        return NOT_KNOWN
    if bindings_of(scope.source).reassigned(binding):
        return NOT_KNOWN
    least = MsFrom.PARAMETER if binding.kind == "parameter" else MsFrom.CONSTANT
    value = _value(scope, binding.value) if binding.value is not None else NOT_KNOWN
    if binding.path:
        value = _member(value, binding.path)
        if binding.fallback is not None and (value.data is None or value.data is UNKNOWN):
            value = _value(scope, binding.fallback)
    return join(value.data, value, least=least)


def _imported(scope: Scope, binding: Binding) -> Value:
    module = scope.context.load_module(scope.source.file, binding.module or "")
    if module is None:
        return NOT_KNOWN
    first, *rest = binding.path
    if first == "*":
        return Value(Namespace(module), MsFrom.IMPORTED)
    value = _export(scope, module, first)
    value = _member(value, tuple(rest)) if rest else value
    return join(value.data, value, least=MsFrom.IMPORTED)


@dataclass(frozen=True, slots=True)
class Namespace:
    """A whole module as a value; its members are read when they are asked for."""

    module: Source


def _export(scope: Scope, module: Source, name: str) -> Value:
    found = exported(module, name, scope.context)
    if found is None:
        return NOT_KNOWN
    source, node = found
    inner = Scope(source, scope.context, {}, scope.depth + 1, scope.steps)
    if node.type == "enum_declaration":
        name_node = node.child_by_field_name("name")
        binding = bindings_of(source).resolve(source.text(name_node), name_node) if name_node is not None else None
        return value_of_binding(inner, binding) if binding is not None else NOT_KNOWN
    return _value(inner, node)


def _enum(scope: Scope, binding: Binding) -> object:
    body = binding.value.child_by_field_name("body") if binding.value is not None else None
    members: dict[str, object] = {}
    following: object = 0
    for child in body.named_children if body is not None else ():
        name = child.child_by_field_name("name") or child
        value = child.child_by_field_name("value")
        key = key_of(scope.source, name)
        if child.type == "comment" or key is None:
            continue
        data = _value(scope, value).data if value is not None else following
        members[key] = data
        following = data + 1 if isinstance(data, int) else UNKNOWN
    return members


def _class(scope: Scope, node: Node) -> Value:
    """The static fields of a class, as an object."""
    return Value(
        {name: _value(scope, value).data for name, value in static_fields(scope.source, node).items()}
        | {UNKNOWN: UNKNOWN}
    )


def _access(scope: Scope, node: Node) -> Value:
    target = node.child_by_field_name("object")
    prop = node.child_by_field_name("property")
    index = node.child_by_field_name("index")
    if _ENVIRONMENT.match(scope.source.text(node)):
        return Value(UNKNOWN, MsFrom.ENVIRONMENT)
    if target is None:
        return NOT_KNOWN
    key: object = scope.source.text(prop) if prop is not None else _value(scope, index).data if index else UNKNOWN
    own = field_of_this(scope.source, node, str(key)) if target.type == "this" else None
    if own is not None:
        found = _value(scope, own)
        return join(found.data, found, least=MsFrom.CONSTANT)
    value = _value(scope, target)
    if isinstance(value.data, Namespace):
        if not isinstance(key, str):
            return NOT_KNOWN
        found = _export(scope, value.data.module, key)
        return join(found.data, found, least=MsFrom.IMPORTED)
    return _member(value, (str(key),)) if isinstance(key, str | int) else NOT_KNOWN


def _member(value: Value, path: tuple[str, ...]) -> Value:
    data = value.data
    for key in path:
        if isinstance(data, dict):
            data = data.get(key, UNKNOWN if UNKNOWN in data else None)
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return Value(UNKNOWN, value.origin if value.origin is MsFrom.ENVIRONMENT else MsFrom.UNKNOWN)
    return join(data, value, least=MsFrom.LITERAL)


def _object(scope: Scope, node: Node) -> Value:
    """An object literal as a dict; an `UNKNOWN` key in it stands for members that are not known."""
    data: dict[object, object] = {}
    origins = []
    for child in node.named_children:
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is None or value is None:
                continue
            name = key_of(scope.source, key)
            if name is None:
                inner = _value(scope, key.named_children[0]).data if key.named_children else UNKNOWN
                name = inner if isinstance(inner, str) else None
            member = _value(scope, value)
            origins.append(member)
            data[UNKNOWN if name is None else name] = member.data
        elif child.type == "shorthand_property_identifier":
            member = _identifier(scope, child)
            origins.append(member)
            data[scope.source.text(child)] = member.data
        elif child.type == "spread_element" and child.named_children:
            inner = _value(scope, child.named_children[0]).data
            data.update(inner if isinstance(inner, dict) else {UNKNOWN: UNKNOWN})
        elif child.type == "method_definition":
            name_node = child.child_by_field_name("name")
            data[scope.source.text(name_node) if name_node is not None else UNKNOWN] = UNKNOWN
    notes = frozenset().union(*(value.notes for value in origins))
    return Value(data, MsFrom.LITERAL, notes)


def _array(scope: Scope, node: Node) -> Value:
    items: list[object] = []
    for child in node.named_children:
        if child.type == "spread_element" and child.named_children:
            inner = _value(scope, child.named_children[0]).data
            items += inner if isinstance(inner, list) else [UNKNOWN]
        elif child.type != "comment":
            items.append(_value(scope, child).data)
    return Value(items)


def _call(scope: Scope, node: Node) -> Value:
    callee, module = node.child_by_field_name("function"), required_module(scope.source, node)
    if callee is None:
        return NOT_KNOWN
    if module is not None:
        loaded = scope.context.load_module(scope.source.file, module)
        return Value(Namespace(loaded), MsFrom.IMPORTED) if loaded is not None else NOT_KNOWN
    name = scope.source.text(callee)
    if _ENVIRONMENT.match(name):
        return Value(UNKNOWN, MsFrom.ENVIRONMENT)
    if name in _IDENTITY | _MERGES and arguments(node):
        values = [_value(scope, returned(scope.source, arg)) for arg in arguments(node)]
        return _overlaid(values, deep=name in _MERGES)
    values = [_value(scope, arg) for arg in arguments(node)]
    binding = bindings_of(scope.source).resolve(name, callee) if callee.type == "identifier" else None
    if binding is not None and binding.module in _DURATIONS and values and isinstance(values[0].data, str):
        ms = duration_ms(values[0].data)
        return join(UNKNOWN if ms is None else ms, values[0])
    return builtin(name, values)


def _overlaid(values: list[Value], *, deep: bool) -> Value:
    """Objects laid over each other; a single value is itself."""
    merged = values[0].data
    for value in values[1:]:
        merged = _laid_over(merged, value.data, deep=deep)
    return values[0] if len(values) == 1 else join(merged, *values, least=MsFrom.LITERAL)


def _laid_over(below: object, above: object, *, deep: bool) -> dict[object, object]:
    merged = dict(below) if isinstance(below, dict) else {UNKNOWN: UNKNOWN}
    for key, value in above.items() if isinstance(above, dict) else [(UNKNOWN, UNKNOWN)]:
        inner = merged.get(key)
        both = deep and isinstance(inner, dict) and isinstance(value, dict)
        merged[key] = _laid_over(inner, value, deep=True) if both else value
    return merged


def _template(scope: Scope, node: Node) -> Value:
    text = string_of(scope.source, node)
    if text is not None:
        return Value(text)
    parts: list[str] = []
    values: list[Value] = []
    for child in node.named_children:
        if child.type == "template_substitution" and child.named_children:
            values.append(_value(scope, child.named_children[0]))
            parts.append(str(values[-1].data))
        else:
            parts.append(scope.source.text(child))
    known = all(isinstance(value.data, str | int) and not isinstance(value.data, bool) for value in values)
    return join("".join(parts) if known else UNKNOWN, *values)


_READERS: Mapping[str, Callable[[Scope, Node], Value]] = {
    "number": _number,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": _ternary,
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "member_expression": _access,
    "subscript_expression": _access,
    "object": _object,
    "array": _array,
    "class": _class,
    "class_declaration": _class,
    "call_expression": _call,
    "template_string": _template,
    "true": lambda _scope, _node: Value(data=True),
    "false": lambda _scope, _node: Value(data=False),
    "null": lambda _scope, _node: Value(None),
    "undefined": lambda _scope, _node: Value(None),
}
