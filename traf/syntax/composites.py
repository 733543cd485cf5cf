"""Values made of other values: objects, lists, templates, and what functions make of their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.arithmetic import ENVIRONMENT, NOT_KNOWN, UNKNOWN, Value, builtin, join
from traf.syntax.bindings import bindings_of
from traf.syntax.declarations import required_module
from traf.syntax.model import MsFrom
from traf.syntax.names import Namespace, read_name
from traf.syntax.nodes import arguments, key_of, peel, string_of
from traf.syntax.numbers import duration_ms
from traf.syntax.returned import returned

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.scope import Scope

# Calls that give back their argument; several objects are laid over each other.
_IDENTITY = frozenset({"Object.freeze", "Object.assign", "defineConfig", "defineProject", "structuredClone"})
_MERGES = frozenset({"mergeConfig", "merge", "_.merge", "deepmerge"})
# Packages whose function makes ms of a text such as "2s".
_DURATIONS = frozenset({"ms", "@vercel/ms", "@lukeed/ms", "parse-duration"})


def read_object(scope: Scope, node: Node) -> Value:
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
                inner = scope.value(key.named_children[0]).data if key.named_children else UNKNOWN
                name = inner if isinstance(inner, str) else None
            member = scope.value(value)
            origins.append(member)
            data[UNKNOWN if name is None else name] = member.data
        elif child.type == "shorthand_property_identifier":
            member = read_name(scope, child)
            origins.append(member)
            data[scope.source.text(child)] = member.data
        elif child.type == "spread_element" and child.named_children:
            data.update(_spread(scope, child.named_children[0]))
        elif child.type == "method_definition":
            name_node = child.child_by_field_name("name")
            data[scope.source.text(name_node) if name_node is not None else UNKNOWN] = UNKNOWN
    notes = frozenset().union(*(value.notes for value in origins))
    return Value(data, MsFrom.LITERAL, notes)


def _spread(scope: Scope, node: Node) -> dict[object, object]:
    """What a spread brings into an object; of `...(slow && { ... })` only the keys are known."""
    data = scope.value(node).data
    if isinstance(data, dict):
        return data
    given = [scope.value(part).data for part in _alternatives(peel(node))]
    keys = [key for each in given if isinstance(each, dict) for key in each]
    return (
        dict.fromkeys(keys, UNKNOWN) if given and all(isinstance(each, dict) for each in given) else {UNKNOWN: UNKNOWN}
    )


def _alternatives(node: Node) -> list[Node]:
    """What a conditional expression may give, but for nothing."""
    sign = node.child_by_field_name("operator")
    names = ("consequence", "alternative") if sign is None else ("right",) if sign.type == "&&" else ()
    return [part for name in names if (part := node.child_by_field_name(name)) is not None]


def read_array(scope: Scope, node: Node) -> Value:
    """A list; of a spread that is not known, one item that is not known."""
    items: list[object] = []
    for child in node.named_children:
        if child.type == "spread_element" and child.named_children:
            inner = scope.value(child.named_children[0]).data
            items += inner if isinstance(inner, list) else [UNKNOWN]
        elif child.type != "comment":
            items.append(scope.value(child).data)
    return Value(items)


def read_call(scope: Scope, node: Node) -> Value:
    """What a required module, a function that copies or merges, or one of the language gives back."""
    callee, module = node.child_by_field_name("function"), required_module(scope.source, node)
    if callee is None:
        return NOT_KNOWN
    if module is not None:
        loaded = scope.context.load_module(scope.source.file, module)
        return Value(Namespace(loaded), MsFrom.IMPORTED) if loaded is not None else NOT_KNOWN
    name = scope.source.text(callee)
    if ENVIRONMENT.match(name):
        return Value(UNKNOWN, MsFrom.ENVIRONMENT)
    if name in _IDENTITY | _MERGES and arguments(node):
        values = [scope.value(returned(scope.source, arg)) for arg in arguments(node)]
        return _overlaid(values, deep=name in _MERGES)
    values = [scope.value(arg) for arg in arguments(node)]
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


def read_template(scope: Scope, node: Node) -> Value:
    """A template as a text, with its substitutions where all of them are known."""
    text = string_of(scope.source, node)
    if text is not None:
        return Value(text)
    parts: list[str] = []
    values: list[Value] = []
    for child in node.named_children:
        if child.type == "template_substitution" and child.named_children:
            values.append(scope.value(child.named_children[0]))
            parts.append(str(values[-1].data))
        else:
            parts.append(scope.source.text(child))
    known = all(isinstance(value.data, str | int) and not isinstance(value.data, bool) for value in values)
    return join("".join(parts) if known else UNKNOWN, *values)
