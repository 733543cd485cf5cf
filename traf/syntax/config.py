"""Configuration modules read as data, and times that a module sets when it is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.arithmetic import UNKNOWN
from traf.syntax.bindings import bindings_of
from traf.syntax.callee import callee_of
from traf.syntax.exports import exported
from traf.syntax.nodes import CALLBACKS, arguments, enclosing_function, peel
from traf.syntax.values import evaluate

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_SETTERS = {
    ("configure", "asyncUtilTimeout"): "testing-library.asyncUtilTimeout",
    ("jest.setTimeout", ""): "jest.testTimeout",
}


def exported_value(source: Source, context: Context) -> object:
    """The default export of a configuration module as plain data; `UNKNOWN` for what only a run would tell.

    Understands `export default`, `module.exports`, `defineConfig(...)`, constants, spreads, arithmetic, casts, imported
    constants, and functions that do nothing but give back an object. A dict with the key `UNKNOWN` has more members.
    """
    found = exported(source, "default", context)
    if found is None:
        return UNKNOWN
    home, node = found
    return evaluate(home, _returned(home, node), context).data


def _returned(source: Source, node: Node) -> Node:
    """What a configuration function gives back, where it is one expression; else the node itself."""
    inner = peel(node)
    if inner.type == "identifier":
        binding = bindings_of(source).resolve(source.text(inner), inner)
        if binding is not None and binding.value is not None and binding.kind in {"const", "function"}:
            return _returned(source, binding.value) if binding.value != node else node
    if inner.type == "call_expression" and len(arguments(inner)) == 1 and peel(arguments(inner)[0]).type in CALLBACKS:
        inner = peel(arguments(inner)[0])
    body = inner.child_by_field_name("body") if inner.type in {*CALLBACKS, "function_declaration"} else None
    if body is None:
        return node
    if body.type != "statement_block":
        return body
    returns = [child for child in body.named_children if child.type == "return_statement" and child.named_children]
    return returns[0].named_children[0] if len(returns) == 1 else node


def configured_times(source: Source, context: Context) -> dict[str, float]:
    """The default times in ms that a set-up module sets by calls at its top level, by key of `Context.defaults`."""
    found: dict[str, float] = {}
    for call in source.nodes("call"):
        if enclosing_function(call) is not None:
            continue
        args = arguments(call)
        name = ".".join(callee_of(source, call, context).parts[-2:])
        for (setter, option), key in _SETTERS.items():
            if not args or not (name == setter or (option and name.endswith(f".{setter}"))):
                continue
            value = evaluate(source, args[0], context).data
            data = value.get(option) if option and isinstance(value, dict) else None if option else value
            if isinstance(data, int | float) and not isinstance(data, bool):
                found[key] = data
    return found
