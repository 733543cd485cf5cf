"""The places where a call takes its time, as the wait API tables write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from traf.syntax.nodes import CALLBACKS, ancestors, arguments, peel

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source

_OPTIONS = re.compile(rb"opt|config|setting|timeout|param", re.IGNORECASE)
_FORM = re.compile(
    r"(?P<value>value)|(?P<shift>\+?)(?P<index>\d+)(?P<keys>(?:\.\w+)*)|(?P<word>last|fn)(?P<rest>(?:\.\w+)*)"
    r"|(?P<chain>before|after)\.(?P<link>\w+)(?P<option>(?:\.\w+)*)|body\.(?P<holder>\w+)\.(?P<call>\w+)"
)

Place = Literal["argument", "last", "fn", "before", "after", "body", "value"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a time.

    "argument": argument `index`, or the key path `keys` in it; with `shifts`, a time is put in before what stands there.
    "last": the options (or, without keys, the number) after the last needed argument. "fn": the options right before the
    callback. "before", "after": a call of `link` earlier or later in the chain, or the key path `keys` in its options.
    "body": a call of `link` on `holder` ("this", the number of a parameter, "own" for what the call itself is called on, a
    name) in the callback. "value": the right side of an assignment.
    """

    place: Place
    index: int = 0
    keys: tuple[str, ...] = ()
    link: str = ""
    holder: str = ""
    shifts: bool = False

    @classmethod
    def of(cls, text: str) -> Slot:
        """The slot that a table writes as "1", "+1", "1.timeout", "last", "after.timeout", "body.this.timeout", "value".

        Raises:
            ValueError: for any other text.
        """
        form = _FORM.fullmatch(text)
        if form is None:
            raise ValueError(f"no place for a time is called {text!r}")
        if form["value"]:
            return cls("value")
        if form["index"]:
            return cls("argument", int(form["index"]), _keys(form["keys"]), shifts=bool(form["shift"]))
        if form["word"]:
            return cls("last" if form["word"] == "last" else "fn", 0, _keys(form["rest"]))
        if form["chain"]:
            return cls("before" if form["chain"] == "before" else "after", 0, _keys(form["option"]), form["link"])
        return cls("body", link=form["call"], holder=form["holder"])

    @property
    def is_argument(self) -> bool:
        """Whether the time stands among the call's own arguments."""
        return self.place in {"argument", "last", "fn"}


def _keys(text: str) -> tuple[str, ...]:
    return tuple(text.split(".")[1:])


def position(call: Node, slot: Slot, least: int) -> int:
    """The argument that a slot means in this call, whether or not the call has it; -1 where it cannot have it."""
    args = arguments(call)
    if slot.place == "fn":
        return _before_callback(args)
    if slot.place != "last":
        return slot.index
    last = peel(args[-1]) if len(args) > least else None
    if last is not None and (not slot.keys or last.type == "object" or may_be_options(last)):
        return len(args) - 1
    return max(len(args), least)


def may_be_options(node: Node) -> bool:
    """Whether a name is like that of an options object."""
    return node.type in {"identifier", "member_expression"} and bool(_OPTIONS.search(node.text or b""))


def _before_callback(args: list[Node]) -> int:
    """The options before the first callback; the callback's own place where there are none."""
    at = next((index for index, arg in enumerate(args) if peel(arg).type in CALLBACKS), -1)
    before = peel(args[at - 1]) if at > 0 else None
    if before is not None and (
        before.type == "object" or (at > 1 and before.type in {"identifier", "member_expression"})
    ):
        return at - 1
    return at


def spread_before(call: Node, index: int) -> bool:
    """Whether spread arguments make it unknown which argument is the `index`-th."""
    return any(arg.type == "spread_element" for arg in arguments(call)[: index + 1])


def linked_call(source: Source, call: Node, slot: Slot) -> Node | None:
    """The call of the slot's link in the chain around a call or in its callback, None if there is none."""
    if slot.place == "before":
        return next((inner for inner in _earlier(call) if _link_of(source, inner) == slot.link), None)
    if slot.place == "after":
        return next((outer for outer in _later(call) if _link_of(source, outer) == slot.link), None)
    receiver = receiver_in(source, call, slot)
    body = body_of(call)
    if receiver is None or body is None:
        return None
    for statement in body.named_children:
        inner = peel(statement.named_children[0]) if statement.named_children else statement
        if inner.type == "await_expression" and inner.named_children:
            inner = inner.named_children[0]
        target = inner.child_by_field_name("function") if inner.type == "call_expression" else None
        if target is not None and source.text(target) == f"{receiver}.{slot.link}":
            return inner
    return None


def _earlier(call: Node) -> list[Node]:
    """The calls that a call's chain goes through before it, nearest first."""
    found, node = [], call.child_by_field_name("function")
    while node is not None:
        node = peel(node)
        if node.type == "call_expression":
            found.append(node)
        node = node.child_by_field_name("object") or node.child_by_field_name("function")
    return found


def _later(call: Node) -> list[Node]:
    """The calls on the result of a call, nearest first."""
    found, inner = [], call
    for up in ancestors(call):
        if up.type == "call_expression" and up.child_by_field_name("function") == inner:
            found.append(up)
        elif up.type != "member_expression":
            break
        inner = up
    return found


def _link_of(source: Source, call: Node) -> str:
    target = call.child_by_field_name("function")
    name = target.child_by_field_name("property") if target is not None else None
    return source.text(name) if name is not None else ""


def callback_in(call: Node) -> Node | None:
    """The last function that is written among a call's arguments."""
    return next((peel(arg) for arg in reversed(arguments(call)) if peel(arg).type in CALLBACKS), None)


def body_of(call: Node) -> Node | None:
    """The block of a call's callback, None where it is a mere expression or written elsewhere."""
    callback = callback_in(call)
    body = callback.child_by_field_name("body") if callback is not None else None
    return body if body is not None and body.type == "statement_block" else None


def receiver_in(source: Source, call: Node, slot: Slot) -> str | None:
    """What a "body" slot's link is called on in a call's callback, None where there is no such thing."""
    callback = callback_in(call)
    if callback is None:
        return None
    if slot.holder == "this":
        return None if callback.type == "arrow_function" else "this"
    if slot.holder == "own":
        return source.text(_root(call))
    if not slot.holder.isdigit():
        return slot.holder
    single = callback.child_by_field_name("parameter")
    listed = callback.child_by_field_name("parameters")
    nodes = [single] if single is not None else listed.named_children if listed is not None else []
    names = [child.child_by_field_name("pattern") or child for child in nodes if child.type != "comment"]
    at = int(slot.holder)
    return source.text(names[at]) if at < len(names) and names[at].type == "identifier" else None


def _root(call: Node) -> Node:
    """What a chain of calls begins with."""
    node = call
    while node.type in {"call_expression", "member_expression"}:
        inner = node.child_by_field_name("function") or node.child_by_field_name("object")
        if inner is None:
            break
        node = inner
    return node


def can_add(source: Source, call: Node, slot: Slot, least: int) -> bool:
    """Whether a time could be written at a slot that has none yet."""
    if slot.is_argument:
        return len(slot.keys) < 2 and position(call, slot, least) >= 0
    if slot.place == "body":
        return body_of(call) is not None and receiver_in(source, call, slot) is not None
    return slot.place != "value"


def has_object(call: Node, slot: Slot, least: int) -> bool:
    """Whether the options that a slot means are there already, as an object literal."""
    args = arguments(call)
    at = position(call, slot, least) if slot.is_argument and slot.keys else -1
    return 0 <= at < len(args) and peel(args[at]).type == "object"
