"""The conditions that a row of the wait API tables may name under `needs`: what the shape of a call alone cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.nodes import CALLBACKS, FUNCTIONS, ancestors, arguments, peel, string_of
from traf.syntax.slots import may_be_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from traf.syntax.source import Source

_SETTLED = frozenset({"await_expression", "string", "template_string", "number", "true", "false", "array", "object"})
_OWN_THIS = CALLBACKS - {"arrow_function"}


def hold(source: Source, call: Node, needs: tuple[str, ...]) -> bool:
    """Whether a call fulfils what its arguments must, of the conditions of a row.

    "callback": one is a function, "callback:N" one from the N-th on; "function": one has a `this` of its own; "args:N":
    there are at least N; "number:N": the N-th may be a number; "text:N": it is a text, "text:N=a|b": one of these,
    "no_text:N": it is none; "alias": the first is "@name", or an array of such; "object:N", "array:N", "code:N": it is
    written as one, or as a function; "options:N": it is one, or is named like one; "async": the last is an asynchronous
    function; "awaited": it is part of something that is; "no_argument": it is not given to another call; "live": what
    `expect()` was given is asked again; "lexical_this": its `this` is not that of the function around it; "of_timer": what
    it calls was made of `setTimeout`; "then:a|b", "no_then:a|b": the chain goes on with one, or with none, of these
    members.
    """
    named = (need.partition(":") for need in needs)
    return all(_CONDITIONS[name](source, call, rest) for name, _, rest in named if name in _CONDITIONS)


def has_callback(call: Node, first: int = 0) -> bool:
    """Whether one of the arguments from `first` on is, or may be, a function."""
    return any(peel(arg).type in CALLBACKS | {"identifier", "call_expression"} for arg in arguments(call)[first:])


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


def _is_text(source: Source, call: Node, rest: str) -> bool:
    index, equals, wanted = rest.partition("=")
    arg = _argument(call, index)
    if arg is None or arg.type not in {"string", "template_string"}:
        return False
    return not equals or string_of(source, arg) in wanted.split("|")


def _is_number(_source: Source, call: Node, index: str) -> bool:
    arg = _argument(call, index)
    return arg is not None and arg.type not in CALLBACKS | {"object", "array", "string", "template_string", "regex"}


def _is_alias(source: Source, call: Node, _rest: str) -> bool:
    arg = _argument(call, "0")
    first = arg.named_children[0] if arg is not None and arg.type == "array" and arg.named_children else arg
    return first is not None and first.type in {"string", "template_string"} and source.text(first)[1:2] == "@"


def _is_of(*kinds: str) -> Callable[[Source, Node, str], bool]:
    """A condition that an argument is written as an object, an array or a function."""

    def holds(_source: Source, call: Node, index: str) -> bool:
        arg = _argument(call, index)
        return arg is not None and arg.type in kinds

    return holds


def _has_lexical_this(call: Node) -> bool:
    """Whether `this` at a call is that of the code around the arrow function which the call stands in."""
    around = next((up for up in ancestors(call) if up.type in FUNCTIONS), None)
    return around is not None and around.type == "arrow_function"


def _is_options(source: Source, call: Node, index: str) -> bool:
    arg = _argument(call, index)
    if arg is None or arg.type == "object":
        return arg is not None
    binding = bindings_of(source).resolve(source.text(arg), arg) if arg.type == "identifier" else None
    value = peel(binding.value) if binding is not None and binding.value is not None and not binding.path else None
    return may_be_options(arg) or (value is not None and value.type == "object")


def _is_async(call: Node) -> bool:
    args = arguments(call)
    return bool(args) and any(child.type == "async" for child in peel(args[-1]).children)


def _goes_on(source: Source, call: Node, names: str) -> bool:
    """Whether one of these members is read later in the chain."""
    wanted, inner = names.split("|"), call
    for up in ancestors(call):
        member = up.child_by_field_name("property") if up.type == "member_expression" else None
        if member is not None and source.text(member) in wanted:
            return True
        called = up.type == "call_expression" and up.child_by_field_name("function") == inner
        if not called and up.type not in {"member_expression", "parenthesized_expression", "non_null_expression"}:
            return False
        inner = up
    return False


def _in_awaited(_source: Source, call: Node, _rest: str) -> bool:
    """Whether the function around the call awaits, or gives back, something that the call is a part of."""
    for up in ancestors(call):
        if up.type in {"await_expression", "return_statement"}:
            return True
        if up.type in FUNCTIONS or up.type.endswith("_statement"):
            return False
    return False


def _is_live(source: Source, call: Node, _rest: str) -> bool:
    """Whether what `expect()` was given is asked again and again: not what was awaited before, nor a mere value."""
    target = call.child_by_field_name("function")
    expect = target.child_by_field_name("object") if target is not None else None
    args = arguments(expect) if expect is not None else []
    given = peel(args[0]) if args else None
    if given is not None and given.type == "identifier":
        binding = bindings_of(source).resolve(source.text(given), given)
        given = peel(binding.value) if binding is not None and binding.value is not None else given
    return given is None or given.type not in _SETTLED


def _is_of_timer(source: Source, call: Node, _rest: str) -> bool:
    """Whether what is called is `promisify(setTimeout)`, or may be it as far as this file says."""
    target = call.child_by_field_name("function")
    if target is not None and target.type == "identifier":
        binding = bindings_of(source).resolve(source.text(target), target)
        target = binding.value if binding is not None else None
    made = peel(target) if target is not None else None
    if made is None or made.type != "call_expression" or not arguments(made):
        return True
    return source.text(arguments(made)[0]).rpartition(".")[2] == "setTimeout"


def _argument(call: Node, index: str) -> Node | None:
    args = arguments(call)
    return peel(args[int(index)]) if int(index) < len(args) else None


_CONDITIONS: dict[str, Callable[[Source, Node, str], bool]] = {
    "callback": lambda _source, call, first: has_callback(call, int(first or 0)),
    "function": lambda _source, call, _rest: any(peel(arg).type in _OWN_THIS for arg in arguments(call)),
    "args": lambda _source, call, least: len(arguments(call)) >= int(least),
    "number": lambda source, call, rest: not rest or _is_number(source, call, rest),
    "text": _is_text,
    "no_text": lambda source, call, index: not _is_text(source, call, index),
    "alias": _is_alias,
    "object": _is_of("object"),
    "array": _is_of("array"),
    "code": _is_of(*CALLBACKS),
    "lexical_this": lambda _source, call, _rest: _has_lexical_this(call),
    "of_timer": _is_of_timer,
    "options": _is_options,
    "async": lambda _source, call, _rest: _is_async(call),
    "awaited": _in_awaited,
    "no_argument": lambda _source, call, _rest: _holder(call).type != "arguments",
    "live": _is_live,
    "then": _goes_on,
    "no_then": lambda source, call, names: not _goes_on(source, call, names),
}
