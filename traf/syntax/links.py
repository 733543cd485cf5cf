"""Commands that stand in one chain, one after the other: between two of them a sleep is a link of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.callee import callee_of
from traf.syntax.catalogue import tables_for
from traf.syntax.layout import newline
from traf.syntax.model import Edit, MsFrom, WaitKind, WaitSite
from traf.syntax.nodes import statement_of
from traf.syntax.numbers import plain

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.tables import Table
    from traf.syntax.waits import Wait

# Members between two commands that only say what the next one does.
_READS = frozenset({"assert", "verify"})
_BETWEEN = _READS | {"not", "remote"}
_ROOTS = 2


def command_on(source: Source, line: int, statement: Node | None) -> Node | None:
    """The call of a chain whose name begins a line, or whose arguments a line stands in; None within a callback."""
    if statement is None:
        return None
    found = None
    for call in source.nodes("call"):
        name = _name(call)
        if name is None or not source.line_of(name.start_byte) <= line <= source.line_of(call.end_byte - 1):
            continue
        before = source.data[source.line_range(source.line_of(name.start_byte))[0] : name.start_byte]
        if before.strip()[:1] == b"." and statement_of(call) == statement:
            found = name if found is None or found.start_byte < name.start_byte else found
    return found.parent.parent if found is not None and found.parent is not None else None


def sleep_before(source: Source, command: Node, waits: list[Wait]) -> Wait | None:
    """The sleep that is the link before a command, with nothing but assertions in between."""
    sleeps = {wait.call: wait for wait in waits if wait.site.kind is WaitKind.FIXED_SLEEP}
    link = _holder(source, command)
    while link is not None and link.type == "call_expression":
        if link in sleeps:
            return sleeps[link]
        if not _asserts(source, link):
            return None
        link = _holder(source, link)
    return None


def place_in_chain(source: Source, command: Node, context: Context) -> WaitSite | None:
    """The place before a command in its chain, as a site; None where the command stands in none."""
    table, name, holder = _table(source, command, context), _name(command), _holder(source, command)
    if table is None or table.sleep_link is None or name is None or holder is None:
        return None
    return WaitSite(
        file=source.file,
        line=source.line_of(name.start_byte),
        column=source.column_of(name.start_byte),
        start=holder.end_byte,
        end=holder.end_byte,
        framework=table.framework,
        api=table.sleep_link,
        kind=WaitKind.NONE,
        ms=None,
        ms_from=MsFrom.UNKNOWN,
        level=1,
        action="insert",
    )


def link_edit(source: Source, site: WaitSite, ms: float) -> Edit:
    """The edit that puts a sleep in at a place in a chain, on a line of its own."""
    start, end = source.line_range(site.line)
    text = source.data[start:end].decode("utf-8", "replace")
    indented = newline(source, site.line) + text[: len(text) - len(text.lstrip(" \t"))]
    return Edit(site.start, site.end, f"{indented}.{site.api}({plain(ms)})".encode())


def _table(source: Source, command: Node, context: Context) -> Table | None:
    root, *links = callee_of(source, command, context).parts[:-1] or ("",)
    if not all(link.endswith("()") or link in _BETWEEN for link in links):
        return None
    return next(
        (
            table
            for table in tables_for(source, bindings_of(source).modules(), context)
            if table.sleep_link is not None and any(map(table.sleeps_on, (root, *links[: _ROOTS - 1])))
        ),
        None,
    )


def _name(call: Node) -> Node | None:
    target = call.child_by_field_name("function")
    return target.child_by_field_name("property") if target is not None else None


def _object(node: Node | None) -> Node | None:
    return node.child_by_field_name("object") if node is not None else None


def _asserts(source: Source, call: Node) -> bool:
    """Whether a call is one of `.assert` or the like."""
    inner = _object(call.child_by_field_name("function"))
    name = inner.child_by_field_name("property") if inner is not None else None
    return name is not None and source.text(name) in _READS


def _holder(source: Source, call: Node) -> Node | None:
    """What a command is called on, without an `.assert` between the two."""
    inner = _object(call.child_by_field_name("function"))
    return _object(inner) if _asserts(source, call) else inner
