"""How a file is laid out: line ends, indentation, semicolons, spaces inside braces. Edits follow it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from traf.syntax.source import Source

_SPACED = re.compile(rb"\{ +['\"\w]")
# Of braces around a mere name only those of an import or a pattern count: JSX writes expressions so.
_TIGHT = re.compile(rb"(?<![$=>])\{['\"\w][^{}\n]*[:,]|\{\w+\} (?:from|=)")


def newline(source: Source, line: int) -> str:
    """The line end after a line, or the file's where the line is its last."""
    _start, end = source.line_range(line)
    if end == len(source.data):
        return "\r\n" if b"\r\n" in source.data else "\n"
    return "\r\n" if source.data[end : end + 2] == b"\r\n" else "\n"


def indent(source: Source, node: Node) -> str:
    """The white space before the first text of the line on which a node starts."""
    start, end = source.line_range(source.line_of(node.start_byte))
    text = source.data[start:end].decode("utf-8", "replace").removeprefix("\ufeff")
    return text[: len(text) - len(text.lstrip(" \t"))]


def begins_line(source: Source, node: Node) -> bool:
    """Whether nothing but white space stands before a node on its line."""
    start = source.line_range(source.line_of(node.start_byte))[0]
    return not source.data[start : node.start_byte].strip()


def line_break(source: Source, node: Node) -> str:
    """A line end and the indentation of a node's line."""
    return newline(source, source.line_of(node.start_byte)) + indent(source, node)


def statement_end(source: Source) -> str:
    """A semicolon where at least half of the file's calls and imports end with one, else nothing."""
    ends = []
    for node in (*source.nodes("call"), *source.nodes("import")):
        statement = node.parent if node.type == "call_expression" else node
        if statement is not None and statement.type == "await_expression":
            statement = statement.parent
        if statement is not None and statement.type in {"expression_statement", "import_statement"}:
            ends.append(source.data[statement.end_byte - 1 : statement.end_byte] == b";")
    return "" if ends.count(True) * 2 < len(ends) else ";"


def braced(source: Source, inside: str) -> str:
    """An object literal with spaces inside its braces, or without, as most of the file has them."""
    spaced, tight = len(_SPACED.findall(source.data)), len(_TIGHT.findall(source.data))
    return f"{{{inside}}}" if tight > spaced else f"{{ {inside} }}"
