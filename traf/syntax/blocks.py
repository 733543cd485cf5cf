"""The tests, describes and hooks of a file, and which tests run a line."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from traf.syntax.bindings import bindings_of
from traf.syntax.callee import callee_of
from traf.syntax.model import Context, TestBlock
from traf.syntax.nodes import CALLBACKS, FUNCTIONS, arguments, peel
from traf.syntax.values import evaluate

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source

_TITLES = frozenset({"string", "template_string", "binary_expression"})
_PLACEHOLDER = re.compile(r"%[a-zA-Z#$%]|\$\{?[\w#.]")
_NO_CONTEXT = Context()

Kind = Literal["test", "describe", "hook"]

_WORDS: dict[str, Any] = tomllib.loads((files("traf.syntax") / "blocks.toml").read_text(encoding="utf-8"))
_KINDS: dict[str, Kind] = {name: kind for kind, names in _WORDS["kinds"].items() for name in names}
_MEANING: dict[str, str] = _WORDS["meaning"]
_HOLDERS, _MODIFIERS, _DEFAULT_EXPORTS = (frozenset(_WORDS[key]) for key in ("holders", "modifiers", "default_exports"))


def test_blocks(source: Source) -> tuple[TestBlock, ...]:
    """The test, describe and hook calls of a file in the order of the text."""
    return tuple(block for block, _call in blocks_with_calls(source))


def blocks_with_calls(source: Source) -> list[tuple[TestBlock, Node]]:
    """The blocks of a file with their calls."""
    found = source.memo.get("blocks")
    if not isinstance(found, list):
        found = source.memo["blocks"] = _blocks(source)
    return found


def _blocks(source: Source) -> list[tuple[TestBlock, Node]]:
    found: list[tuple[TestBlock, Node]] = []
    open_describes: list[TestBlock] = []
    for call, name, member in source.calls:
        if not _may_be_block(source, name, member=member):
            continue
        kind_modifier = _kind(source, call)
        if kind_modifier is None:
            continue
        kind, modifier = kind_modifier
        while open_describes and open_describes[-1].end <= call.start_byte:
            open_describes.pop()
        outer = open_describes[-1].titles if open_describes else ()
        titles = outer if kind == "hook" else (*outer, _title(source, call, modifier))
        block = TestBlock(
            kind,
            titles,
            source.line_of(call.start_byte),
            source.column_of(call.start_byte),
            source.line_of(call.end_byte - 1),
            call.start_byte,
            call.end_byte,
            modifier,
        )
        found.append((block, call))
        if kind == "describe":
            open_describes.append(block)
    return found


def _may_be_block(source: Source, name: str, *, member: bool) -> bool:
    """Whether the last name of a call is one of a block's, or may be an alias of one."""
    if not name or name in _KINDS or name in _MODIFIERS:
        return True
    return not member and bindings_of(source).declares(name)


def _kind(source: Source, call: Node) -> tuple[Kind, str] | None:
    args = arguments(call)
    if not _takes_code(args):
        return None
    callee = callee_of(source, call, _NO_CONTEXT)
    if callee.function is not None or not callee.parts:
        return None
    parts = callee.parts
    if callee.module in _DEFAULT_EXPORTS and parts[0] not in _KINDS:
        parts = ("test", *parts[1:])
    kind, modifiers = _role(parts)
    # `test.skip(condition, reason)` in the body of a test is no test.
    titled = len(args) > 1 and peel(args[0]).type not in CALLBACKS
    return (kind, ".".join(modifiers)) if kind is not None and (kind != "test" or titled) else None


def _role(parts: tuple[str, ...]) -> tuple[Kind | None, list[str]]:
    """What a chain of names is for and its modifiers; None where it is for something else."""
    links = [part for part in parts if part != "()"]
    at = 0
    for index, link in enumerate(links[1:], 1):
        between = links[at + 1 : index]
        if (
            link in _KINDS
            and links[0] in _HOLDERS
            and all(part in _MODIFIERS or part.endswith("()") for part in between)
        ):
            at = index
    name, rest = links[at], links[at + 1 :]
    complete = not rest or not rest[-1].endswith("()") or parts[-1] == "()"
    if name not in _KINDS or not complete or not all(part in _MODIFIERS for part in rest):
        return None, []
    meaning = [_MEANING[name]] if name in _MEANING else []
    earlier = [part for part in links[1:at] if part in _MODIFIERS]
    return _KINDS[name], meaning + [part.removesuffix("()") for part in earlier + rest]


