"""Small questions about syntax nodes that several modules ask."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.source import Source

FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_expression",
        "function_declaration",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    }
)
CALLBACKS = frozenset({"arrow_function", "function_expression", "generator_function"})
CASTS = frozenset(
    {
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
    }
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}|(\r\n|[\s\S]))")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def peel(node: Node) -> Node:
    """The node without casts, `!` and parentheses around it."""
    while node.type in CASTS:
        inner = [child for child in node.named_children if child.type != "comment"]
        if not inner:
            return node
        node = inner[-1] if node.type == "type_assertion" else inner[0]
    return node


def ancestors(node: Node) -> Iterator[Node]:
    """The node's parents, innermost first."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def enclosing_function(node: Node) -> Node | None:
    """The innermost function that the node is in."""
    return next((up for up in ancestors(node) if up.type in FUNCTIONS), None)


@lru_cache(maxsize=64)
def arguments(call: Node) -> list[Node]:
    """The arguments of a call, without comments; none for a tagged template; of an array, its items."""
    args = call if call.type == "array" else call.child_by_field_name("arguments")
    if args is None or args.type not in {"arguments", "array"}:
        return []
    return [child for child in args.named_children if child.type != "comment"]


def statement_of(node: Node) -> Node | None:
    """The innermost statement of a block, a program or a switch case that the node is in or is."""
    inner: Node | None = node
    while inner is not None:
        parent = inner.parent
        if parent is not None and parent.type in {"statement_block", "program", "switch_case", "switch_default"}:
            return inner if inner.is_named and inner.type != "comment" else None
        inner = parent
    return None


def is_conditional(node: Node) -> bool:
    """Whether something within the same function decides if a node is run at all."""
    for up in ancestors(node):
        if up.type in FUNCTIONS:
            return False
        if up.type in {"if_statement", "ternary_expression", "switch_statement", "catch_clause"}:
            return True
    return False


def string_of(source: Source, node: Node) -> str | None:
    """What a string literal, or a template without substitutions, stands for; None for anything else."""
    if node.type not in {"string", "template_string"}:
        return None
    if any(child.type == "template_substitution" for child in node.named_children):
        return None
    return _ESCAPE.sub(_unescape, source.text(node)[1:-1])


def _unescape(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return _ESCAPED.get(match[4], match[4])


def key_of(source: Source, node: Node) -> str | None:
    """The name of an object's key node, None where it is computed from something that is not a literal."""
    if node.type == "computed_property_name":
        inner = node.named_children
        return string_of(source, inner[0]) if inner else None
    if node.type == "string":
        return string_of(source, node)
    return source.text(node)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything in it, in the order of the text."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(reversed(here.named_children))
