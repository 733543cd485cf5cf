"""What a call calls: its chain of names, with aliases, imports and constants followed to where they come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.chains import MAX_PARTS, descend, linked
from traf.syntax.declarations import Binding, required_module
from traf.syntax.exports import exported
from traf.syntax.nodes import CALLBACKS, FUNCTIONS, peel
from traf.syntax.returned import returned

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

_MAX_HOPS = 6
# Calls that give back the same API under another name.
_SAME = frozenset({"extend()", "configure()"})
_MERGED = {"mergeTests": "test", "mergeExpects": "expect"}


@dataclass(frozen=True, slots=True)
class Callee:
    """The chain of names that a call ends, outermost last; a called link ends in "()".

    `module` is the specifier that the first name was imported from, `wrapped` that the module is not in reach (a wrapper of
    the project, an alias, a package). `function` is the function itself where the bare name means one, and its file.
    `computed` is set where the last name is computed from something that cannot be told, `spelled` the chain as it is written.
    """

    parts: tuple[str, ...]
    module: str | None = None
    wrapped: bool = False
    function: tuple[Source, Node] | None = None
    computed: bool = False
    spelled: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last name."""
        return self.parts[-1] if self.parts else ""

    def on(self, modifiers: frozenset[str] = frozenset()) -> str:
        """What the last name is called on, "" for nothing."""
        return ".".join(part for part in self.parts[:-1] if part not in modifiers)

    @property
    def api(self) -> str:
        """How to call it in a message: the last two names as the file spells them."""
        shown = [part for part in self.spelled[-2:] if part != "()"]
        return ".".join(shown) if self.name != "()" else shown[-1].removesuffix("()")


def callee_of(source: Source, call: Node, context: Context) -> Callee:
    """What a call or `new` expression calls; found once for each call of a source."""
    key = ("callee", call.id, context.load_module)
    found = source.memo.get(key)
    if not isinstance(found, Callee):
        found = source.memo[key] = _callee(source, call, context)
    return found


def callee_of_member(source: Source, member: Node, context: Context) -> Callee:
    """The chain of names of a member expression that is not called."""
    return _chain(source, member, context, _MAX_HOPS)


def _callee(source: Source, call: Node, context: Context) -> Callee:
    target = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    if target is None:
        return Callee(())
    target = peel(target)
    found = _chain(source, target, context, _MAX_HOPS)
    if target.type == "call_expression":
        return replace(found, parts=(*found.parts, "()"), spelled=(*found.spelled, "()"))
    return found


def _chain(source: Source, node: Node, context: Context, hops: int) -> Callee:
    root, links, computed = descend(source, node, context)
    if root is None:
        return Callee(("?", *links), computed=computed)
    written = list(links)
    begun = _root(source, root, links, context, hops)
    if links[:1] == ["()"] and begun.function is not None and hops and not _is_package(begun.module):
        begun, links = _given_back(begun, links, context, hops)
    kept = linked(list(begun.parts), links)
    kept = tuple(part for at, part in enumerate(kept) if not (0 < at < len(kept) - 1 and part in _SAME))
    first = source.text(root) if root.type in {"identifier", "this", "super"} else begun.parts[0] if begun.parts else ""
    spelled = linked([first], written)
    return Callee(kept, begun.module, begun.wrapped, begun.function if not links else None, computed, spelled)


def _is_package(module: str | None) -> bool:
    """Whether a specifier is that of a package, which is what its name says wherever its code lies."""
    return module is not None and not module.startswith((".", "/", "@/", "~"))


def _given_back(begun: Callee, links: list[str], context: Context, hops: int) -> tuple[Callee, list[str]]:
    """The chain that a function does nothing but give back, and the links after the function's call: `button().click()`."""
    assert begun.function is not None
    home, function = begun.function
    given = peel(returned(home, function))
    if given.type != "call_expression":
        return begun, links
    return _chain(home, given, context, hops - 1), links[1:]