def _takes_code(args: list[Node]) -> bool:
    """Whether arguments look like those of a block: a function in place, or a title and something that may be one."""
    kinds = [peel(arg).type for arg in args]
    if any(kind in CALLBACKS for kind in kinds):
        return True
    return (
        len(kinds) > 1 and kinds[0] in _TITLES and any(kind in {"identifier", "call_expression"} for kind in kinds[1:])
    )


def _title(source: Source, call: Node, modifier: str) -> str | None:
    """The title, "" for a describe without one, None where it is computed."""
    first = arguments(call)[0]
    if peel(first).type in CALLBACKS:
        return ""
    data = evaluate(source, first, _NO_CONTEXT).data
    if not isinstance(data, str) or ("each" in modifier.split(".") and _PLACEHOLDER.search(data)):
        return None
    return data


def callback_of(call: Node) -> Node | None:
    """The function that a block gives to the framework, where it is written in place."""
    return next((peel(arg) for arg in reversed(arguments(call)) if peel(arg).type in CALLBACKS), None)


def enclosing_blocks(source: Source, offset: int) -> list[tuple[TestBlock, Node]]:
    """The blocks around a byte, innermost first."""
    pairs = blocks_with_calls(source)
    at = bisect_right(pairs, offset, key=lambda pair: pair[0].start) - 1
    found = []
    while at >= 0:
        if pairs[at][0].end > offset:
            found.append(pairs[at])
        at = _outer(source)[at]
    return found


def _outer(source: Source) -> list[int]:
    """For each block the place of the next one around it in the list of blocks, -1 for none."""
    known = source.memo.get("outer blocks")
    if isinstance(known, list):
        return known
    pairs = blocks_with_calls(source)
    found: list[int] = []
    around: list[int] = []
    for at, (block, _call) in enumerate(pairs):
        while around and pairs[around[-1]][0].end <= block.start:
            around.pop()
        found.append(around[-1] if around else -1)
        around.append(at)
    source.memo["outer blocks"] = found
    return found


def tests_for_line(source: Source, line: int) -> tuple[TestBlock, ...]:
    """The tests that run a line: the one around it, those that a hook around it serves, those that call its function."""
    if not 1 <= line <= source.line_count:
        return ()
    start, end = source.line_range(line)
    text = source.data[start:end]
    offset = start + len(text) - len(text.lstrip())
    found = {block.start: block for block in _tests_at(source, offset, set())}
    return tuple(found[key] for key in sorted(found))


def _tests_at(source: Source, offset: int, seen: set[int]) -> list[TestBlock]:
    blocks = enclosing_blocks(source, offset)
    for kind in ("test", "hook"):
        block = next((block for block, _call in blocks if block.kind == kind), None)
        if block is not None:
            return [block] if kind == "test" else served_by(source, block)
    node = source.root.named_descendant_for_byte_range(offset, offset)
    found: list[TestBlock] = []
    while node is not None:
        name = _function_name(node)
        if name is not None and node.start_byte not in seen:
            seen.add(node.start_byte)
            binding = bindings_of(source).resolve(source.text(name), name)
            for use in bindings_of(source).uses(binding) if binding is not None else ():
                if not node.start_byte <= use.start_byte < node.end_byte:
                    found += _tests_at(source, use.start_byte, seen)
        node = node.parent
    return found


def _function_name(node: Node) -> Node | None:
    """The name under which the code of a node is run or read: of a function, a class, or a variable."""
    if node.type in FUNCTIONS or node.type in {"class_declaration", "variable_declarator"}:
        name = node.child_by_field_name("name")
        return name if name is not None and name.type in {"identifier", "type_identifier"} else None
    return None


def served_by(source: Source, hook: TestBlock) -> list[TestBlock]:
    """The tests of the describe that a hook stands in, or of the file."""
    around = [block for block, _call in enclosing_blocks(source, hook.start) if block.kind == "describe"]
    start, end = (around[0].start, around[0].end) if around else (0, len(source.data))
    return [
        block for block in test_blocks(source) if block.kind == "test" and start <= block.start and block.end <= end
    ]
