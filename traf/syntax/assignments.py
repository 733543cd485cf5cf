"""Waits that are no calls: assignments to a setting, as `jasmine.DEFAULT_TIMEOUT_INTERVAL = 10000`, objects, fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax import checks
from traf.syntax.callee import callee_of, callee_of_member
from traf.syntax.nodes import arguments, peel
from traf.syntax.waits import Wait, comes_from, wait_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.callee import Callee
    from traf.syntax.model import Context
    from traf.syntax.rows import Row
    from traf.syntax.source import Source
    from traf.syntax.tables import Table


def uncalled_waits(source: Source, context: Context, applicable: tuple[Table, ...]) -> Iterator[Wait]:
    """The assignments, `new` expressions and listed members of a file that the tables know as waits."""
    rows = [(table, row) for table in applicable for row in table.uncalled]
    if any(row.assigned for _table, row in rows):
        for node in source.nodes("assignment"):
            left = node.child_by_field_name("left")
            if node.type == "assignment_expression" and left is not None and left.type == "member_expression":
                callee = callee_of_member(source, left, context)
                yield from _first(source, context, node, callee, [pair for pair in rows if pair[1].assigned])
    made = [(table, row) for table, row in rows if row.made]
    for node in source.nodes("new") if made else ():
        yield from _first(source, context, node, callee_of(source, node, context), made)
    listed = [(table, row) for table, row in rows if row.listed]
    names = {name for _table, row in listed for name in row.names}
    for call in source.nodes("call") if names & source.words else ():
        target = call.child_by_field_name("function")
        name = target.child_by_field_name("property") if target is not None else None
        if name is not None and source.text(name) in names:
            for items in _lists(call):
                yield from _first(source, context, items, callee_of(source, call, context), listed)


def _first(
    source: Source, context: Context, node: Node, callee: Callee, rows: list[tuple[Table, Row]]
) -> Iterator[Wait]:
    """The wait that a node is by the first of the rows that fit."""
    for table, row in rows:
        fits = row.matches(callee.on(), callee.name) and comes_from(callee, table, row)
        wait = wait_of(source, node, callee, row, context) if fits and checks.hold(source, node, row.needs) else None
        if wait is not None:
            yield wait
            return


def _lists(call: Node) -> Iterator[Node]:
    """The lists among the members of the object that a call is given."""
    given = peel(arguments(call)[0]) if arguments(call) else None
    for member in given.named_children if given is not None and given.type == "object" else ():
        value = member.child_by_field_name("value") if member.type == "pair" else None
        if value is not None and peel(value).type == "array":
            yield peel(value)
