"""Helpers of a project that wait: a call of one is a wait whose time is an argument, a default, or in the helper's body."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import Value
from traf.syntax.bindings import bindings_of
from traf.syntax.callee import Callee
from traf.syntax.catalogue import Row, tables_for
from traf.syntax.declarations import parameter
from traf.syntax.model import MsFrom, WaitKind, WaitSite
from traf.syntax.nodes import walk
from traf.syntax.reading import Slot, read, spread_before
from traf.syntax.values import evaluate
from traf.syntax.waits import Wait, milliseconds, wait_at

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source

# Functions of other files are read only when their name speaks of waiting.
_WAITY = re.compile(
    r"sleep|delay|wait|pause|until|timeout|settle|flush|tick|retry|poll|eventual|ready|snooze", re.IGNORECASE
)
_TIMELY = re.compile(r"timeout|ms$|millis|delay|wait|^time$|limit|duration", re.IGNORECASE)
_CLOCK = re.compile(rb"Date\.now\(\)|performance\.now\(\)|new Date\(\)")


@dataclass(frozen=True, slots=True)
class Helper:
    """What a helper does with time: it waits for `slot` of its arguments times `factor` ms, or for what `inner` says."""

    kind: WaitKind
    slot: Slot | None = None
    factor: float = 1
    default: float | None = None
    inner: Wait | None = None


def helper_wait(source: Source, call: Node, callee: Callee, context: Context) -> Wait | None:
    """The wait that a call of a project's own function is, None if the function does not wait."""
    if callee.function is None:
        return None
    home, function = callee.function
    if home is not source and not _WAITY.search(callee.name):
        return None
    if function.start_byte <= call.start_byte < function.end_byte and home is source:
        return None
    helper = _helper(home, function, context)
    if helper is None:
        return None
    return (
        _by_argument(source, call, callee, helper, context) if helper.slot else _by_body(source, call, callee, helper)
    )


def _helper(home: Source, function: Node, context: Context) -> Helper | None:
    key = ("helper", function.start_byte, context.framework)
    if key not in home.memo:
        home.memo[key] = None  # a function that calls itself is no helper while it is being read
        home.memo[key] = _read_helper(home, function, context)
    found = home.memo[key]
    return found if isinstance(found, Helper) else None


def _read_helper(home: Source, function: Node, context: Context) -> Helper | None:
    applicable = tables_for(home, bindings_of(home).modules(), context)
    names = _parameters(home, function)
    waits = []
    for node in walk(function):
        if node.type != "call_expression":
            continue
        wait = wait_at(home, node, context, applicable)
        if wait is None:
            continue
        waits.append(wait)
        if wait.reading is None or wait.row.block:
            continue
        for slot, start, default in names:
            probes = [wait_at(home, node, context, applicable, {start: Value(number)}) for number in (1000, 2000)]
            first, second = (probe.site.ms if probe is not None else None for probe in probes)
            if first and second and second == 2 * first:
                factor = first / 1000
                ms = milliseconds(evaluate(home, default, context), factor) if default is not None else None
                return Helper(wait.site.kind, slot, factor, ms)
    bound = _hand_made_bound(home, function, names, context)
    if bound is not None:
        return bound
    if len(waits) == 1 and waits[0].site.kind is WaitKind.FIXED_SLEEP and waits[0].reading and _is_short(function):
        return Helper(WaitKind.FIXED_SLEEP, inner=waits[0])
    return None


def _parameters(home: Source, function: Node) -> list[tuple[Slot, int, Node | None]]:
    """The parameters that may be a time: their slot, the start of their name, their default."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return [(Slot(0), single.start_byte, None)]
    listed = function.child_by_field_name("parameters")
    found: list[tuple[Slot, int, Node | None]] = []
    nodes = [child for child in listed.named_children if child.type != "comment"] if listed is not None else []
    for index, node in enumerate(nodes):
        pattern, default = parameter(node)
        if pattern.type == "identifier":
            found.append((Slot(index), pattern.start_byte, default))
        elif pattern.type == "object_pattern":
            for child in pattern.named_children:
                left = child.child_by_field_name("left") or child
                if left.type == "shorthand_property_identifier_pattern":
                    found.append((Slot(index, home.text(left)), left.start_byte, child.child_by_field_name("right")))
    return found


def _hand_made_bound(
    home: Source, function: Node, names: list[tuple[Slot, int, Node | None]], context: Context
) -> Helper | None:
    """A loop that looks at the clock until a parameter named like a time has passed."""
    body = home.data[function.start_byte : function.end_byte]
    if not _CLOCK.search(body):
        return None
    for slot, start, default in names:
        end = start
        while end < len(home.data) and (home.data[end : end + 1].isalnum() or home.data[end : end + 1] in {b"_", b"$"}):
            end += 1
        if _TIMELY.search(home.data[start:end].decode("utf-8", "replace")):
            ms = milliseconds(evaluate(home, default, context)) if default is not None else None
            return Helper(WaitKind.POLL_TIMEOUT, slot, 1, ms)
    return None


def _is_short(function: Node) -> bool:
    """Whether the function does nothing but wait."""
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return body is not None
    return sum(child.type != "comment" for child in body.named_children) == 1


def _by_argument(source: Source, call: Node, callee: Callee, helper: Helper, context: Context) -> Wait | None:
    assert helper.slot is not None
    reading = read(source, call, helper.slot, context)
    if reading is None and helper.default is None:
        return None
    row = Row("generic", (callee.name,), ("",), helper.kind, fill={}, promise=True)
    ms = milliseconds(reading.value, helper.factor) if reading is not None else helper.default
    origin = MsFrom.PARAMETER
    if reading is not None:
        origin = (
            reading.value.origin if ms is not None or reading.value.origin is MsFrom.ENVIRONMENT else MsFrom.UNKNOWN
        )
    reason = None
    if spread_before(call, helper.slot.index):
        reason = "spread arguments: it cannot be told which argument is the time; write the arguments out"
    target = reading.target if reading is not None else None
    line = source.line_of((target or call).start_byte) if reading is not None else None
    site = _site(source, call, callee, helper.kind, ms, origin, line)
    site = replace(site, level=int(reading is None), action="add" if reading is None else "replace")
    site = replace(site, editable=reason is None, reason=reason)
    return Wait(site, call, row, helper.slot, reading, site.line, helper.factor)


def _by_body(source: Source, call: Node, callee: Callee, helper: Helper) -> Wait | None:
    inner = helper.inner
    if inner is None or inner.reading is None:
        return None
    row = replace(inner.row, promise=True)
    here = inner.site.file == source.file
    line = inner.site.time_line if here else None
    site = _site(source, call, callee, helper.kind, inner.site.ms, inner.site.ms_from, line)
    if not here:
        reason = (
            f"the time stands in {inner.site.file}:{inner.site.time_line}, in a helper of another file; give that line"
        )
        return Wait(replace(site, editable=False, reason=reason), call, row, None, None, site.line)
    return Wait(site, call, row, inner.slot, inner.reading, site.line, inner.factor)


def _site(
    source: Source, call: Node, callee: Callee, kind: WaitKind, ms: float | None, origin: MsFrom, time_line: int | None
) -> WaitSite:
    return WaitSite(
        source.file,
        source.line_of(call.start_byte),
        source.column_of(call.start_byte),
        call.start_byte,
        call.end_byte,
        "generic",
        callee.api,
        kind,
        ms,
        origin,
        0,
        "replace",
        time_line,
    )
