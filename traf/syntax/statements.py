"""The statement of a line: whether it acts, the sleep shortly above it, and the place before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.syntax.bindings import bindings_of
from traf.syntax.blocks import test_blocks
from traf.syntax.catalogue import tables_for
from traf.syntax.model import MsFrom, WaitKind, WaitSite
from traf.syntax.nodes import statement_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.model import Context
    from traf.syntax.source import Source
    from traf.syntax.waits import Wait

_ABOVE = 3
_DEEDS = frozenset({"call_expression", "new_expression", "assignment_expression", "await_expression"})
_ACTING = frozenset(
    {
        "expression_statement",
        "lexical_declaration",
        "variable_declaration",
        "return_statement",
        "if_statement",
        "for_in_statement",
        "for_statement",
        "while_statement",
        "throw_statement",
    }
)
_DECLARATIONS = frozenset(
    {
        "import_statement",
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "ambient_declaration",
        "export_statement",
        "empty_statement",
        "comment",
    }
)


def statement_on(source: Source, line: int, column: int | None) -> Node | None:
    """The innermost statement that acts on the line."""
    start, end = source.line_range(line)
    if column is not None:
        start = source.offset_of(line, column)
    while start < end and source.data[start : start + 1] in b" \t;}":
        start += 1
    if start >= end:
        return None
    node = source.root.named_descendant_for_byte_range(start, start + 1)
    statement = statement_of(node) if node is not None and node.type != "comment" else None
    return statement if statement is not None and _acts(source, statement) else None


def _acts(source: Source, statement: Node) -> bool:
    """Whether a statement calls something and has no test in it: to wait before a test would be outside of any."""
    if statement.type not in _ACTING:
        return False
    if any(statement.start_byte <= block.start < statement.end_byte for block in test_blocks(source)):
        return False
    return any(node.type in _DEEDS for node in walk(statement))


def shortly_above(source: Source, waits: list[Wait], statement: Node) -> Wait | None:
    """A sleep of the same block, at most three statements above, with only reads and declarations between."""
    sleeps: dict[int, Wait] = {}
    acting = []
    for wait in waits:
        own = statement_of(wait.call)
        if own is not None and wait.site.kind is WaitKind.FIXED_SLEEP:
            sleeps.setdefault(own.start_byte, wait)  # of a chain, its last
        if wait.row.action:
            acting.append(wait.site.start)
    above = statement.prev_named_sibling
    for _step in range(_ABOVE):
        while above is not None and above.type == "comment":
            above = above.prev_named_sibling
        if above is None:
            return None
        if above.start_byte in sleeps:
            return sleeps[above.start_byte]
        if not _only_reads(source, above, acting):
            return None
        above = above.prev_named_sibling
    return None


def _only_reads(source: Source, statement: Node, acting: list[int]) -> bool:
    if any(statement.start_byte <= start < statement.end_byte for start in acting):
        return False
    if statement.type in {"lexical_declaration", "variable_declaration"} or statement.type in _DECLARATIONS:
        return True
    return source.text(statement).lstrip("(").startswith(("expect", "await expect", "assert"))


def place_before(source: Source, context: Context, statement: Node) -> WaitSite:
    """The place before a statement, as a site."""
    applicable = tables_for(source, bindings_of(source).modules(), context)
    runner = next((table.framework for table in applicable if table.runner), None)
    return WaitSite(
        file=source.file,
        line=source.line_of(statement.start_byte),
        column=source.column_of(statement.start_byte),
        start=statement.start_byte,
        end=statement.end_byte,
        framework=runner or context.framework or "generic",
        api="",
        kind=WaitKind.NONE,
        ms=None,
        ms_from=MsFrom.UNKNOWN,
        level=1,
        action="insert",
    )
