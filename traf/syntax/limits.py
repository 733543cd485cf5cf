"""Whether a new bound fits into the limit of the test around it, and the edits that raise that limit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.syntax.bindings import bindings_of
from traf.syntax.blocks import blocks_with_calls, callback_of, enclosing_blocks, tests_for_line
from traf.syntax.edits import replacement, wait_edits
from traf.syntax.layout import begins_line, indent, newline, statement_end
from traf.syntax.model import Edit, LimitFit, WaitKind, WaitSite
from traf.syntax.nodes import arguments, enclosing_function
from traf.syntax.sites import find_waits

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context, TestBlock
    from traf.syntax.source import Source
    from traf.syntax.waits import Wait

# What a test needs beside its waits: a fifth of them, at least a second.
_MARGIN_SHARE = 0.2
_MARGIN_MS = 1000
_SLOW_FACTOR = 3
_PLAYWRIGHT_MS = 30_000
_JEST_MS = 5_000


def fit_limit(source: Source, site: WaitSite, ms: float, context: Context) -> LimitFit:
    """Whether the test around a site leaves room for `ms` there, and how to raise that test's limit where it does not.

    What is needed: the sleeps of the test, of polling bounds the site's own, and a margin for the test's own work.
    """
    if site.kind in {WaitKind.TEST_TIMEOUT, WaitKind.FAKE_CLOCK}:
        return LimitFit(fits=True, limit_ms=None, needed_ms=0)
    waits = find_waits(source, context)
    around = [pair for pair in enclosing_blocks(source, site.start) if pair[0].kind != "describe"]
    if not around:
        # In a function that one test alone calls, that test's limit is the one to fit.
        callers = tests_for_line(source, site.line)
        around = [pair for pair in blocks_with_calls(source) if len(callers) == 1 and pair[0] == callers[0]]
    if not around:
        return _outside(source, ms, context)
    block, call = around[0]
    total = _total(waits, site, ms, block)
    needed = total + _margin(total)
    limit, setter = _limit(source, waits, block, call, context)
    if _fits(total, limit):
        return LimitFit(fits=True, limit_ms=limit, needed_ms=needed)
    raised = round_up(needed)
    try:
        edits = _raise(source, waits, call, setter, raised, context)
    except BadInput as error:
        return LimitFit(fits=False, limit_ms=limit, needed_ms=needed, possible=False, reason=str(error))
    return LimitFit(fits=False, limit_ms=limit, needed_ms=needed, raised_ms=raised, edits=edits)


def round_up(ms: float) -> int:
    """The next limit that a person would write: whole seconds, above 10 s in steps of 5."""
    step = 1000 if ms <= 10_000 else 5000
    return math.ceil(ms / step) * step


def _margin(total: float) -> float:
    return max(_MARGIN_MS, _MARGIN_SHARE * total)


def _fits(total: float, limit: float | None) -> bool:
    """Whether waits leave room for the test's own work; who sets a small limit has a test with little work."""
    return limit is None or total + min(_margin(total), _MARGIN_SHARE * limit) <= limit


def _total(waits: list[Wait], site: WaitSite, ms: float, block: TestBlock) -> float:
    total = ms
    for wait in waits:
        here = wait.site
        inside = block.start <= here.start and here.end <= block.end
        if inside and here.kind is WaitKind.FIXED_SLEEP and here.start != site.start and here.ms:
            total += here.ms
    return total


def _outside(source: Source, ms: float, context: Context) -> LimitFit:
    """A site in a helper: the tests that call it are not at hand, so only a default limit can be told."""
    limit = _default(source, context)
    needed = ms + _margin(ms)
    if _fits(ms, limit):
        return LimitFit(fits=True, limit_ms=limit, needed_ms=needed)
    reason = f"the wait stands outside of a test, and its callers' limit is {limit:g} ms unless they say otherwise"
    return LimitFit(fits=False, limit_ms=limit, needed_ms=needed, possible=False, reason=reason)


def _is_playwright(source: Source, context: Context) -> bool:
    if context.framework is not None:
        return context.framework == "playwright"
    return any(name.startswith("@playwright/") for name in bindings_of(source).modules())


