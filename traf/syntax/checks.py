"""The conditions that a row of the wait API tables may name under `needs`: what the shape of a call alone cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.model import WaitKind
from traf.syntax.nodes import CALLBACKS, FUNCTIONS, ancestors, arguments, peel, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source

_ASSERTS = frozenset({"expect", "assert", "should", "done", "resolve"})
_ENDERS = frozenset({"done", "next", "resolve"})


def has_callback(call: Node) -> bool:
    """Whether one of the arguments is, or may be, a function."""
    return any(peel(arg).type in CALLBACKS | {"identifier", "call_expression"} for arg in arguments(call))


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
    executor = _executor(call)
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


def _executor(call: Node) -> Node | None:
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


def awaited(source: Source, call: Node) -> bool:
    """Whether somebody waits for the promise that a call gives back, or takes it."""
    holder = _holder(call)
    if holder.type == "unary_expression" and source.text(holder).startswith("void"):
        return True
    return holder.type not in {"expression_statement", "program"}


def surely_awaited(call: Node) -> bool:
    """Whether a call's result is awaited, given back, or gathered with others, as a promise is."""
    return _holder(call).type in {"await_expression", "return_statement", "arrow_function", "array"}


def _holder(call: Node) -> Node:
    """What a call, with all that is called on its result, is a part of."""
    inner = call
    for up in ancestors(call):
        called = up.type == "call_expression" and up.child_by_field_name("function") == inner
        if not called and up.type not in {"member_expression", "parenthesized_expression", "non_null_expression"}:
            return up
        inner = up
    return inner
