"""What a name stands for where it is mentioned, and where else it is."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from traf.syntax.declarations import Binding, declarations
from traf.syntax.nodes import FUNCTIONS, ancestors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.source import Source

_BLOCKS = frozenset({"statement_block", "program", "for_statement", "for_in_statement", "switch_body", "class_body"})


class Bindings:
    """The declarations of a file by name."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_name: dict[str, list[Binding]] = defaultdict(list)
        for binding in declarations(source):
            self._by_name[binding.name].append(binding)
        self._uses: dict[str, list[Node]] | None = None
        self._scopes: dict[int, tuple[int, int]] = {}

    def resolve(self, name: str, at: Node) -> Binding | None:
        """The declaration that `name` means at a node; None for a global."""
        start, best, best_size = at.start_byte, None, 0
        for binding in self._by_name.get(name, ()):
            begin, end = self._scope(binding)
            if begin <= start < end and (best is None or end - begin <= best_size):
                best, best_size = binding, end - begin
        return best

    def _scope(self, binding: Binding) -> tuple[int, int]:
        key = binding.node.start_byte
        if key not in self._scopes:
            scope = _scope(binding)
            self._scopes[key] = scope.start_byte, scope.end_byte
        return self._scopes[key]

    def uses(self, binding: Binding) -> list[Node]:
        """The places where a declared name is mentioned, without the declaration itself."""
        if self._uses is None:
            self._uses = defaultdict(list)
            for node in self._source.nodes("name"):
                self._uses[self._source.text(node)].append(node)
        return [
            node
            for node in self._uses[binding.name]
            if node.start_byte != binding.node.start_byte and self.resolve(binding.name, node) == binding
        ]

    def reassigned(self, binding: Binding) -> bool:
        """Whether the name is given another value after its declaration."""
        for node in self._source.nodes("assignment"):
            target = node.child_by_field_name("left") or node.child_by_field_name("argument")
            if target is None or not self._source.text(target).startswith(binding.name):
                continue
            root = target
            while root.type in {"member_expression", "subscript_expression"}:
                inner = root.child_by_field_name("object")
                if inner is None:
                    break
                root = inner
            if self._source.text(root) == binding.name and self.resolve(binding.name, root) == binding:
                return True
        return False

    def imports(self) -> Iterator[Binding]:
        """Everything that the file imports or requires into a name."""
        yield from (binding for found in self._by_name.values() for binding in found if binding.kind == "import")

    def modules(self) -> frozenset[str]:
        """The specifiers of everything that the file imports or requires into a name."""
        return frozenset(b.module for found in self._by_name.values() for b in found if b.module)


def bindings_of(source: Source) -> Bindings:
    """The bindings of a file, made once."""
    found = source.memo.get(Bindings)
    if not isinstance(found, Bindings):
        found = source.memo[Bindings] = Bindings(source)
    return found


def _scope(binding: Binding) -> Node:
    """The node in which a declared name is visible."""
    node = binding.node
    if binding.kind == "parameter":
        return next((up for up in ancestors(node) if up.type in FUNCTIONS or up.type == "catch_clause"), node)
    wide = FUNCTIONS if _is_var(node) else _BLOCKS
    skipped = binding.kind in {"function", "class", "enum"}
    for up in ancestors(node):
        if skipped and up.type not in _BLOCKS:
            continue
        if up.type in wide or up.type == "program" or up.parent is None:
            return up
    return node


def _is_var(node: Node) -> bool:
    return any(up.type == "variable_declaration" for up in _near(node))


def _near(node: Node) -> Iterator[Node]:
    for up in ancestors(node):
        if up.type in _BLOCKS or up.type in FUNCTIONS:
            return
        yield up
