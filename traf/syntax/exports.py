"""What a module exports: ES modules, CommonJS and re-exports; and members of object literals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.nodes import key_of, peel, string_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source


def exported(source: Source, name: str, context: Context, hops: int = 8) -> tuple[Source, Node] | None:
    """The expression or declaration that a module exports under a name ("default" for the default export).

    Re-exports and CommonJS are followed, over at most `hops` modules.
    """
    for node in source.nodes("export"):
        found = _exported_by(source, node, name, context, hops)
        if found is not None:
            return found
    for node in source.nodes("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            continue
        target = source.text(left)
        if target in {f"exports.{name}", f"module.exports.{name}"} or (
            target == "module.exports" and name == "default"
        ):
            return source, right
        if target == "module.exports":
            member = member_of(source, peel(right), name)
            if member is not None:
                return source, member
    return None


def _exported_by(source: Source, node: Node, name: str, context: Context, hops: int) -> tuple[Source, Node] | None:
    """What one `export` statement exports under a name."""
    declaration = node.child_by_field_name("declaration")
    if any(child.type == "default" for child in node.children):
        value = node.child_by_field_name("value") or declaration
        return (source, value) if name == "default" and value is not None else None
    if declaration is not None:
        value = _declared(source, declaration, name)
        return (source, value) if value is not None else None
    clause = next((child for child in node.named_children if child.type == "export_clause"), None)
    local = _listed(source, clause, name) if clause is not None else None
    origin = node.child_by_field_name("source")
    if clause is not None and local is None:
        return None
    if origin is None:
        return (source, local) if local is not None else None
    target = context.load_module(source.file, string_of(source, origin) or "") if hops else None
    wanted = (key_of(source, local) or name) if local is not None else name
    return exported(target, wanted, context, hops - 1) if target is not None else None


def _declared(source: Source, declaration: Node, name: str) -> Node | None:
    """The value of a variable, or the function, class or enum, that an exported declaration declares."""
    for child in (declaration, *declaration.named_children):
        own = child.child_by_field_name("name")
        if own is not None and source.text(own) == name:
            return child.child_by_field_name("value") if child.type == "variable_declarator" else child
    return None


def _listed(source: Source, clause: Node, name: str) -> Node | None:
    """The local name of `export { local as name }`."""
    for spec in clause.named_children:
        inner = spec.child_by_field_name("name")
        outer = spec.child_by_field_name("alias") or inner
        if outer is not None and key_of(source, outer) == name:
            return inner
    return None


def member_of(source: Source, node: Node, key: str) -> Node | None:
    """The value of a key of an object literal; the last one counts."""
    found = None
    if node.type == "object":
        for child in node.named_children:
            if child.type == "pair":
                name, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if name is not None and key_of(source, name) == key:
                    found = value
            elif (child.type == "shorthand_property_identifier" and source.text(child) == key) or (
                child.type == "method_definition" and source.text(child.child_by_field_name("name") or child) == key
            ):
                found = child
    return found
