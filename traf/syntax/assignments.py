"""Waits that are no calls: assignments to a setting, such as `jasmine.DEFAULT_TIMEOUT_INTERVAL = 10000`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.callee import callee_of_member
from traf.syntax.waits import Wait, comes_from, wait_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.tables import Table


def assigned_waits(source: Source, context: Context, applicable: tuple[Table, ...]) -> Iterator[Wait]:
    """The assignments of a file that the tables know as waits."""
    rows = [(table, row) for table in applicable for row in table.assigned]
    for node in source.nodes("assignment") if rows else ():
        left = node.child_by_field_name("left")
        if node.type != "assignment_expression" or left is None or left.type != "member_expression":
            continue
        callee = callee_of_member(source, left, context)
        for table, row in rows:
            if row.matches(callee.on(), callee.name) and comes_from(callee, table, row):
                wait = wait_of(source, node, callee, row, context)
                if wait is not None:
                    yield wait
                    break
