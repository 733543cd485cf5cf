"""The wait calls of a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from traf.syntax.assignments import uncalled_waits
from traf.syntax.bindings import bindings_of
from traf.syntax.blocks import enclosing_blocks
from traf.syntax.callee import callee_of
from traf.syntax.catalogue import tables_for
from traf.syntax.config_waits import config_waits
from traf.syntax.helpers import command_wait, helper_wait
from traf.syntax.inherited import with_inherited
from traf.syntax.model import WaitKind, WaitSite
from traf.syntax.nodes import CALLBACKS, ancestors, arguments
from traf.syntax.remarks import remarks
from traf.syntax.waits import Wait, may_wait, settings_of, wait_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.tables import Table


_TIMELESS = CALLBACKS | {"string", "template_string", "regex", "true", "false", "array"}


def find_sites(source: Source, context: Context, *, written_only: bool = False) -> tuple[WaitSite, ...]:
    """All wait calls of a file, with an explicit time or on a default, in the order of the text.

    `written_only` leaves out the calls that write no time, which is several times as fast. A limit that a call in a test's
    body sets is told once, at that call.
    """
    waits = find_waits(source, context, written_only=written_only)
    told = {_written_at(wait) for wait in waits if not wait.row.block} - {None}
    return tuple(wait.site for wait in waits if not wait.row.block or _written_at(wait) not in told)


def _written_at(wait: Wait) -> int | None:
    return wait.reading.target.id if wait.reading is not None and wait.reading.target is not None else None


def find_waits(source: Source, context: Context, *, written_only: bool = False) -> list[Wait]:
    """The wait calls of a file with what an edit must know."""
    applicable = tables_for(source, bindings_of(source).modules(), context)
    found = config_waits(source, context)
    for wait in _called_waits(source, context, applicable, written_only=written_only):
        found += settings_of(source, wait, context)
    uncalled = list(uncalled_waits(source, context, applicable))
    if uncalled:
        found = sorted([*found, *uncalled], key=lambda wait: wait.site.start)
    found = with_inherited(source, found)
    around = _nesting(found)
    idle = _idle_times(found)
    for at, wait in enumerate(found):
        warnings = (*remarks(source, wait, around.get(at), context), *idle.get(at, ()))
        void = wait.row.void_in_tests if test_around(source, wait) is not None else None
        if warnings or void:
            editable, reason = not void and wait.site.editable, void or wait.site.reason
            changed = replace(wait.site, warnings=warnings, editable=editable, reason=reason)
            found[at] = replace(wait, site=changed)
    return found


def _called_waits(
    source: Source, context: Context, applicable: tuple[Table, ...], *, written_only: bool
) -> Iterator[Wait]:
    """The calls of a file that are waits, by the tables, by a function of the project, or by a command it has added."""
    commanded = any(table.registers for table in applicable)
    likely: dict[tuple[str, bool], bool] = {}
    for call, name, member in source.calls:
        if written_only and not _may_write(call):
            continue
        wait = None
        if (name, member) not in likely:
            likely[name, member] = may_wait(source, name, applicable, member=member)
        if likely[name, member]:
            wait = wait_at(source, call, context, applicable)
        if wait is None and _may_be_helper(source, call, name, member=member):
            wait = helper_wait(source, call, callee_of(source, call, context), context)
        if commanded and member and (wait is None or wait.row.framework == "generic"):
            # What the command does says more than its name.
            wait = command_wait(source, call, callee_of(source, call, context), context, applicable) or wait
        if wait is not None and not (written_only and wait.reading is None):
            yield wait


def test_around(source: Source, wait: Wait) -> Node | None:
    """The call of the test or hook in which a wait stands, if its row does nothing there."""
    if wait.row.void_in_tests is None:
        return None
    blocks = enclosing_blocks(source, wait.site.start)
    kinds = {"test", "hook"} if wait.row.void_in_hooks else {"test"}
    return next((call for block, call in blocks if block.kind in kinds), None)


def _may_be_helper(source: Source, call: Node, name: str, *, member: bool) -> bool:
    """Whether what is called may be a function of the project: a declared name, or a member of a whole module."""
    bindings = bindings_of(source)
    if not member:
        return bool(name) and bindings.declares(name)
    target = call.child_by_field_name("function") if bindings.whole_modules else None
    holder = target.child_by_field_name("object") if target is not None else None
    return holder is not None and holder.type == "identifier" and source.text(holder) in bindings.whole_modules


def _may_write(call: Node) -> bool:
    """Whether a call has an argument that may be, or hold, a time."""
    return any(arg.type not in _TIMELESS for arg in arguments(call))


def _nesting(waits: list[Wait]) -> dict[int, Wait]:
    """For each wait by its place in the list, the innermost polling wait in whose callback it stands."""
    found: dict[int, Wait] = {}
    polls: list[Wait] = []
    for at, wait in enumerate(waits):
        polls = [poll for poll in polls if poll.site.end > wait.site.start]
        around = [poll for poll in polls if poll.site.end >= wait.site.end and _in_callback(wait.call, poll.call)]
        if around:
            found[at] = min(around, key=lambda poll: poll.site.end - poll.site.start)
        if wait.site.kind is WaitKind.POLL_TIMEOUT and not wait.row.block:
            polls.append(wait)
    return found


def _idle_times(waits: list[Wait]) -> dict[int, list[str]]:
    """For each polling wait by its place, why times written within or around it, and not in a callback, do nothing."""
    found: dict[int, list[str]] = {}
    polls: list[int] = []
    idle: list[Wait] = []
    for at, wait in enumerate(waits):
        polls = [poll for poll in polls if waits[poll].site.end > wait.site.start]
        idle = [other for other in idle if other.site.end > wait.site.start]
        if wait.site.kind is WaitKind.POLL_TIMEOUT:
            polls.append(at)
            found.setdefault(at, []).extend(
                other.site.reason or "" for other in idle if not _in_callback(wait.call, other.call)
            )
        elif wait.site.kind is WaitKind.NONE and wait.reading is not None and wait.site.reason:
            around = [poll for poll in polls if waits[poll].site.end >= wait.site.end]
            if around and not _in_callback(wait.call, waits[around[-1]].call):
                found.setdefault(around[-1], []).append(wait.site.reason)
            idle.append(wait)
    return found


def _in_callback(inner: Node, outer: Node) -> bool:
    function = False
    for up in ancestors(inner):
        if up == outer:
            return function
        function = function or up.type in CALLBACKS
    return False
