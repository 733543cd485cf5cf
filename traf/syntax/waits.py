"""From one call to one wait: which API it is, how long it waits, and where an edit of its time would go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from traf.syntax import checks
from traf.syntax.bindings import bindings_of
from traf.syntax.callee import Callee, callee_of
from traf.syntax.catalogue import candidates, tables
from traf.syntax.model import WaitKind, WaitSite
from traf.syntax.nodes import arguments
from traf.syntax.reading import Reading, read
from traf.syntax.rows import Row
from traf.syntax.slots import Slot, can_add, has_object, position, spread_before
from traf.syntax.tables import Table
from traf.syntax.timers import timer_kind
from traf.syntax.times import time_in_force

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from traf.syntax.arithmetic import Value
    from traf.syntax.model import Context
    from traf.syntax.source import Source


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait call with all that an edit must know: the site, the call, its API, the slot of the time, the written time.

    `name_line` is the line of the call's own name, `factor` the ms of one unit of what is written. `taker` is the call that
    takes the time, where that is one in a helper.
    """

    site: WaitSite
    call: Node
    row: Row
    slot: Slot | None
    reading: Reading | None
    name_line: int
    factor: float = 1
    taker: Node | None = None

    @property
    def lines(self) -> frozenset[int | None]:
        """The lines on which the call or its time stands."""
        return frozenset({self.site.line, self.name_line, self.site.time_line})


def wait_at(
    source: Source,
    call: Node,
    context: Context,
    applicable: tuple[Table, ...],
    given: Mapping[int, Value] | None = None,
) -> Wait | None:
    """The wait that a call of a known API is, None if it is none. `given` are values of parameters around it."""
    callee = callee_of(source, call, context)
    for table, row in candidates(applicable, callee):
        if comes_from(callee, table, row):
            kind = _kind(source, call, callee, table, row)
            own = row if kind is row.kind or kind is None else replace(row, kind=kind)
            wait = wait_of(source, call, callee, own, context, given) if kind is not None else None
            if wait is not None:
                return wait
    return None


def may_wait(source: Source, name: str, applicable: tuple[Table, ...], *, member: bool) -> bool:
    """Whether the last name of a call is one of the tables', or may be an alias of anything."""
    if member:
        return not name or any(table.has_member(name) for table in applicable)
    return not name or any(table.rows_for(name) for table in applicable) or bindings_of(source).declares(name)


def comes_from(callee: Callee, table: Table, row: Row) -> bool:
    """Whether the first name of the call may be the API's, as far as the file says where it comes from."""
    if callee.function is not None:
        # A package of the same repository stays what its name says, also where its code is at hand.
        return callee.module is not None and row.comes_from(callee.module)
    if callee.module is None:
        return "imported" not in row.needs
    if row.comes_from(callee.module):
        return True
    if "imported" in row.needs or not callee.wrapped:
        # What another module's type, class or function gives may still be a page: `new LoginPage(page).page`, `page()`.
        first = next(iter(callee.parts), "")
        given = len(callee.parts) > 2 or (first.endswith("()") and table.shows((first,)))
        return "imported" not in row.needs and row.on[0].startswith("**") and given
    foreign = callee.module.startswith("node:") or any(
        other.imported_by(frozenset({callee.module})) for other in tables() if other is not table
    )
    return not foreign


def _kind(source: Source, call: Node, callee: Callee, table: Table, row: Row) -> WaitKind | None:
    """The row's kind for this call, None if its conditions do not hold."""
    if not checks.hold(source, call, row.needs):
        return None
    if "timer" in row.needs:
        return timer_kind(source, call)
    if table.guessed and not table.names_one_of((*callee.parts, *callee.spelled)):
        return None
    if row.promise and callee.module is None and not table.shows(callee.parts) and not checks.surely_awaited(call):
        return None
    return row.kind


