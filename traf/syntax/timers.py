"""What a `setTimeout(callback, ms)` is for a test: a sleep, a bound, or a timer of somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.model import WaitKind
from traf.syntax.nodes import FUNCTIONS, ancestors, arguments, peel, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source

_ASSERTS = frozenset({"expect", "assert", "should", "done", "resolve"})
_ENDERS = frozenset({"done", "next", "resolve"})


def timer_kind(source: Source, call: Node) -> WaitKind | None:
    """What a `setTimeout(callback, ms)` is for a test.

    In a promise that it resolves, or where it ends or continues the test (`done()`, assertions in the callback), it is a
    sleep; in a promise that it rejects it is a bound; otherwise it is a timer of somebody else (None).
    """
    args = arguments(call)
    if not args:
        return None
    return _settles(source, call, args[0]) or _continues(source, peel(args[0]))


def _settles(source: Source, call: Node, callback: Node) -> WaitKind | None:
    """What a timer means for the promise that it settles."""
    executor = executor_of(call)
    names = _parameter_names(source, executor) if executor is not None else []
    called = _names_in(source, callback)
    kinds = (WaitKind.FIXED_SLEEP, WaitKind.POLL_TIMEOUT)
    return next((kind for name, kind in zip(names, kinds, strict=False) if name in called), None)


def _continues(source: Source, callback: Node) -> WaitKind | None:
    """What a timer means for the test that its callback ends or goes on with."""
    if callback.type == "identifier":
        binding = bindings_of(source).resolve(source.text(callback), callback)
        if binding is not None and binding.kind == "parameter":
            return WaitKind.FIXED_SLEEP if binding.name in _ENDERS else None
        if binding is None or binding.value is None:
            return None
        callback = peel(binding.value)
    goes_on = callback.type in FUNCTIONS and bool(_calls(source, callback) & _ASSERTS)
    return WaitKind.FIXED_SLEEP if goes_on else None


def executor_of(call: Node) -> Node | None:
    """The function given to `new Promise(...)` around the call, where no other function lies between."""
    for up in ancestors(call):
        if up.type in FUNCTIONS:
            holder = up.parent.parent if up.parent is not None and up.parent.type == "arguments" else None
            return up if holder is not None and holder.type == "new_expression" else None
    return None


def _parameter_names(source: Source, function: Node) -> list[str]:
    single = function.child_by_field_name("parameter")
    if single is not None:
        return [source.text(single)]
    parameters = function.child_by_field_name("parameters")
    found = []
    for child in parameters.named_children if parameters is not None else ():
        name = child.child_by_field_name("pattern") or child
        if child.type != "comment":
            found.append(source.text(name))
    return found


def _names_in(source: Source, node: Node) -> set[str]:
    return {source.text(inner) for inner in walk(node) if inner.type == "identifier"}


def _calls(source: Source, function: Node) -> set[str]:
    found = set()
    for node in walk(function):
        if node.type == "call_expression":
            callee = node.child_by_field_name("function")
            while callee is not None and callee.type in {"member_expression", "call_expression"}:
                callee = callee.child_by_field_name("object") or callee.child_by_field_name("function")
            if callee is not None:
                found.add(source.text(callee))
    return found
