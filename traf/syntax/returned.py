"""What a function of a configuration module gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.nodes import CALLBACKS, arguments, peel

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source


def returned(source: Source, node: Node) -> Node:
    """What a configuration function gives back or sets, where it is one expression; else the node itself."""
    inner = peel(node)
    if inner.type == "identifier":
        binding = bindings_of(source).resolve(source.text(inner), inner)
        if binding is not None and binding.value is not None and binding.kind in {"const", "function"}:
            return returned(source, binding.value) if binding.value != node else node
    if inner.type == "call_expression" and len(arguments(inner)) == 1 and peel(arguments(inner)[0]).type in CALLBACKS:
        inner = peel(arguments(inner)[0])
    body = inner.child_by_field_name("body") if inner.type in {*CALLBACKS, "function_declaration"} else None
    if body is None:
        return node
    if body.type != "statement_block":
        return _set(source, body) or body
    statements = [child.named_children[0] for child in body.named_children if child.named_children]
    returns = [child for child in statements if child.parent is not None and child.parent.type == "return_statement"]
    settings = returns or [found for child in statements if (found := _set(source, child)) is not None]
    return settings[0] if len(settings) == 1 else node


def _set(source: Source, node: Node) -> Node | None:
    """The settings given to `config.set(...)`."""
    target = node.child_by_field_name("function") if node.type == "call_expression" else None
    name = target.child_by_field_name("property") if target is not None else None
    args = arguments(node)
    return args[0] if name is not None and source.text(name) == "set" and len(args) == 1 else None
