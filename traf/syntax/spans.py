"""The wait whose code spans a line: a chain of calls over several lines, a promise, a test that ends there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.nodes import ancestors
from traf.syntax.timers import executor_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source
    from traf.syntax.waits import Wait


def spanning(source: Source, waits: list[Wait], line: int, statement: Node | None) -> Wait | None:
    """The innermost wait whose chain of calls, or promise, spans the line; else the test whose end is all that is on it.

    `statement` is the one on the line that acts, if there is one: of a promise with more in it than the timer, that counts.
    """
    start, end = source.line_range(line)
    text = source.data[start:end]
    start += len(text) - len(text.lstrip())
    around = []
    for wait in waits:
        whole = _promise_of(wait, statement) or _chain_of(wait.call)
        begins = source.line_of(whole.start_byte) == line
        if not wait.row.block and (begins or whole.start_byte <= start < whole.end_byte):
            around.append((whole.end_byte - whole.start_byte, wait))
    if around:
        return min(around, key=lambda pair: pair[0])[1]
    return _ended(source, waits, line) if text.strip()[:1] in {b"}", b")"} and statement is None else None


def _ended(source: Source, waits: list[Wait], line: int) -> Wait | None:
    """The innermost test or hook whose call ends on a line on which it does not begin."""
    ended = [
        wait for wait in waits if wait.row.block and wait.site.line < line and source.line_of(wait.site.end - 1) == line
    ]
    return max(ended, key=lambda wait: wait.site.start, default=None)


def _promise_of(wait: Wait, statement: Node | None) -> Node | None:
    """The `new Promise(...)` that a timer settles, unless the statement is one in it."""
    executor = executor_of(wait.call) if "timer" in wait.row.needs else None
    holder = executor.parent.parent if executor is not None and executor.parent is not None else None
    inside = (
        statement is not None
        and executor is not None
        and executor.start_byte <= statement.start_byte < executor.end_byte
    )
    return None if inside else holder


def _chain_of(call: Node) -> Node:
    """The whole expression that a call is the beginning of: `expect.poll(f)` of `expect.poll(f).toBe(0)`."""
    chain = call
    for up in ancestors(call):
        if up.type in {"member_expression", "non_null_expression", "parenthesized_expression", "await_expression"} or (
            up.type == "call_expression" and up.child_by_field_name("function") == chain
        ):
            chain = up
        else:
            break
    return chain
