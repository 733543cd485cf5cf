"""What names stand for in an expression: constants, imports, enums, and members of objects, modules and classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import ENVIRONMENT, NOT_KNOWN, UNKNOWN, Value, join
from traf.syntax.bindings import bindings_of
from traf.syntax.exports import exported
from traf.syntax.fields import field_of_this, static_fields
from traf.syntax.model import MsFrom
from traf.syntax.nodes import key_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.declarations import Binding
    from traf.syntax.scope import Scope
    from traf.syntax.source import Source


@dataclass(frozen=True, slots=True)
class Namespace:
    """A whole module as a value; its members are read when they are asked for."""

    module: Source


def read_name(scope: Scope, node: Node) -> Value:
    """What a name stands for; not known for a global that is not the language's own."""
    name = scope.source.text(node)
    binding = bindings_of(scope.source).resolve(name, node)
    if binding is None:
        # A file's own folder is where paths start that are relative to it.
        known: dict[str, object] = {"undefined": None, "Infinity": math.inf, "__dirname": "."}
        return Value(known[name]) if name in known else NOT_KNOWN
    return _bound(scope, binding)


def _bound(scope: Scope, binding: Binding) -> Value:
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
    value = scope.value(binding.value) if binding.value is not None else NOT_KNOWN
    if binding.path:
        value = _member(value, binding.path)
        if binding.fallback is not None and (value.data is None or value.data is UNKNOWN):
            value = scope.value(binding.fallback)
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


def _export(scope: Scope, module: Source, name: str) -> Value:
    found = exported(module, name, scope.context)
    if found is None:
        return NOT_KNOWN
    source, node = found
    inner = scope.of(source)
    if node.type == "enum_declaration":
        name_node = node.child_by_field_name("name")
        binding = bindings_of(source).resolve(source.text(name_node), name_node) if name_node is not None else None
        return _bound(inner, binding) if binding is not None else NOT_KNOWN
    return inner.value(node)


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
        data = scope.value(value).data if value is not None else following
        members[key] = data
        following = data + 1 if isinstance(data, int) else UNKNOWN
    return members


def read_class(scope: Scope, node: Node) -> Value:
    """The static fields of a class, as an object."""
    return Value(
        {name: scope.value(value).data for name, value in static_fields(scope.source, node).items()}
        | {UNKNOWN: UNKNOWN}
    )


def read_member(scope: Scope, node: Node) -> Value:
    """A member of an object, of a whole module, or of the class around it."""
    target = node.child_by_field_name("object")
    prop = node.child_by_field_name("property")
    index = node.child_by_field_name("index")
    if ENVIRONMENT.match(scope.source.text(node)):
        return Value(UNKNOWN, MsFrom.ENVIRONMENT)
    if target is None:
        return NOT_KNOWN
    key: object = scope.source.text(prop) if prop is not None else scope.value(index).data if index else UNKNOWN
    own = field_of_this(scope.source, node, str(key)) if target.type == "this" else None
    if own is not None:
        found = scope.value(own)
        return join(found.data, found, least=MsFrom.CONSTANT)
    value = scope.value(target)
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
