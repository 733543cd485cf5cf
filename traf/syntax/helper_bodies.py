"""What a function of a project does with time, read from its body: which argument says it, which default, which wait inside."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from traf.syntax.arithmetic import Value
from traf.syntax.bindings import bindings_of
from traf.syntax.catalogue import tables_for
from traf.syntax.declarations import parameter
from traf.syntax.model import MsFrom, WaitKind
from traf.syntax.nodes import ancestors, arguments, peel, walk
from traf.syntax.rows import Row
from traf.syntax.slots import Slot, position
from traf.syntax.times import milliseconds, time_in_force
from traf.syntax.values import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.tables import Table
    from traf.syntax.waits import Wait

    Look = Callable[[Source, Node, Context, tuple[Table, ...], Mapping[int, Value] | None], Wait | None]

# Functions of other files are read only when their name speaks of waiting.
_TIMELY = re.compile(r"timeout|ms$|millis|delay|wait|^time$|limit|duration", re.IGNORECASE)
_CLOCK = re.compile(rb"Date\.now\(\)|performance\.now\(\)|new Date\(\)")
_COMPARISONS = frozenset({"<", "<=", ">", ">="})
_LOOPS = frozenset({"while_statement", "do_statement", "for_statement"})
_EXITS = frozenset({"return_statement", "break_statement", "throw_statement"})


@dataclass(frozen=True, slots=True)
class Helper:
    """What a helper does with time: it waits for `slot` of its parameters times `factor` ms, or for what `inner` says.

    Without an argument, `default` ms are in force, which come from `origin`. `row` is the API that it calls, None
    for a loop of its own.
    """

    kind: WaitKind
    slot: Slot | None = None
    factor: float = 1
    default: float | None = None
    inner: Wait | None = None
    origin: MsFrom = MsFrom.PARAMETER
    row: Row | None = None


def helper_of(home: Source, function: Node, context: Context, look: Look) -> Helper | None:
    """The wait that a local helper is, read once a file and framework; None where its body holds no wait of one time.

    `look` tells what wait a call in it is.
    """
    key = ("helper", function.start_byte, context.framework)
    if key not in home.memo:
        home.memo[key] = None  # a function that calls itself is no helper while it is being read
        home.memo[key] = _read_helper(home, function, context, look)
    found = home.memo[key]
    return found if isinstance(found, Helper) else None


def _read_helper(home: Source, function: Node, context: Context, look: Look) -> Helper | None:
    applicable = tables_for(home, bindings_of(home).modules(), context)
    names = _parameters(home, function)
    waits = []
    for node in walk(function):
        if node.type != "call_expression":
            continue
        wait = look(home, node, context, applicable, None)
        if wait is None or (wait.site.kind is WaitKind.FIXED_SLEEP and _between_looks(home, function, node)):
            continue
        if wait.site.kind in {WaitKind.FAKE_CLOCK, WaitKind.FIXED_SLEEP} and _loops_around(function, node):
            return None  # how often it does so is what counts
        waits.append(wait)
        if wait.reading is None or wait.row.block:
            continue
        for slot, start, default in names:
            probes = [look(home, node, context, applicable, {start: Value(number)}) for number in (1000, 2000)]
            first, second = (probe.site.ms if probe is not None else None for probe in probes)
            if first and second and second == 2 * first:
                factor = first / 1000
                ms = milliseconds(evaluate(home, default, context), factor) if default is not None else None
                return Helper(wait.site.kind, slot, factor, ms, row=wait.row)
    bound = _hand_made_bound(home, function, names, context) or _handed_on(home, function, waits, context)
    if bound is not None:
        return bound
    only = _only(waits)
    if only is None or (only.site.kind is not WaitKind.POLL_TIMEOUT and not _is_short(function)):
        return None
    known = only.reading is not None or (_is_short(function) and _gives_back(only.call))
    return Helper(only.site.kind, inner=only, row=only.row) if known else None


def _only(waits: list[Wait]) -> Wait | None:
    """The wait that a function means whose waits are all of one chain: the written one, else the last query."""
    if len({wait.site.start for wait in waits}) != 1:
        return None
    written = [wait for wait in waits if wait.reading is not None]
    queries = [wait for wait in waits if wait.row.query]
    if len(written) > 1 or not (written or queries):
        return None
    return written[0] if written else max(queries, key=lambda wait: wait.site.end)


def _gives_back(call: Node) -> bool:
    """Whether a function gives back what a call in it does, for others to go on with."""
    return call.parent is not None and call.parent.type in {"return_statement", "arrow_function"}


def _handed_on(home: Source, function: Node, waits: list[Wait], context: Context) -> Helper | None:
    """A function that hands its own options, or the rest of its arguments, on to a wait of the only chain in it."""
    bounds = [wait for wait in waits if wait.site.kind is WaitKind.POLL_TIMEOUT and not wait.row.block]
    for wait in bounds if len({wait.site.start for wait in bounds}) == 1 else ():
        for slot in (slot for slot in wait.row.slots if slot.is_argument and len(slot.keys) == 1):
            taken = _parameter_at(home, function, wait.call, position(wait.call, slot, wait.row.args))
            if taken is not None:
                ms, origin = time_in_force(None, wait.row, context, wait.factor)
                return Helper(wait.site.kind, replace(taken, keys=slot.keys), wait.factor, ms, None, origin, wait.row)
    return None


def _parameter_at(home: Source, function: Node, call: Node, index: int) -> Slot | None:
    """The parameter of a function that gives an argument of a call in it: by itself, spread into it, or as part of a rest."""
    args = arguments(call)
    rest = next((at for at, arg in enumerate(args) if arg.type == "spread_element"), None)
    if rest is not None and rest <= index:
        names, skipped = args[rest].named_children, index - rest
    elif 0 <= index < len(args):
        arg, skipped = peel(args[index]), 0
        spreads = [child for child in arg.named_children if arg.type == "object" and child.type == "spread_element"]
        names = [arg] if arg.type == "identifier" else [child for spread in spreads for child in spread.named_children]
    else:
        return None
    for name in names:
        binding = bindings_of(home).resolve(home.text(name), name) if name.type == "identifier" else None
        for at, node in enumerate(_parameter_nodes(function)):
            if binding is not None and node.start_byte <= binding.node.start_byte < node.end_byte:
                return Slot("argument", at + skipped)
    return None


def _parameter_nodes(function: Node) -> list[Node]:
    listed = function.child_by_field_name("parameters")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []


def _parameters(home: Source, function: Node) -> list[tuple[Slot, int, Node | None]]:
    """The parameters that may be a time: their slot, the start of their name, their default."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return [(Slot("argument"), single.start_byte, None)]
    found: list[tuple[Slot, int, Node | None]] = []
    for index, node in enumerate(_parameter_nodes(function)):
        pattern, default = parameter(node)
        if pattern.type == "identifier":
            found.append((Slot("argument", index), pattern.start_byte, default))
        elif pattern.type == "object_pattern":
            for child in pattern.named_children:
                left = child.child_by_field_name("left") or child
                if left.type == "shorthand_property_identifier_pattern":
                    found.append(
                        (
                            Slot("argument", index, (home.text(left),)),
                            left.start_byte,
                            child.child_by_field_name("right"),
                        )
                    )
    return found


