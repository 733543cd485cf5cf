"""What a reviewer should know about a wait before its time is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax import checks
from traf.syntax.arithmetic import UNKNOWN
from traf.syntax.blocks import enclosing_blocks
from traf.syntax.model import MsFrom, WaitKind
from traf.syntax.nodes import CALLBACKS, ancestors, arguments, enclosing_function, peel
from traf.syntax.reading import Reading, read
from traf.syntax.slots import Slot

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.waits import Wait

_THROWS = ("expect", "assert", "getBy", "getAllBy", "findBy", "findAllBy", "throw", "should")
_READS = ("querySelector", "queryBy", "queryAllBy", "getElementBy", "getElementsBy")
_LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})
_ITERATIONS = (".forEach", ".map")


def remarks(source: Source, wait: Wait, outer: Wait | None, context: Context) -> tuple[str, ...]:
    """What to warn of; `outer` is the polling wait in whose callback the wait stands."""
    site = wait.site
    found = [wait.row.warn] if wait.row.warn else []
    if site.ms_from is MsFrom.UNBOUNDED:
        found.append(f"{site.api}() has no bound of its own: a number makes it stricter")
    if wait.reading is not None:
        found += _of_value(wait, wait.reading)
    else:
        found += _of_ignored(source, wait, context)
    if wait.row.promise and site.kind is not WaitKind.NONE and not _taken_care_of(source, wait):
        found.append(f"nobody awaits {site.api}(): it does not hold up the test")
    found += _of_callback(source, wait)
    if not wait.row.block and _generated(source, wait.call):
        found.append("one source line serves several generated tests: all of them get the time")
    if outer is not None:
        bound = "no bound of its own" if outer.site.ms is None else f"a bound of {outer.site.ms:g} ms"
        found.append(f"it stands in {outer.site.api}() of line {outer.site.line}, which has {bound}")
    return tuple(found)


def _taken_care_of(source: Source, wait: Wait) -> bool:
    """Whether somebody awaits what must be awaited where it stands."""
    if wait.row.sync:
        function = enclosing_function(wait.call)
        if function is None or not any(child.type == "async" for child in function.children):
            return True
    return checks.awaited(source, wait.call)


def _of_value(wait: Wait, reading: Reading) -> list[str]:
    """Of the written time."""
    site, notes = wait.site, reading.value.notes
    derived = site.kind is WaitKind.FAKE_CLOCK and site.ms_from not in {MsFrom.LITERAL, MsFrom.UNKNOWN}
    remarks_of = {
        "the written 0 means no bound: a number makes it stricter": site.ms == 0 and wait.row.zero == "unbounded",
        "the written time depends on the environment": "environment" in notes or site.ms_from is MsFrom.ENVIRONMENT,
        "the written time is random": "random" in notes,
        "the fake clock's time is derived: calls that belong together must stay consistent": derived,
        "the time is the default of a parameter: callers that pass none share it": (
            reading.parameter and reading.target is not reading.node
        ),
    }
    return [remark for remark, holds in remarks_of.items() if holds]


def _of_ignored(source: Source, wait: Wait, context: Context) -> list[str]:
    """Of a time that is written where it has no effect."""
    readings = (read(source, wait.call, Slot.of(text), context) for text in wait.row.ignored)
    written = (reading.slot for reading in readings if reading is not None and reading.value.data is not UNKNOWN)
    return [f"the time given to {slot.link or wait.site.api}() has no effect there" for slot in written]


def _of_callback(source: Source, wait: Wait) -> list[str]:
    """A polling callback that cannot fail ends the wait at once, whatever its time."""
    args = arguments(wait.call)
    if wait.row.framework != "testing-library" or not wait.site.api.endswith("waitFor") or not args:
        return []
    callback = peel(args[0])
    body = callback.child_by_field_name("body") if callback.type in CALLBACKS else None
    if body is None:
        return []
    text = source.text(body)
    idle = body.type == "statement_block" and not body.named_children
    if any(word in text for word in _THROWS) or not (idle or any(word in text for word in _READS)):
        return []
    return ["its callback never throws, so it ends at once whatever its time"]


def _generated(source: Source, call: Node) -> bool:
    """Whether the test around a call is made in a loop or from a table."""
    blocks = enclosing_blocks(source, call.start_byte)
    if not blocks:
        return False
    block, test = blocks[0]
    key = ("generated", block.start)
    if key not in source.memo:
        tabled = any("each" in outer.modifier.split(".") for outer, _call in blocks)
        source.memo[key] = tabled or _repeated(source, test)
    return bool(source.memo[key])


def _repeated(source: Source, test: Node) -> bool:
    """Whether a loop, or a callback of `forEach` or `map`, is around a call."""
    for up in ancestors(test):
        target = up.child_by_field_name("function") if up.type == "call_expression" else None
        if up.type in _LOOPS or (target is not None and source.text(target).endswith(_ITERATIONS)):
            return True
    return False
