"""Configuration modules read as data, and times that a module sets when it is loaded."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from traf.syntax import checks
from traf.syntax.arithmetic import UNKNOWN
from traf.syntax.assignments import uncalled_waits
from traf.syntax.bindings import bindings_of
from traf.syntax.blocks import callback_of, enclosing_blocks
from traf.syntax.callee import callee_of
from traf.syntax.catalogue import candidates, tables_for
from traf.syntax.exports import exported
from traf.syntax.model import WaitKind
from traf.syntax.nodes import enclosing_function, is_conditional
from traf.syntax.reading import read
from traf.syntax.returned import returned
from traf.syntax.times import milliseconds
from traf.syntax.values import evaluate
from traf.syntax.waits import comes_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.rows import Row
    from traf.syntax.source import Source
    from traf.syntax.tables import Table


def exported_value(source: Source, context: Context) -> object:
    """The settings that a configuration module exports as plain data; `UNKNOWN` for what only a run would tell.

    Understands `export default`, `module.exports`, `exports.config`, `defineConfig(...)`, constants, spreads, arithmetic,
    casts, imported constants, functions that do nothing but give back an object, and functions that give it to
    `config.set(...)`. A dict with the key `UNKNOWN` has more members.
    """
    found = exported(source, "default", context) or exported(source, "config", context)
    if found is None:
        return UNKNOWN
    home, node = found
    return evaluate(home, returned(home, node), context).data


def _sets_for_all(source: Source, call: Node) -> bool:
    """Whether a call is run for every test around it: it stands right in a hook or in a describe."""
    around = enclosing_blocks(source, call.start_byte)
    if not around or around[0][0].kind == "test" or callback_of(around[0][1]) != enclosing_function(call):
        return False
    block = around[0][1].child_by_field_name("function")
    return block is not None and not source.text(block).rpartition(".")[2].startswith("after")


def configured_times(source: Source, context: Context) -> dict[str, float]:
    """The default times in ms that a module sets when it is loaded, by key of `Context.defaults`; nan: only a run tells."""
    found: dict[str, float] = {}
    applicable = tables_for(source, bindings_of(source).modules(), context)
    for call, row in _setting_calls(source, context, applicable):
        for slot, key in zip(row.slots, row.sets, strict=True):
            reading = read(source, call, slot, context, least=row.args)
            if reading is not None:
                time_ms = None if is_conditional(call) else milliseconds(reading.value, row.factor)
                found[key] = time_ms if time_ms is not None else math.nan
    for wait in uncalled_waits(source, context, applicable):
        if wait.row.sets and wait.site.ms is not None and enclosing_function(wait.call) is None:
            found[wait.row.sets[0]] = wait.site.ms
    return found


def _setting_calls(source: Source, context: Context, applicable: tuple[Table, ...]) -> Iterator[tuple[Node, Row]]:
    known = frozenset[str]().union(*(table.setters for table in applicable))
    names = {name for name in known if name.encode() in source.data}
    for call, name, member in source.calls if names else ():
        # A declared name may be an alias.
        if name not in names and (member or not bindings_of(source).declares(name)):
            continue
        callee = callee_of(source, call, context)
        if callee.name not in known or (enclosing_function(call) is not None and not _sets_for_all(source, call)):
            continue
        for table, row in candidates(applicable, callee):
            if (
                not row.sets
                or row.block
                or (row.kind is WaitKind.TEST_TIMEOUT and enclosing_function(call) is not None)
            ):
                continue
            if comes_from(callee, table, row) and checks.hold(source, call, row.needs):
                yield call, row
                break