def _root(source: Source, node: Node, links: list[str], context: Context, hops: int) -> Callee:
    """What the first node of a chain is; of a whole module, the first link is the name that it exports."""
    if node.type == "new_expression":
        constructor = node.child_by_field_name("constructor")
        return Callee((f"new {source.text(constructor)}()",)) if constructor is not None else Callee(("?",))
    if node.type == "call_expression":
        module = required_module(source, node) or ""
        binding: Binding | None = Binding("import", module, node, node, ("*",), None, module)
    elif node.type in {"identifier", "shorthand_property_identifier", "this", "super"}:
        binding = bindings_of(source).resolve(source.text(node), node)
    else:
        return Callee((f"<{node.type}>",))
    if binding is None:
        return Callee((source.text(node),))
    if binding.kind == "import" and binding.path == ("*",) and links and links[0] != "()":
        binding = replace(binding, path=(links.pop(0),))
    return _bound(source, binding, context, hops)


def _bound(source: Source, binding: Binding, context: Context, hops: int) -> Callee:
    if binding.kind == "import":
        return _imported(source, binding, context, hops)
    if binding.kind == "parameter":
        return Callee((meaning_of(source, binding),))
    if binding.kind == "function" and binding.value is not None:
        return Callee((binding.name,), function=(source, binding.value))
    if binding.value is None or hops == 0 or binding.kind not in {"const", "let"}:
        return Callee((binding.name,))
    return _followed(source, binding, context, hops)


def _followed(source: Source, binding: Binding, context: Context, hops: int) -> Callee:
    assert binding.value is not None
    value = peel(binding.value)
    if value.type == "await_expression" and value.named_children:
        value = peel(value.named_children[0])
    if value.type in CALLBACKS and not binding.path:
        return Callee((binding.name,), function=(source, value))
    if value.type not in {"identifier", "call_expression", "member_expression", "subscript_expression"}:
        return Callee((binding.name,))
    found = _chain(source, value, context, hops - 1)
    if found.name.removesuffix("()") in _MERGED:
        return replace(found, parts=(_MERGED[found.name.removesuffix("()")],))
    if found.name in _SAME and len(found.parts) > 1:
        found = replace(found, parts=found.parts[:-1])
    parts = (*found.parts, *binding.path)
    return replace(found, parts=parts) if len(parts) < MAX_PARTS else Callee((binding.name,))


def _imported(source: Source, binding: Binding, context: Context, hops: int) -> Callee:
    first, *rest = binding.path
    own = () if first == "*" else (binding.name if first == "default" else first,)
    direct = Callee((*own, *rest), binding.module)
    if binding.value is not None and first == "*":
        # `const sleep = require('x')` is the module itself or its only function.
        direct = replace(direct, parts=(binding.name,))
    module = context.load_module(source.file, binding.module or "") if hops else None
    if module is None:
        return replace(direct, wrapped=True)
    found = exported(module, "default" if first == "*" else first, context)
    if found is None:
        # The module does not say so, but it may hand on everything of one that is out of reach.
        return replace(direct, wrapped=True)
    target, node = found
    node = peel(node)
    if node.type in FUNCTIONS:
        return replace(direct, function=(target, node))
    if node.type in {"identifier", "shorthand_property_identifier", "call_expression", "member_expression"}:
        inner = _chain(target, node, context, hops - 1)
        merged = _MERGED.get(inner.name.removesuffix("()"))
        parts = (merged,) if merged else inner.parts[:-1] if inner.name in _SAME else inner.parts
        return replace(inner, parts=(*parts, *rest))
    return direct


def meaning_of(source: Source, parameter: Binding) -> str:
    """What a parameter is, by its type, by the key that it is taken from, or by its own name."""
    path = parameter.path
    return _type_name(source, parameter) or (path[-1] if path and path[-1] != "..." else parameter.name)


def _type_name(source: Source, binding: Binding) -> str | None:
    """A parameter declared `p: Page` is a page, whatever its name."""
    parent = binding.node.parent
    if parent is None or parent.type not in {"required_parameter", "optional_parameter"}:
        return None
    annotation = parent.child_by_field_name("type")
    kind = annotation.named_children[0] if annotation is not None and annotation.named_children else None
    if kind is None or kind.type != "type_identifier":
        return None
    name = source.text(kind)
    return name[0].lower() + name[1:]
