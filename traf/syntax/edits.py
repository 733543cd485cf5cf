"""Byte-exact edits that give a wait a time, in the style of the file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.syntax.adding import add_time
from traf.syntax.definitions import defined_waits
from traf.syntax.insert import insertion
from traf.syntax.model import Edit, WaitKind, WaitSite
from traf.syntax.numbers import in_style, plain
from traf.syntax.sites import find_waits
from traf.syntax.vocabulary import name_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.waits import Wait

_LONGEST = 2**31 - 1  # https://developer.mozilla.org/docs/Web/API/Window/setTimeout#maximum_delay_value


def edits_for(source: Source, site: WaitSite, ms: float, context: Context) -> tuple[Edit, ...]:
    """The edits that give a site the time `ms`; none where it has that time already.

    Raises:
        BadInput: where the time cannot be given, with the reason.
    """
    where = f"{source.file}:{site.line}:{site.column}"
    if not math.isfinite(ms) or ms < 0:
        raise BadInput(f"{where}: {ms:g} ms is no time to wait; give 0 or more", slug="bad-time")
    if ms > _LONGEST:
        raise BadInput(f"{where}: a timer of more than {_LONGEST} ms fires at once; give less", slug="bad-time")
    if not site.editable:
        raise BadInput(f"{where}: {site.reason or 'the time of this call cannot be edited'}", slug="not-editable")
    if site.action == "insert":
        return insertion(source, site, ms, context)
    wait = find_wait(source, site, context)
    if site.ms == ms and wait.reading is not None:
        return ()
    name = name_for(source, ms, wait.factor, context)
    return tuple(sorted(wait_edits(source, wait, ms, name), key=lambda edit: edit.start))


def find_wait(source: Source, site: WaitSite, context: Context) -> Wait:
    """The wait behind a site of the same file.

    Raises:
        BadInput: if the file holds no such wait (it has changed since).
    """
    waits = find_waits(source, context)
    for wait in (*waits, *defined_waits(source, waits, context)):
        if (wait.site.start, wait.site.end) == (site.start, site.end):
            return wait
    raise BadInput(f"{source.file}:{site.line}: the wait is no longer there; choose it again", slug="stale-site")


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes with all edits made.

    Raises:
        ValueError: if edits overlap or lie outside.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    parts, at = [], 0
    for edit in ordered:
        if not at <= edit.start <= edit.end <= len(data):
            raise ValueError(f"edit of bytes {edit.start} to {edit.end} overlaps another or lies outside of the file")
        parts += [data[at : edit.start], edit.text]
        at = edit.end
    return b"".join([*parts, data[at:]])


def wait_edits(source: Source, wait: Wait, ms: float, name: str | None = None) -> list[Edit]:
    """The edits that give a wait a time, whatever it has now; written as `name` where that is a constant worth it."""
    reading, slot = wait.reading, wait.slot
    if name is not None and reading is not None and reading.node is not None and reading.target is reading.node:
        return [_written(source, reading.node, name)]
    if reading is not None and reading.target is not None:
        clock = wait.site.kind is WaitKind.FAKE_CLOCK
        return [replacement(source, reading.target, ms, wait.factor, clock=clock)]
    if slot is None:
        raise BadInput(f"{source.file}:{wait.site.line}: {wait.site.api}() takes no time", slug="takes-no-time")
    return add_time(source, wait.taker or wait.call, slot, name or plain(ms, wait.factor), wait.row)


def replacement(source: Source, target: Node, ms: float, factor: float = 1, *, clock: bool = False) -> Edit:
    """The edit that writes a time where one is written."""
    return _written(source, *in_style(source, target, ms, factor, clock=clock))


def _written(source: Source, node: Node, text: str) -> Edit:
    """The edit that puts a text in the place of an expression."""
    if node.type == "shorthand_property_identifier":
        text = f"{source.text(node)}: {text}"
    return Edit(node.start_byte, node.end_byte, text.encode())
