"""The declarations of a file: variables, functions, classes, enums, parameters and imports, with destructuring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from traf.syntax.nodes import arguments, key_of, peel, string_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.source import Source


@dataclass(frozen=True, slots=True)
class Binding:
    """One declaration of a name.

    `value` is the initialiser (a parameter's default, a function, an enum), `path` the keys by which a destructuring
    pattern reaches the name in it. For an import, `module` is the specifier and `path` the exported name ("*" for the
    whole module); `require` calls are imports too.
    """

    kind: Literal["const", "let", "parameter", "function", "class", "enum", "import"]
    name: str
    node: Node
    value: Node | None = None
    path: tuple[str, ...] = ()
    fallback: Node | None = None
    module: str | None = None


def declarations(source: Source) -> Iterator[Binding]:
    """Every name that a file declares or imports."""
    for node in source.nodes("import"):
        yield from _imports(source, node)
    for node in source.nodes("variable"):
        yield from _variables(source, node)
    named: tuple[Literal["function", "class", "enum"], ...] = ("function", "class", "enum")
    for kind in named:
        for node in source.nodes(kind):
            name = node.child_by_field_name("name")
            if name is not None:
                yield Binding(kind, source.text(name), name, node)
    yield from _parameters(source)


def _variables(source: Source, node: Node) -> Iterator[Binding]:
    name, value, parent = node.child_by_field_name("name"), node.child_by_field_name("value"), node.parent
    if name is None:
        return
    constant = parent is not None and parent.type == "lexical_declaration" and parent.children[0].type == "const"
    module = required_module(source, value) if value is not None else None
    for leaf, path, fallback in _leaves(source, name, ()):
        if module is not None:
            yield Binding("import", source.text(leaf), leaf, value, path or ("*",), None, module)
        else:
            yield Binding("const" if constant else "let", source.text(leaf), leaf, value, path, fallback)


def _parameters(source: Source) -> Iterator[Binding]:
    patterns: list[tuple[Node, Node | None]] = []
    for node in source.nodes("parameters"):
        patterns += [parameter(child) for child in node.named_children if child.type != "comment"]
    for kind, field in (("arrow", "parameter"), ("catch", "parameter")):
        for node in source.nodes(kind):
            single = node.child_by_field_name(field)
            if single is not None:
                patterns.append((single, None))
    for pattern, default in patterns:
        for leaf, path, fallback in _leaves(source, pattern, ()):
            yield Binding("parameter", source.text(leaf), leaf, default, path, fallback)


def parameter(node: Node) -> tuple[Node, Node | None]:
    """The pattern of a parameter and its default."""
    if node.type in {"required_parameter", "optional_parameter"}:
        return node.child_by_field_name("pattern") or node, node.child_by_field_name("value")
    if node.type == "assignment_pattern":
        return node.child_by_field_name("left") or node, node.child_by_field_name("right")
    return node, None


def _leaves(
    source: Source, pattern: Node, path: tuple[str, ...]
) -> Iterator[tuple[Node, tuple[str, ...], Node | None]]:
    """The names that a pattern declares: their node, the keys that lead there, and the default."""
    stack: list[tuple[Node, tuple[str, ...], Node | None]] = [(pattern, path, None)]
    while stack:
        node, keys, default = stack.pop()
        if node.type in {"identifier", "shorthand_property_identifier_pattern"}:
            own = (*keys, source.text(node)) if node.type.startswith("shorthand") else keys
            yield node, own, default
        elif node.type in {"object_assignment_pattern", "assignment_pattern"}:
            left = node.child_by_field_name("left")
            if left is not None:
                stack.append((left, keys, node.child_by_field_name("right")))
        elif node.type == "pair_pattern":
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is not None and value is not None:
                stack.append((value, (*keys, key_of(source, key) or "?"), None))
        elif node.type == "array_pattern":
            stack += [(child, (*keys, str(at)), None) for at, child in enumerate(node.named_children)]
        elif node.type in {"object_pattern", "rest_pattern", "required_parameter"}:
            own = (*keys, "...") if node.type == "rest_pattern" else keys
            stack += [(child, own, None) for child in node.named_children]


def _imports(source: Source, node: Node) -> Iterator[Binding]:
    origin = node.child_by_field_name("source")
    module = string_of(source, origin) if origin is not None else None
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    if module is None or clause is None:
        return
    for child in clause.named_children:
        if child.type == "identifier":
            yield Binding("import", source.text(child), child, None, ("default",), None, module)
        elif child.type == "namespace_import" and child.named_children:
            name = child.named_children[0]
            yield Binding("import", source.text(name), name, None, ("*",), None, module)
        elif child.type == "named_imports":
            for spec in child.named_children:
                exported = spec.child_by_field_name("name")
                if exported is not None:
                    local = spec.child_by_field_name("alias") or exported
                    path = (key_of(source, exported) or "?",)
                    yield Binding("import", source.text(local), local, None, path, None, module)


def required_module(source: Source, node: Node) -> str | None:
    """The specifier of `require('x')` or `await import('x')`, None for anything else."""
    node = peel(node)
    if node.type == "await_expression" and node.named_children:
        node = peel(node.named_children[0])
    if node.type != "call_expression":
        return None
    callee, args = node.child_by_field_name("function"), arguments(node)
    if callee is None or source.text(callee) not in {"require", "import"} or len(args) != 1:
        return None
    return string_of(source, args[0])
