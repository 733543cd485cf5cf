"""A sleep put in before a statement, in the suite's own way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.syntax.bindings import bindings_of
from traf.syntax.blocks import callback_of, enclosing_blocks
from traf.syntax.callee import meaning_of
from traf.syntax.catalogue import tables_for
from traf.syntax.layout import indent, newline, statement_end
from traf.syntax.links import link_edit
from traf.syntax.model import Edit, WaitKind, WaitSite
from traf.syntax.nodes import FUNCTIONS, ancestors, enclosing_function, walk
from traf.syntax.numbers import plain
from traf.syntax.sites import find_waits
from traf.syntax.slots import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.tables import Table

_ENDS_BY_CALL = re.compile(r"done|cb|callback|next")


def insertion(source: Source, site: WaitSite, ms: float, context: Context) -> tuple[Edit, ...]:
    """The edits that put a sleep of `ms` before the statement of a site; none for no time.

    Raises:
        BadInput: where the function around it is not asynchronous and cannot be made so.
    """
    if ms == 0:
        return ()
    if site.start == site.end:
        return (link_edit(source, site, ms),)
    statement = _statement(source, site)
    call = _sleep(source, statement, ms, context)
    asynchronous = _make_async(source, statement) if call.startswith("await ") else ()
    start = statement.start_byte
    line = source.line_of(start)
    before = source.data[source.line_range(line)[0] : start].decode("utf-8", "replace").removeprefix("\ufeff")
    if before.strip(" \t;"):
        # Another statement stands before it on the line.
        return (*asynchronous, Edit(start, start, f"{call}; ".encode()))
    # A leading semicolon of a file without semicolons stays with its statement.
    at = start - len(before.encode())
    text = f"{indent(source, statement)}{call}{statement_end(source)}{newline(source, line)}"
    return (*asynchronous, Edit(at, at, text.encode()))


def _statement(source: Source, site: WaitSite) -> Node:
    node = source.root.descendant_for_byte_range(site.start, site.end)
    while node is not None and node.parent is not None and (node.start_byte, node.end_byte) == (site.start, site.end):
        if node.type.endswith(("_statement", "_declaration")):
            return node
        node = node.parent
    raise BadInput(f"{source.file}:{site.line}: the statement is no longer there; choose it again", slug="stale-site")


def _make_async(source: Source, statement: Node) -> tuple[Edit, ...]:
    """The edit that makes the function around a statement asynchronous, where only a test framework calls it."""
    function = enclosing_function(statement)
    where = f"{source.file}:{source.line_of(statement.start_byte)}"
    if function is None:
        if source.file.endswith((".cjs", ".cts")) or not (source.nodes("import") or source.nodes("export")):
            raise BadInput(
                f"{where}: only a module can wait outside of a function; give a test's line", slug="not-async"
            )
        return ()
    if any(child.type == "async" for child in function.children):
        return ()
    blocks = enclosing_blocks(source, statement.start_byte)
    if not blocks or callback_of(blocks[0][1]) != function:
        raise BadInput(
            f"{where}: the function around this line is not async, so nothing can be awaited", slug="not-async"
        )
    if blocks[0][0].kind == "describe":
        raise BadInput(f"{where}: this line runs while tests are collected; give a line of a test", slug="not-async")
    parameters = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    names = source.text(parameters).strip("() ") if parameters is not None else ""
    if _ENDS_BY_CALL.fullmatch(names) or function.type == "generator_function":
        raise BadInput(
            f"{where}: the test ends by calling {names or 'next'}(), so it cannot be async", slug="not-async"
        )
    return (Edit(function.start_byte, function.start_byte, b"async "),)


def _sleep(source: Source, statement: Node, ms: float, context: Context) -> str:
    """A statement that sleeps, as the suite's own tests write it."""
    own = _own_helper(source, statement, context)
    if own is not None:
        name, factor = own
        return f"await {name}({plain(ms, factor)})"
    for table in tables_for(source, bindings_of(source).modules(), context):
        it = _named(source, statement, table) if table.sleep is not None else None
        if it is not None and table.sleep is not None:
            time = plain(ms, 1000 if table.sleep_unit == "s" else 1)
            return _awaited(table.sleep, statement).format(it=it, time=time)
    return f"await new Promise((resolve) => setTimeout(resolve, {plain(ms)}))"


def _awaited(sleep: str, statement: Node) -> str:
    """A table's sleep with its "await? " decided: awaited where the code around the statement is asynchronous."""
    if not sleep.startswith("await? "):
        return sleep
    function = enclosing_function(statement)
    if function is None:
        asynchronous = any(node.type == "await_expression" for node in walk(statement))
    else:
        asynchronous = any(child.type == "async" for child in function.children)
    return sleep.replace("await? ", "await " if asynchronous else "", 1)


def _own_helper(source: Source, statement: Node, context: Context) -> tuple[str, float] | None:
    """A helper that this file declares or imports and that sleeps for its first argument."""
    for wait in find_waits(source, context):
        target = wait.call.child_by_field_name("function")
        sleeps = (
            wait.site.kind is WaitKind.FIXED_SLEEP
            and wait.slot == Slot("argument")
            and wait.site.framework == "generic"
        )
        if sleeps and target is not None and target.type == "identifier":
            name = source.text(target)
            binding = bindings_of(source).resolve(name, target)
            if binding is not None and bindings_of(source).resolve(name, statement) == binding:
                return name, wait.factor
    return None


def _named(source: Source, statement: Node, table: Table) -> str | None:
    """The name under which what a table sleeps on is known where a statement stands, "" where it needs none."""
    if not table.sleep_on:
        return ""
    for function in (up for up in ancestors(statement) if up.type in FUNCTIONS):
        parameters = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
        for name in _names(parameters) if parameters is not None else ():
            binding = bindings_of(source).resolve(source.text(name), name)
            meant = meaning_of(source, binding) if binding is not None else None
            if meant is not None and table.sleeps_on(meant):
                return source.text(name)
    for plain_name in (name for name in table.sleep_on if "*" not in name):
        if plain_name in table.globals or bindings_of(source).resolve(plain_name, statement) is not None:
            return plain_name
    return None


def _names(parameters: Node) -> Iterator[Node]:
    """The names that parameters declare."""
    for node in walk(parameters):
        if node.type in {"identifier", "shorthand_property_identifier_pattern"}:
            yield node
