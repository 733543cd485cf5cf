"""What a name stands for where it is mentioned, and where else it is."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from traf.syntax.declarations import Binding, declarations
from traf.syntax.nodes import FUNCTIONS, ancestors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from traf.syntax.source import Source

_BLOCKS = frozenset({"statement_block", "program", "for_statement", "for_in_statement", "switch_body", "class_body"})


@dataclass(frozen=True, slots=True)
class _Scoped:
    """A declaration, the bytes in which it is visible, and the next wider declaration of the same name."""

    binding: Binding
    start: int
    end: int
    outer: _Scoped | None


class Bindings:
    """The declarations of a file by name."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_name: dict[str, list[Binding]] = defaultdict(list)
        for binding in declarations(source):
            self._by_name[binding.name].append(binding)
        self._scoped: dict[str, list[_Scoped]] = {}
        self._uses: dict[int, list[Node]] | None = None
        self._reassigned: set[int] | None = None

    def resolve(self, name: str, at: Node) -> Binding | None:
        """The declaration that `name` means at a node; None for a global."""
        if name not in self._scoped:
            self._scoped[name] = _nested(self._by_name.get(name, ()))
        scoped, start = self._scoped[name], at.start_byte
        index = bisect_right(scoped, start, key=lambda each: each.start)
        found = scoped[index - 1] if index else None
        while found is not None and found.end <= start:
            found = found.outer
        return found.binding if found is not None else None

    def uses(self, binding: Binding) -> list[Node]:
        """The places where a declared name is mentioned, without the declaration itself."""
        if self._uses is None:
            self._uses = self._by_declaration(self._source.names)
        return [node for node in self._uses[binding.node.start_byte] if node.start_byte != binding.node.start_byte]

    def reassigned(self, binding: Binding) -> bool:
        """Whether the name, or a member of it, is given another value after its declaration."""
        if self._reassigned is None:
            self._reassigned = set(self._by_declaration(filter(None, map(_target, self._source.nodes("assignment")))))
        return binding.node.start_byte in self._reassigned

    def _by_declaration(self, names: Iterable[Node]) -> dict[int, list[Node]]:
        """The mentions of names by the place of the declaration that they mean."""
        found: dict[int, list[Node]] = defaultdict(list)
        for node in names:
            binding = self.resolve(self._source.text(node), node)
            if binding is not None:
                found[binding.node.start_byte].append(node)
        return found

    def declares(self, name: str) -> bool:
        """Whether the file declares this name anywhere."""
        return name in self._by_name

    @cached_property
    def whole_modules(self) -> frozenset[str]:
        """The names under which whole modules are known."""
        return frozenset(binding.name for binding in self.imports() if binding.path == ("*",))

    def imports(self) -> Iterator[Binding]:
        """Everything that the file imports or requires into a name."""
        yield from (binding for found in self._by_name.values() for binding in found if binding.kind == "import")

    def modules(self) -> frozenset[str]:
        """The specifiers of everything that the file imports or requires into a name."""
        return self._modules

    @cached_property
    def _modules(self) -> frozenset[str]:
        return frozenset(b.module for found in self._by_name.values() for b in found if b.module)


def bindings_of(source: Source) -> Bindings:
    """The bindings of a file, made once."""
    found = source.memo.get(Bindings)
    if not isinstance(found, Bindings):
        found = source.memo[Bindings] = Bindings(source)
    return found


def _nested(bindings: Iterable[Binding]) -> list[_Scoped]:
    """Declarations of one name by where they begin to be visible; of two in one scope, the later one is within the other."""
    scopes = [(_scope(binding), binding) for binding in bindings]
    found: list[_Scoped] = []
    around: list[_Scoped] = []
    for scope, binding in sorted(scopes, key=lambda pair: (pair[0].start_byte, -pair[0].end_byte)):
        while around and around[-1].end <= scope.start_byte:
            around.pop()
        scoped = _Scoped(binding, scope.start_byte, scope.end_byte, around[-1] if around else None)
        found.append(scoped)
        around.append(scoped)
    return found


def _target(assignment: Node) -> Node | None:
    """The name that an assignment gives a value, itself or a member of it."""
    root = assignment.child_by_field_name("left") or assignment.child_by_field_name("argument")
    while root is not None and root.type in {"member_expression", "subscript_expression"}:
        root = root.child_by_field_name("object")
    return root if root is not None and root.type == "identifier" else None


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
