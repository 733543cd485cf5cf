"""The links of a chain of names, as a file writes them: `page.locator("a").click` begins with `page`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.declarations import required_module
from traf.syntax.nodes import peel
from traf.syntax.values import evaluate

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

MAX_PARTS = 60


def linked(parts: list[str], links: list[str]) -> tuple[str, ...]:
    """A chain with further links; a call belongs to the link before it, the call of a call stands alone."""
    for link in links:
        if link == "()" and parts and not parts[-1].endswith("()"):
            parts[-1] += "()"
        else:
            parts.append(link)
    return tuple(parts)


def descend(source: Source, node: Node, context: Context) -> tuple[Node | None, list[str], bool]:
    """The node that a chain begins with, its links from there on ("()" is a call), and whether the last is computed."""
    links: list[str] = []
    computed = False
    node = peel(node)
    for _step in range(MAX_PARTS):
        if node.type == "await_expression":
            inner = node.named_children[0] if node.named_children else None
        elif node.type == "call_expression" and required_module(source, node) is None:
            links.append("()")
            inner = node.child_by_field_name("function")
        elif node.type in {"member_expression", "subscript_expression"}:
            name = _member_name(source, node, context)
            computed = computed or (name is None and not links and not _is_index(node))
            links.append(name or "[]")
            inner = node.child_by_field_name("object")
        else:
            return node, links[::-1], computed
        if inner is None:
            break
        node = peel(inner)
    return None, links[::-1], computed


def _is_index(member: Node) -> bool:
    """Whether a member is an item of a list by its number."""
    index = member.child_by_field_name("index")
    return index is not None and index.type == "number"


def _member_name(source: Source, node: Node, context: Context) -> str | None:
    prop = node.child_by_field_name("property")
    if prop is not None:
        return source.text(prop)
    index = node.child_by_field_name("index")
    key = evaluate(source, index, context).data if index is not None else None
    return key if isinstance(key, str) else None