def _hand_made_bound(
    home: Source, function: Node, names: list[tuple[Slot, int, Node | None]], context: Context
) -> Helper | None:
    """A loop that looks at the clock until a parameter named like a time has passed, or, for a bound, something else is so."""
    body = home.data[function.start_byte : function.end_byte]
    if not _CLOCK.search(body):
        return None
    kind = WaitKind.POLL_TIMEOUT if _ends_early(home, function) else WaitKind.FIXED_SLEEP
    for slot, start, default in names:
        end = start
        while end < len(home.data) and (home.data[end : end + 1].isalnum() or home.data[end : end + 1] in {b"_", b"$"}):
            end += 1
        if _TIMELY.search(home.data[start:end].decode("utf-8", "replace")):
            ms = milliseconds(evaluate(home, default, context)) if default is not None else None
            return Helper(kind, slot, 1, ms)
    return None


def _ends_early(home: Source, function: Node) -> bool:
    """Whether a loop of a function ends by something else than its condition, or by more than one comparison."""
    return any(loop.type in _LOOPS and _looks(home, loop) for loop in walk(function))


def _looks(home: Source, loop: Node) -> bool:
    condition = loop.child_by_field_name("condition")
    inner = peel(condition) if condition is not None else None
    compared = inner is not None and home.text(inner.child_by_field_name("operator") or inner) in _COMPARISONS
    return not compared or any(node.type in _EXITS for node in walk(loop))


def _between_looks(home: Source, function: Node, call: Node) -> bool:
    """Whether a call stands in a loop of a function that looks for something: a sleep there is the interval."""
    return any(_looks(home, loop) for loop in _loops_around(function, call))


def _loops_around(function: Node, call: Node) -> list[Node]:
    """The loops of a function that a call stands in."""
    return [up for up in itertools.takewhile(lambda up: up != function, ancestors(call)) if up.type in _LOOPS]


def _is_short(function: Node) -> bool:
    """Whether the function does nothing but wait."""
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return body is not None
    return sum(child.type != "comment" for child in body.named_children) == 1
