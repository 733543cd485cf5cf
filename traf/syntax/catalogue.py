"""The wait APIs as data: one TOML file per framework under `wait_apis/`, one row per API.

To add an API, add a row; to add a framework, add a file. `Row` and `Table` say what their keys mean.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from traf.syntax.tables import mentions, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traf.syntax.callee import Callee
    from traf.syntax.model import Context
    from traf.syntax.rows import ConfigRow, Row
    from traf.syntax.source import Source
    from traf.syntax.tables import Table

_NAMED = 4
_MAYBE_CONFIG = re.compile(
    r"\.(?:config|conf|shared|stories|story)\.|rc\.|^preview\.|globals\.|^intern\.|^[\w-]+(?:config|conf)\.",
    re.IGNORECASE,
)
# File names that no `files` of a `[[config]]` row could match are told without reading the tables.


@cache
def tables() -> tuple[Table, ...]:
    """All tables, read once."""
    folder = files("traf.syntax") / "wait_apis"
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name)
    return tuple(table_of(entry.read_text(encoding="utf-8")) for entry in found)


def tables_for(source: Source, modules: frozenset[str], context: Context) -> tuple[Table, ...]:
    """The tables that apply to a file which imports `modules`: what it imports first, then the project's framework."""
    key = ("tables", modules, context.framework, context.dependencies)
    found = source.memo.get(key)
    if not isinstance(found, tuple):
        ranked = [(rank, table) for table in tables() if (rank := _rank(table, source, modules, context)) is not None]
        ordered = [_as_used(table, rank, modules, context) for rank, table in sorted(ranked, key=lambda pair: pair[0])]
        ordered = [table for at, table in enumerate(ordered) if not _is_taken(table, ordered[:at])]
        runner = next((table for table in ordered if table.runs(modules)), None)
        found = source.memo[key] = tuple(table for table in ordered if table is runner or not table.runs(modules))
    return found


def _as_used(table: Table, rank: int, modules: frozenset[str], context: Context) -> Table:
    """The table as it applies to a file to which it is so near."""
    used = table.as_library if table.is_alone(modules, context) else table
    return used.as_guess if rank == _NAMED else used


def _is_taken(table: Table, nearer: list[Table]) -> bool:
    """Whether the names that alone speak for a guess are those of a nearer framework: its `page` is Puppeteer's then."""
    return table.guessed and any(not set(table.names).isdisjoint(other.globals) for other in nearer)


def _rank(table: Table, source: Source, modules: frozenset[str], context: Context) -> int | None:
    """How near a table is to a file, 0 nearest; None where it does not apply."""
    shown, mentioned, unknown = table.shown_in(source), table.mentioned_in(source), context.framework is None
    ours, wanted = context.framework in table.projects, table.wanted_by(context.dependencies)
    reasons = (
        table.imported_by(modules),
        table.certain and shown,
        ours and (mentioned or table.named(source) or not table.globals),
        wanted and mentioned,
        wanted and mentions(source, table.names),
        shown,
        # A word that several frameworks have says less of one whose own words are missing.
        unknown and mentioned and not table.signs,
        unknown and mentioned,
        table.always,
    )
    return next((rank for rank, holds in enumerate(reasons) if holds), None)


def candidates(tables: tuple[Table, ...], callee: Callee) -> Iterator[tuple[Table, Row]]:
    """The rows whose shape a call has, best first."""
    for table in tables:
        rows = table.rows_for(callee.name)
        on = callee.on(table.modifiers) if rows else ""
        for row in rows:
            if row.matches(on, callee.name):
                yield table, row


def config_rows(file_name: str) -> Iterator[ConfigRow]:
    """The times that a configuration file of this name may set."""
    if not _MAYBE_CONFIG.search(file_name):
        return
    for table in tables():
        yield from (row for row in table.config if row.is_in(file_name))
