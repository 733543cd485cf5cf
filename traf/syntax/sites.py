"""The wait calls of a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.callee import callee_of
from traf.syntax.catalogue import tables_for
from traf.syntax.config_waits import config_waits
from traf.syntax.helpers import helper_wait
from traf.syntax.model import WaitKind, WaitSite
from traf.syntax.nodes import CALLBACKS, ancestors, arguments
from traf.syntax.remarks import remarks
from traf.syntax.waits import Wait, wait_at

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source


_TIMELESS = CALLBACKS | {"string", "template_string", "regex", "true", "false", "array"}


def find_sites(source: Source, context: Context, *, written_only: bool = False) -> tuple[WaitSite, ...]:
    """All wait calls of a file, with an explicit time or on a default, in the order of the text.

    `written_only` leaves out the calls that write no time, which is several times as fast.
    """
    return tuple(wait.site for wait in find_waits(source, context, written_only=written_only))


def find_waits(source: Source, context: Context, *, written_only: bool = False) -> list[Wait]:
    """The wait calls of a file with what an edit must know."""
    found = config_waits(source, context)
    applicable = tables_for(source, bindings_of(source).modules(), context)
    for call in source.nodes("call"):
        if written_only and not _may_write(call):
            continue
        wait = wait_at(source, call, context, applicable)
        if wait is None and _may_be_helper(call):
            wait = helper_wait(source, call, callee_of(source, call, context), context)
        if wait is not None and not (written_only and wait.reading is None):
            found.append(wait)
    around = _nesting(found)
    for at, wait in enumerate(found):
        warnings = remarks(source, wait, around.get(at), context)
        if warnings:
            found[at] = replace(wait, site=replace(wait.site, warnings=warnings))
    return found


def _may_be_helper(call: Node) -> bool:
    """Whether what is called may be a function of the project: a name, or a member of one."""
    target = call.child_by_field_name("function")
    if target is not None and target.type == "member_expression":
        target = target.child_by_field_name("object")
    return target is not None and target.type == "identifier"


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


def _in_callback(inner: Node, outer: Node) -> bool:
    function = False
    for up in ancestors(inner):
        if up == outer:
            return function
        function = function or up.type in CALLBACKS
    return False
