"""Which wait a line of a test means, or where one would be put in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.syntax.blocks import callback_of
from traf.syntax.callee import callee_of
from traf.syntax.definitions import defined_waits
from traf.syntax.links import command_on, place_in_chain, sleep_before
from traf.syntax.model import MsFrom, WaitKind, WaitSite
from traf.syntax.nodes import ancestors, statement_of
from traf.syntax.sites import find_waits, test_around
from traf.syntax.source import errors
from traf.syntax.spans import spanning
from traf.syntax.statements import place_before, shortly_above, statement_on
from traf.syntax.waits import name_start

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.waits import Wait

_SHOWN = 8
_MANY = 100  # of so many waits on one line, as in a minified file, none is meant more than the others
_CHECKS = frozenset({b"expect", b"assert"})


def choose_site(source: Source, context: Context, line: int, column: int | None = None) -> WaitSite:
    """The wait that FILE:LINE[:COLUMN] means.

    The waits whose call or written time stands on the line, an explicit time before a default; else the constant defined
    there that is the time of waits elsewhere; else the innermost one that spans it; else a sleep shortly above with
    nothing but reads in between; else the place before the line's statement, where a wait can be inserted.

    Raises:
        BadInput: for a line or column past the end, a syntax error at the place, two waits, or nothing to wait for.
    """
    where = f"{source.file}:{line}"
    if not 1 <= line <= source.line_count:
        raise BadInput(f"{where}: the file has {source.line_count} lines; give one of them", slug="line-past-end")
    if column is not None and column > source.column_of(source.line_range(line)[1]):
        last = source.column_of(source.line_range(line)[1])
        raise BadInput(
            f"{where}:{column}: the line ends in column {last}; give one of its columns", slug="column-past-end"
        )
    _refuse_errors(source, line)
    waits = find_waits(source, context)
    statement = statement_on(source, line, column)
    found = _at_column(source, waits, line, column) if column is not None else None
    if found is None:
        found = _on_line(source, _of_statement(waits, statement if column is not None else None), line)
    command = command_on(source, line, statement) if found is None else None
    place = place_in_chain(source, command, context) if command is not None else None
    if command is not None and place is not None:
        slept = sleep_before(source, command, waits)
        return slept.site if slept is not None else place
    if found is None:
        found = _defined_on(source, waits, context, line, column) or spanning(source, waits, line, statement)
    unbounded = found is not None and found.site.ms_from is MsFrom.UNBOUNDED and found.site.action == "add"
    if statement is not None and (found is None or (unbounded and column is None)):
        # A call that waits as long as the test does seldom fails for want of time; the sleep before it does.
        found = shortly_above(source, waits, statement) or (None if _is_checked(found) else found)
    if found is not None:
        return _in_force(source, waits, found)
    if statement is None:
        raise BadInput(
            f"{where}: nothing to wait for on this line; give the line of a call", slug="nothing-to-wait-for"
        )
    _refuse_computed(source, context, line, statement)
    return place_before(source, context, statement)


def _in_force(source: Source, waits: list[Wait], found: Wait) -> WaitSite:
    """The site of a wait; of one that does nothing for the test it stands in, the limit of that test."""
    test = test_around(source, found)
    own = next((wait for wait in waits if wait.call == test and wait.row.block), None)
    if test is None or own is None:
        return found.site
    return replace(own.site, warnings=(*own.site.warnings, found.row.void_in_tests or ""))


def _is_checked(wait: Wait | None) -> bool:
    """Whether what an unbounded call gives is compared at once: `expect(await page.textContent("h1")).toBe("x")`."""
    if wait is None:
        return True
    around = (node for node in ancestors(wait.call) if node.type == "call_expression")
    outer = next(around, None)
    target = outer.child_by_field_name("function") if outer is not None else None
    return target is not None and target.type == "identifier" and target.text in _CHECKS


def _refuse_errors(source: Source, line: int) -> None:
    start, end = source.line_range(line)
    for node in errors(source):
        if node.start_byte <= end and node.end_byte >= start:
            at = source.line_of(node.start_byte)
            raise BadInput(
                f"{source.file}:{at}:{source.column_of(node.start_byte)}: syntax error; the file cannot be read here",
                slug="syntax-error",
            )


def _refuse_computed(source: Source, context: Context, line: int, statement: Node) -> None:
    """Refuse a call whose name only a run tells: it may be a wait."""
    for call in source.nodes("call"):
        here = source.line_of(call.start_byte) == line and statement.start_byte <= call.start_byte < statement.end_byte
        if here and callee_of(source, call, context).computed:
            raise BadInput(
                f"{source.file}:{line}: the name of the called method is computed, so it cannot be told whether it waits;"
                " write the name out",
                slug="not-editable",
            )


def _at_column(source: Source, waits: list[Wait], line: int, column: int) -> Wait | None:
    """The innermost wait around a column; one that begins there comes first, as does one whose name stands there."""
    offset = source.offset_of(line, column)
    around = [
        wait for wait in waits if wait.site.start <= offset < wait.site.end and not _inside_block(wait, line, offset)
    ]
    return min(around, key=lambda wait: (line not in wait.lines, wait.site.end - wait.site.start), default=None)


def _of_statement(waits: list[Wait], statement: Node | None) -> list[Wait]:
    """The waits of a statement; all of them where there is none."""
    if statement is None:
        return waits
    return [wait for wait in waits if statement.start_byte <= wait.site.start < statement.end_byte]


def _inside_block(wait: Wait, line: int, offset: int) -> bool:
    """Whether a place lies in the code that a test or hook surrounds, or on a line that does not name it."""
    code = callback_of(wait.call)
    return wait.row.block and (
        line not in wait.lines or (code is not None and code.start_byte <= offset < code.end_byte)
    )


def _on_line(source: Source, waits: list[Wait], line: int) -> Wait | None:
    on_line = _of_chains([wait for wait in waits if line in wait.lines], line)
    explicit = [wait for wait in on_line if wait.site.level == 0 and wait.site.kind is not WaitKind.NONE]
    queried = _queried(on_line)
    found = explicit or [wait for wait in queried if wait.site.editable] or queried
    if 1 < len(found) <= _MANY:
        found = _narrowed(found, line)
    if len(found) > 1:
        _refuse_two(source, found, line)
    return found[0] if found else None


def _of_chains(found: list[Wait], line: int) -> list[Wait]:
    """The waits without those links of a chain that stand on another line than a link which is named here."""
    named = {wait.site.start for wait in found if wait.name_line == line}
    return [wait for wait in found if wait.site.start not in named or line in {wait.name_line, wait.site.time_line}]


def _queried(found: list[Wait]) -> list[Wait]:
    """The waits without those that act on what a query earlier in their chain waits for: `cy.get(".a").click()`."""
    queries = {wait.site.start for wait in found if wait.row.query}
    return [wait for wait in found if wait.row.query or wait.site.start not in queries]


def _narrowed(found: list[Wait], line: int) -> list[Wait]:
    """Of several waits, those that the line means most directly.

    A test on its own line gives way to what it contains there; a wait that begins elsewhere to one whose time is here; in
    one call within another on defaults, the outer one is what the statement waits for.
    """
    inner = [wait for wait in found if not wait.row.block] or found
    inner = [wait for wait in inner if not any(_same_time(wait, other, line) for other in inner)]
    timed = [wait for wait in inner if wait.site.time_line == line] or inner
    defaults = all(wait.site.level == 1 for wait in timed)
    if defaults:
        timed = [w for w in timed if not any(o is not w and _contains(o, w) for o in timed)]
        timed = _awaited_with(timed)
        begun = [wait for wait in timed if line in {wait.site.line, wait.name_line}]
        timed = begun or timed
    return timed


def _awaited_with(found: list[Wait]) -> list[Wait]:
    """Of waits of one statement those that wait for what another one does: `Promise.all([waitForEvent("x"), click("#a")])`."""
    quiet = [wait for wait in found if not wait.row.action]
    return quiet if len({_statement_start(wait) for wait in found}) == 1 and quiet else found


def _statement_start(wait: Wait) -> int:
    statement = statement_of(wait.call)
    return statement.start_byte if statement is not None else wait.site.start


def _same_time(wait: Wait, other: Wait, line: int) -> bool:
    """Whether a wait of another line only has its time here, in a helper whose own wait is the other one."""
    if wait is other or wait.reading is None or other.reading is None or wait.reading.target is None:
        return False
    return wait.reading.target == other.reading.target and line not in {wait.site.line, wait.name_line}


def _contains(outer: Wait, inner: Wait) -> bool:
    return outer.site.start <= inner.site.start and inner.site.end <= outer.site.end


def _refuse_two(source: Source, found: list[Wait], line: int) -> None:
    columns = sorted({_column_on(source, wait, line) for wait in found})
    if len(columns) < len(found):
        # The calls of one chain begin at the same place.
        columns = sorted({source.column_of(name_start(wait.call)) for wait in found})
    listed = " and ".join(map(str, columns)) if len(columns) < 3 else ", ".join(map(str, columns[:_SHOWN]))
    listed += f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else ""
    raise BadInput(
        f"{source.file}:{line}: {len(found)} waits on this line, in columns {listed};"
        f" say which, as in {source.file}:{line}:{columns[0]}",
        slug="two-waits",
    )


def _column_on(source: Source, wait: Wait, line: int) -> int:
    start = wait.site.start
    if wait.site.line != line:
        target = wait.call.child_by_field_name("function")
        name = target.child_by_field_name("property") if target is not None else None
        start = name.start_byte if name is not None and wait.name_line == line else source.line_range(line)[0]
    return source.column_of(start)


def _defined_on(source: Source, waits: list[Wait], context: Context, line: int, column: int | None) -> Wait | None:
    """The constant of the line that is the time of waits elsewhere."""
    found = [wait for wait in defined_waits(source, waits, context) if line in wait.lines]
    if column is not None:
        offset = source.offset_of(line, column)
        found = [wait for wait in found if wait.site.start <= offset < wait.site.end] or found
    if len(found) > 1:
        _refuse_two(source, found, line)
    return found[0] if found else None
