"""The limits that tests and hooks take from their file, from a describe around them, or from a hook before each test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.blocks import enclosing_blocks
from traf.syntax.model import MsFrom, WaitKind
from traf.syntax.nodes import ancestors, enclosing_function, is_conditional

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source
    from traf.syntax.waits import Wait


@dataclass(frozen=True, slots=True)
class _Setter:
    """A written limit for all blocks, or a default for all calls, that lie in the bytes [start, end)."""

    wait: Wait
    start: int
    end: int
    in_hook: bool = False

    def sets(self, wait: Wait) -> bool:
        """Whether it is for the time of a wait that writes none."""
        if not (wait.row.block or self.wait.row.sets):
            return False
        own, keys = wait.site, self._keys
        inside = self.start <= own.start and own.end <= self.end and own.start != self.wait.site.start
        return inside and (not keys or not keys.isdisjoint(wait.row.default_keys))

    @property
    def _keys(self) -> frozenset[str]:
        """The defaults that it replaces, none for all."""
        row, slot = self.wait.row, self.wait.slot
        if row.sets and slot in row.slots:
            return frozenset({row.sets[row.slots.index(slot)]})
        return frozenset(row.default_keys if row.block else ())

    @property
    def nearness(self) -> tuple[bool, int, int]:
        """What is said before each test counts most, then what is said nearest, then what is said last."""
        return (not self.in_hook, self.end - self.start, -self.wait.site.start)


def with_inherited(source: Source, waits: list[Wait]) -> list[Wait]:
    """The waits, with the times of those that write none of their own replaced by those that are set around them."""
    setters = [setter for wait in waits for setter in _setters(source, wait)]
    return [_inheriting(wait, setters) for wait in waits] if setters else waits


def _inheriting(wait: Wait, setters: list[_Setter]) -> Wait:
    if wait.site.level == 0:
        return wait
    found = min((setter for setter in setters if setter.sets(wait)), key=lambda setter: setter.nearness, default=None)
    if found is None:
        return wait
    site = found.wait.site
    if site.ms == 0 and wait.row.zero == "unbounded":
        return replace(wait, site=replace(wait.site, ms=None, ms_from=MsFrom.UNBOUNDED))
    if is_conditional(found.wait.call):
        return replace(wait, site=replace(wait.site, ms=None, ms_from=MsFrom.UNKNOWN))
    origin = site.ms_from if site.ms is None else MsFrom.CONFIGURED
    return replace(wait, site=replace(wait.site, ms=site.ms, ms_from=origin))


def _sets_default(wait: Wait) -> bool:
    """Whether a time is a setting for what lies in a block: `it("x", { defaultCommandTimeout: 8000 }, fn)`."""
    return wait.row.block and bool(wait.row.sets)


def _setters(source: Source, wait: Wait) -> list[_Setter]:
    """The setters that a wait is: of a default where it is used, or of a limit."""
    if wait.row.derives:
        return [_Setter(wait, use.start_byte, _chain_end(use)) for use in _uses_of_result(source, wait.call)]
    if _sets_default(wait):
        return [_Setter(wait, wait.call.start_byte, wait.call.end_byte)]
    function = enclosing_function(wait.call)
    if wait.row.sets and wait.site.kind is WaitKind.POLL_TIMEOUT and function is not None:
        # A default that code sets on its way is in force from there on.
        return [_Setter(wait, wait.site.end, function.end_byte)]
    return _limit_setters(source, wait)


def _limit_setters(source: Source, wait: Wait) -> list[_Setter]:
    """The setter that a written limit is: one for a describe, or one that a call sets for what stands around it."""
    site = wait.site
    if site.kind is not WaitKind.TEST_TIMEOUT or site.level:
        return []
    around = enclosing_blocks(source, site.start)
    if wait.row.block:
        describes = any(block.start == site.start and block.kind == "describe" for block, _call in around)
        return [_Setter(wait, site.start, site.end)] if describes else []
    if any(block.kind == "test" for block, _call in around):
        return []
    hook = next((call for block, call in around if block.kind == "hook"), None)
    if hook is not None and not _lasts(source, wait, hook):
        return []
    scope = next((block for block, _call in around if block.kind == "describe"), None)
    start, end = (scope.start, scope.end) if scope is not None else (0, len(source.data))
    return [_Setter(wait, start, end, hook is not None)]


def _uses_of_result(source: Source, call: Node) -> list[Node]:
    """The uses of the name that is given what a call gives back."""
    holder = call.parent
    name = holder.child_by_field_name("name") if holder is not None and holder.type == "variable_declarator" else None
    binding = bindings_of(source).resolve(source.text(name), name) if name is not None else None
    return bindings_of(source).uses(binding) if binding is not None else []


def _chain_end(name: Node) -> int:
    """The end of the longest expression that begins with a name."""
    return next(
        (
            up.end_byte
            for up in reversed(list(ancestors(name)))
            if up.start_byte == name.start_byte and up.type.endswith("_expression")
        ),
        name.end_byte,
    )


def _lasts(source: Source, wait: Wait, hook: Node) -> bool:
    """Whether what is set in a hook is still in force in the tests after it: a default is, the hook's own limit is not."""
    if not wait.row.sets or wait.row.void_in_hooks:
        return False
    target = hook.child_by_field_name("function")
    name = source.text(target).rpartition(".")[2] if target is not None else ""
    return name == "beforeEach" or (wait.row.assigned and name.startswith("before"))
