"""Whether a new bound fits into the limit of the test around it, and the edits that raise that limit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.syntax.bindings import bindings_of
from traf.syntax.blocks import blocks_with_calls, callback_of, enclosing_blocks, tests_for_line
from traf.syntax.catalogue import tables_for
from traf.syntax.edits import replacement, wait_edits
from traf.syntax.model import Edit, LimitFit, MsFrom, WaitKind, WaitSite
from traf.syntax.nodes import arguments, enclosing_function
from traf.syntax.sites import find_waits
from traf.syntax.times import time_in_force

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context, TestBlock
    from traf.syntax.rows import Row
    from traf.syntax.source import Source
    from traf.syntax.waits import Wait

# What a test needs beside its waits: a fifth of them, at least a second.
_MARGIN_SHARE = 0.2
_MARGIN_MS = 1000
_SLOW_FACTOR = 3


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
    limit, setter = _limit(source, waits, call, context)
    if _fits(total, limit):
        return LimitFit(fits=True, limit_ms=limit, needed_ms=needed)
    raised = round_up(needed)
    try:
        edits = _raise(source, waits, call, setter, raised)
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
    if limit is None or _fits(ms, limit):
        return LimitFit(fits=True, limit_ms=limit, needed_ms=needed)
    reason = f"the wait stands outside of a test, and its callers' limit is {limit:g} ms unless they say otherwise"
    return LimitFit(fits=False, limit_ms=limit, needed_ms=needed, possible=False, reason=reason)


def _default(source: Source, context: Context) -> float | None:
    """The limit of a test that sets none, None for no limit."""
    for table in tables_for(source, bindings_of(source).modules(), context):
        row = next((row for row in table.rows if row.block and row.default is not None), None)
        if row is not None:
            return _cautious(*time_in_force(None, row, context), row)
    return None


def _cautious(ms: float | None, origin: MsFrom, row: Row) -> float | None:
    """A limit; of one that only a run tells, the framework's own."""
    return row.default if origin in {MsFrom.UNKNOWN, MsFrom.ENVIRONMENT} else ms


def _limit(source: Source, waits: list[Wait], call: Node, context: Context) -> tuple[float | None, Wait | None]:
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
    limits = (wait for wait in waits if wait.row.block and wait.site.kind is WaitKind.TEST_TIMEOUT)
    around = next((wait for wait in limits if wait.call == call), None)
    limit = (
        _cautious(around.site.ms, around.site.ms_from, around.row) if around is not None else _default(source, context)
    )
    return (limit or 0) * (_SLOW_FACTOR if slow else 1) or None, None


def _raise(source: Source, waits: list[Wait], call: Node, setter: Wait | None, ms: int) -> tuple[Edit, ...]:
    if setter is not None:
        reading = setter.reading
        if reading is not None and reading.node is not None and reading.target is not reading.node:
            return (replacement(source, reading.node, ms, setter.factor),)
        return tuple(wait_edits(source, setter, ms))
    block = next((wait for wait in waits if wait.call == call and wait.row.block), None)
    if block is None:
        raise BadInput(f"{source.file}: the limit of this block cannot be set in its call", slug="no-limit-here")
    return tuple(wait_edits(source, block, ms))