def _default(source: Source, context: Context) -> float | None:
    """The limit of a test that sets none, None for no limit."""
    if _is_playwright(source, context):
        return context.defaults.get("playwright.timeout", _PLAYWRIGHT_MS) or None
    return context.defaults.get("jest.testTimeout", _JEST_MS)


def _limit(
    source: Source, waits: list[Wait], block: TestBlock, call: Node, context: Context
) -> tuple[float | None, Wait | None]:
    """The limit in force in a block, None for no limit, and the wait that sets it inside of the block itself."""
    callback = callback_of(call)
    setters = [wait for wait in waits if wait.site.kind is WaitKind.TEST_TIMEOUT and wait.site.ms is not None]
    inside = [w for w in setters if callback is not None and enclosing_function(w.call) == callback]
    own = next((w for w in setters if w.call == call and w.site.level == 0), None)
    fixed = next((w for w in reversed(inside) if not w.row.block and w.site.level == 0), None)
    slow = any(w.site.api.endswith(".slow") and not arguments(w.call) for w in inside)
    if fixed is not None or own is not None:
        setter = fixed or own
        assert setter is not None
        return setter.site.ms or None, setter
    limit = _inherited(source, setters, block)
    if limit is None:
        limit = _default(source, context)
    return (limit or 0) * (_SLOW_FACTOR if slow else 1) or None, None


def _inherited(source: Source, setters: list[Wait], block: TestBlock) -> float | None:
    """The limit that a beforeEach, else a describe or the file sets for a block; the innermost one; 0 for no limit."""
    scopes = [outer.start for outer, _call in enclosing_blocks(source, block.start) if outer.kind == "describe"]
    order: list[int | None] = [*scopes, None]
    found: dict[tuple[bool, int], float | None] = {}
    for wait in setters:
        around = enclosing_blocks(source, wait.site.start)
        if wait.row.block or wait.site.level or any(outer.kind == "test" for outer, _call in around):
            continue
        hook = next((call for outer, call in around if outer.kind == "hook"), None)
        if hook is not None and not _before_each(source, hook):
            continue
        scope = next((outer.start for outer, _call in around if outer.kind == "describe"), None)
        if scope in order:
            found[hook is None, order.index(scope)] = wait.site.ms
    return found[min(found)] if found else None


def _before_each(source: Source, hook: Node) -> bool:
    target = hook.child_by_field_name("function")
    return target is not None and source.text(target).endswith("beforeEach")


def _raise(
    source: Source, waits: list[Wait], call: Node, setter: Wait | None, ms: int, context: Context
) -> tuple[Edit, ...]:
    if setter is not None:
        reading = setter.reading
        if reading is not None and reading.node is not None and reading.target is not reading.node:
            return (replacement(source, reading.node, ms, setter.factor),)
        return tuple(wait_edits(source, setter, ms))
    if not _is_playwright(source, context):
        block = next((wait for wait in waits if wait.call == call and wait.row.block), None)
        if block is None:
            raise BadInput(f"{source.file}: the limit of this block cannot be set in its call", slug="no-limit-here")
        return tuple(wait_edits(source, block, ms))
    return (_first_statement(source, call, ms),)


def _first_statement(source: Source, call: Node, ms: int) -> Edit:
    """`test.setTimeout(ms);` as the first statement of a Playwright test or hook."""
    callback = callback_of(call)
    body = callback.child_by_field_name("body") if callback is not None else None
    if body is None or body.type != "statement_block":
        line = source.line_of(call.start_byte)
        raise BadInput(f"{source.file}:{line}: the test has no body to set its limit in", slug="no-limit-here")
    target = call
    while target.type in {"call_expression", "member_expression"}:
        inner = target.child_by_field_name("function") or target.child_by_field_name("object")
        if inner is None:
            break
        target = inner
    text = f"{source.text(target)}.setTimeout({ms})"
    head = body.named_children[0] if body.named_children else None
    if head is None or not begins_line(source, head):
        return Edit(body.start_byte + 1, body.start_byte + 1, f" {text};".encode())
    start = source.line_range(source.line_of(head.start_byte))[0]
    ending = statement_end(source) + newline(source, source.line_of(head.start_byte))
    return Edit(start, start, f"{indent(source, head)}{text}{ending}".encode())
