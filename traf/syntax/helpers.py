"""Helpers of a project that wait: a call of one is a wait whose time is an argument, a default, or in the helper's body."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from traf.syntax.callee import Callee, callee_of
from traf.syntax.commands import command
from traf.syntax.helper_bodies import Helper, helper_of
from traf.syntax.model import MsFrom, WaitKind, WaitSite
from traf.syntax.reading import read
from traf.syntax.rows import Row
from traf.syntax.slots import spread_before
from traf.syntax.tables import Table
from traf.syntax.times import milliseconds
from traf.syntax.waits import Wait, name_start, wait_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from traf.syntax.arithmetic import Value
    from traf.syntax.model import Context
    from traf.syntax.source import Source

# Functions of other files are read only when their name speaks of waiting.
_WAITY = re.compile(
    r"sleep|delay|wait|pause|until|timeout|settle|flush|tick|retry|poll|eventual|ready|snooze", re.IGNORECASE
)


def helper_wait(
    source: Source, call: Node, callee: Callee, context: Context, values: Mapping[int, Value] | None = None
) -> Wait | None:
    """The wait that a call of a project's own function is, None if the function does not wait.

    `values` are those of parameters around it.
    """
    if callee.function is None:
        return None
    home = callee.function[0]
    if home is not source and not _WAITY.search(callee.name):
        return None
    return _wait_by(source, call, callee, context, values=values)


def command_wait(
    source: Source, call: Node, callee: Callee, context: Context, applicable: tuple[Table, ...]
) -> Wait | None:
    """The wait that a call of a command is which the project has added to a framework, None if it does not wait."""
    for table in applicable:
        if table.registers and table.has_registered(callee.on(table.modifiers)):
            found = command(source, callee.name, table, context)
            if found is not None:
                own = replace(callee, function=(found.home, found.function))
                wait = _wait_by(source, call, own, context, found.given)
                return _of_framework(source, wait, table) if wait is not None else None
    return None


def _of_framework(source: Source, wait: Wait, table: Table) -> Wait:
    """A command's wait as one of the framework that the command was added to; what follows in its chain waits on it."""
    query = table.queued and wait.site.kind is WaitKind.POLL_TIMEOUT
    site, row = replace(wait.site, framework=table.framework), replace(wait.row, query=query)
    return replace(wait, site=site, row=row, name_line=source.line_of(name_start(wait.call)))


def _look(
    home: Source, call: Node, context: Context, applicable: tuple[Table, ...], values: Mapping[int, Value] | None
) -> Wait | None:
    """The wait that a call in a helper is: one of the tables', or of a helper in its turn."""
    found = wait_at(home, call, context, applicable, values)
    return found or helper_wait(home, call, callee_of(home, call, context), context, values)


def _wait_by(
    source: Source,
    call: Node,
    callee: Callee,
    context: Context,
    given: int = 0,
    values: Mapping[int, Value] | None = None,
) -> Wait | None:
    """The wait of a call by its function, whose first `given` parameters are no arguments of the call."""
    assert callee.function is not None
    home, function = callee.function
    if function.start_byte <= call.start_byte < function.end_byte and home is source:
        return None
    helper = helper_of(home, function, context, _look)
    if helper is None:
        return None
    if helper.slot is None:
        return _by_body(source, call, callee, helper)
    if helper.slot.index < given:
        return None
    slot = replace(helper.slot, index=helper.slot.index - given)
    return _by_argument(source, call, callee, replace(helper, slot=slot), context, values)


def _by_argument(
    source: Source, call: Node, callee: Callee, helper: Helper, context: Context, values: Mapping[int, Value] | None
) -> Wait | None:
    assert helper.slot is not None
    reading = read(source, call, helper.slot, context, given=values)
    if reading is None and helper.default is None and helper.origin is MsFrom.PARAMETER:
        return None
    queued, keys = (helper.row.queued, helper.row.default_keys) if helper.row is not None else (False, ())
    row = Row("generic", (callee.name,), ("",), helper.kind, default_keys=keys, promise=not queued)
    ms = milliseconds(reading.value, helper.factor) if reading is not None else helper.default
    origin = helper.origin
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
    if inner is None:
        return None
    row = replace(inner.row, promise=not inner.row.queued)
    here = inner.site.file == source.file
    line = inner.site.time_line if here else None
    site = _site(source, call, callee, helper.kind, inner.site.ms, inner.site.ms_from, line)
    if inner.reading is None:
        site = replace(site, level=1, action="add")
    if not here:
        place = f"{inner.site.file}:{inner.site.time_line or inner.site.line}"
        reason = f"the time stands in {place}, in a helper of another file; give that line"
        return Wait(replace(site, editable=False, reason=reason), call, row, None, None, site.line)
    return Wait(site, call, row, inner.slot, inner.reading, site.line, inner.factor, inner.taker or inner.call)


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
