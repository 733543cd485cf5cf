"""Fields of classes: the expression that gives `this.timeout` or `Page.TIMEOUT` its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.nodes import ancestors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.source import Source

_FIELDS = frozenset({"field_definition", "public_field_definition"})


def field_of_this(source: Source, access: Node, name: str) -> Node | None:
    """The value of the field that `this.name` reads, where the class gives it just one."""
    body = next((up for up in ancestors(access) if up.type == "class_body"), None)
    if body is None:
        return None
    declared = [value for key, value in _declared(source, body, static=False) if key == name]
    given = [*declared, *_assigned(source, body, name)]
    return given[0] if len(given) == 1 else None


def static_fields(source: Source, owner: Node) -> dict[str, Node]:
    """The values of the static fields of a class."""
    body = owner.child_by_field_name("body")
    return dict(_declared(source, body, static=True)) if body is not None else {}


def _declared(source: Source, body: Node, *, static: bool) -> Iterator[tuple[str, Node]]:
    """The fields of a class's body with what it gives them: their values, or what a getter does nothing but give back."""
    for member in body.named_children:
        key = member.child_by_field_name("name") or member.child_by_field_name("property")
        if key is None or static != any(part.type == "static" for part in member.children):
            continue
        value = member.child_by_field_name("value") if member.type in _FIELDS else _got(member)
        if value is not None:
            yield source.text(key), value


def _got(member: Node) -> Node | None:
    body = member.child_by_field_name("body")
    if body is None or not any(part.type == "get" for part in member.children):
        return None
    statement = body.named_children[0] if len(body.named_children) == 1 else None
    given = statement.named_children if statement is not None and statement.type == "return_statement" else []
    return given[0] if given else None


def _assigned(source: Source, body: Node, name: str) -> Iterator[Node]:
    """What is assigned to `this.name` anywhere in the class."""
    for node in source.nodes("assignment"):
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if body.start_byte <= node.start_byte < body.end_byte and target is not None:
            value = node.child_by_field_name("right")
            if source.text(target) == f"this.{name}":
                yield value if value is not None and node.type == "assignment_expression" else node