def wait_of(
    source: Source,
    call: Node,
    callee: Callee,
    row: Row,
    context: Context,
    given: Mapping[int, Value] | None = None,
) -> Wait | None:
    """The wait that a call, or an assignment, of the API of a row is; None if no time of its own is in force."""
    factor = row.factor
    reading = None
    for slot in row.slots:
        reading = read(source, call, slot, context, least=row.args, given=given)
        if reading is not None:
            break
    if "written" in row.needs and reading is None:
        return None
    if "number" in row.needs and (reading is None or isinstance(reading.value.data, str)):
        return None
    if "known" in row.needs and (reading is None or reading.value.number is None):
        return None
    chosen = slot if reading is not None else slot_to_add(source, call, row)
    if reading is None and row.default is None and not row.refuse:
        return None
    ms, origin = time_in_force(reading, row, context, factor)
    reason = _reason(source, call, chosen, row)
    site = WaitSite(
        file=source.file,
        line=source.line_of(call.start_byte),
        column=source.column_of(call.start_byte),
        start=call.start_byte,
        end=call.end_byte,
        framework=row.framework,
        api=callee.api,
        kind=row.kind,
        ms=ms,
        ms_from=origin,
        level=0 if reading is not None else 1,
        action="replace" if reading is not None else "add",
        time_line=_time_line(source, call, reading),
        editable=reason is None,
        reason=reason,
    )
    return Wait(site, call, row, chosen, reading, source.line_of(name_start(call)), factor)


def settings_of(source: Source, wait: Wait, context: Context) -> list[Wait]:
    """The waits that a call is which may set several defaults: one for each that it writes, where that stands."""
    if len(wait.row.sets) < 2:
        return [wait]
    readings = [read(source, wait.call, slot, context, least=wait.row.args) for slot in wait.row.slots]
    written = [reading for reading in readings if reading is not None and reading.node is not None]
    if len(written) < 2:
        return [wait]
    return [_setting_of(source, wait, reading, context) for reading in written]


def _setting_of(source: Source, wait: Wait, reading: Reading, context: Context) -> Wait:
    assert reading.node is not None
    parent = reading.node.parent
    node = parent if parent is not None and parent.type == "pair" else reading.node
    line = source.line_of(node.start_byte)
    ms, origin = time_in_force(reading, wait.row, context, wait.factor)
    site = replace(
        wait.site,
        line=line,
        column=source.column_of(node.start_byte),
        start=node.start_byte,
        end=node.end_byte,
        ms=ms,
        ms_from=origin,
        time_line=_time_line(source, wait.call, reading),
    )
    return replace(wait, site=site, slot=reading.slot, reading=reading, name_line=line)


def slot_to_add(source: Source, call: Node, row: Row) -> Slot | None:
    """The place at which a time is added that is written nowhere: in options that are there, else the first that can."""
    able = [slot for slot in row.slots if can_add(source, call, slot, row.args)]
    return next((slot for slot in able if has_object(call, slot, row.args)), able[0] if able else None)


def name_start(call: Node) -> int:
    """Where the name of what is called begins, the last one of a chain."""
    target = call.child_by_field_name("function")
    if target is not None and target.type == "call_expression":
        return target.end_byte  # `test.each(table)(name, fn)` begins where the table ends
    name = target.child_by_field_name("property") if target is not None else None
    return name.start_byte if name is not None else call.start_byte


def _time_line(source: Source, call: Node, reading: Reading | None) -> int | None:
    if reading is None:
        return None
    return source.line_of((reading.target or (arguments(call) or [call])[-1]).start_byte)


def _reason(source: Source, call: Node, slot: Slot | None, row: Row) -> str | None:
    if row.refuse:
        return row.refuse
    if slot is None:
        return "this call has no place for a time"
    if slot.is_argument and spread_before(call, position(call, slot, row.args)):
        return "spread arguments: it cannot be told which argument is the time; write the arguments out"
    if not row.assigned and source.data[call.end_byte - 1 : call.end_byte] not in {b")", b"]"}:
        return "the call has no argument list"
    return None
