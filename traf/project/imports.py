"""What a module takes from other modules, as far as it tells which test framework is behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from traf.syntax.declarations import required_module
from traf.syntax.nodes import string_of, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.source import Source

WHOLE = "*"
_NAMES = frozenset({"identifier", "property_identifier", "shorthand_property_identifier_pattern"})


@dataclass(frozen=True, slots=True)
class Import:
    """The specifier of a module and the names taken from it: those that it exports and those they get here alike.

    "*" is among them for a default import, a whole module or everything re-exported.
    """

    module: str
    names: frozenset[str]


def imports_of(source: Source) -> Iterator[Import]:
    """The imports, re-exports and `require`s of a module; imports of types only are none."""
    for node in (*source.nodes("import"), *source.nodes("export")):
        origin = node.child_by_field_name("source")
        module = string_of(source, origin) if origin is not None else None
        if module is not None and not any(child.type == "type" for child in node.children):
            yield Import(module, _names_of_clause(source, node))
    for node in source.nodes("variable"):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            continue
        taken = {source.text(leaf) for leaf in walk(name) if leaf.type in _NAMES}
        member = value.child_by_field_name("property") if value.type == "member_expression" else None
        if member is not None:
            taken.add(source.text(member))
            value = value.child_by_field_name("object") or value
        elif name.type == "identifier":
            taken.add(WHOLE)
        module = required_module(source, value)
        if module is not None:
            yield Import(module, frozenset(taken))


def modules_of(source: Source) -> Iterator[str]:
    """The specifiers of all modules that a module is run after, in the order of the text; those of types only are none."""
    found = [(node, node.child_by_field_name("source")) for node in (*source.nodes("import"), *source.nodes("export"))]
    named = [
        (node.start_byte, string_of(source, origin))
        for node, origin in found
        if origin is not None and not any(child.type == "type" for child in node.children)
    ]
    required = [(call.start_byte, required_module(source, call)) for call in source.nodes("call")]
    # Calls of one chain start at the same place, and only one of them requires something.
    placed = [(start, module) for start, module in (*named, *required) if module is not None]
    yield from (module for _start, module in sorted(placed))


def _names_of_clause(source: Source, statement: Node) -> frozenset[str]:
    clauses = [child for child in statement.named_children if child.type in {"import_clause", "export_clause"}]
    names = {source.text(leaf) for clause in clauses for leaf in walk(clause) if leaf.type in _NAMES}
    default = any(
        child.type in {"identifier", "namespace_import"} for clause in clauses for child in clause.named_children
    )
    return frozenset(names | ({WHOLE} if default or not clauses else set()))
