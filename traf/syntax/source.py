"""A parsed file: its bytes, its tree, and the way between byte offsets and what an editor shows."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import tree_sitter
import tree_sitter_javascript
import tree_sitter_typescript

from traf.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

MAX_BYTES = 10_000_000

_GRAMMARS = {
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
}
_UNSUPPORTED = {
    ".vue": "give the test that mounts the component",
    ".svelte": "give the test that mounts the component",
    ".astro": "give the test that opens the page",
    ".html": "give the test file",
    ".feature": "give the step definition that waits",
    ".coffee": "give the JavaScript or TypeScript test",
    ".ls": "give the JavaScript or TypeScript test",
}
_INDEX = """
(call_expression) @call
(new_expression) @new
(variable_declarator) @variable
(function_declaration) @function
(generator_function_declaration) @function
(class_declaration) @class
(import_statement) @import
(export_statement) @export
(assignment_expression) @assignment
(augmented_assignment_expression) @assignment
(update_expression) @assignment
(formal_parameters) @parameters
(arrow_function) @arrow
(catch_clause) @catch
(for_in_statement) @loop
(pair) @pair
"""
_NAMES = """
(identifier) @name
(shorthand_property_identifier) @name
"""


_WORD = re.compile(r"\w+")


@cache
def _language(grammar: str) -> tree_sitter.Language:
    pointer = {
        "javascript": tree_sitter_javascript.language,
        "typescript": tree_sitter_typescript.language_typescript,
        "tsx": tree_sitter_typescript.language_tsx,
    }[grammar]
    return tree_sitter.Language(pointer())


@cache
def _index_query(grammar: str) -> tree_sitter.Query:
    enums = "" if grammar == "javascript" else "(enum_declaration) @enum"
    return tree_sitter.Query(_language(grammar), _INDEX + enums)


@cache
def _name_query(grammar: str) -> tree_sitter.Query:
    return tree_sitter.Query(_language(grammar), _NAMES)


class Source:
    """One JavaScript or TypeScript file. Offsets are bytes; lines and columns are 1-based, columns in characters."""

    def __init__(self, file: str, data: bytes, tree: tree_sitter.Tree, grammar: str) -> None:
        self.file = file
        self.data = data
        self.root = tree.root_node
        self.memo: dict[object, object] = {}  # what other modules have worked out about the file, by their own key
        self._tree = tree
        self._grammar = grammar

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset at which each line starts; a final newline starts no line of its own."""
        starts = [0]
        at = self.data.find(b"\n")
        while at != -1 and at + 1 < len(self.data):
            starts.append(at + 1)
            at = self.data.find(b"\n", at + 1)
        return tuple(starts)

    @cached_property
    def _is_ascii(self) -> bool:
        return self.data.isascii()

    @property
    def line_count(self) -> int:
        """Number of lines, as an editor shows them."""
        return len(self.line_starts) if self.data else 0

    def line_of(self, offset: int) -> int:
        """The line on which a byte stands."""
        return bisect_right(self.line_starts, offset)

    def column_of(self, offset: int) -> int:
        """The column of a byte, counted in characters as an editor does (a byte order mark is none)."""
        start = self.line_starts[self.line_of(offset) - 1]
        if self._is_ascii:
            return offset - start + 1
        before = self.data[start:offset].decode("utf-8", "replace")
        return len(before.removeprefix("\ufeff")) + 1

    def line_range(self, line: int) -> tuple[int, int]:
        """The bytes of a line without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.data)
        return start, start + len(self.data[start:end].rstrip(b"\r\n"))

    def offset_of(self, line: int, column: int) -> int:
        """The byte at which a column of a line starts; past the end of the line, the line's end."""
        start, end = self.line_range(line)
        text = self.data[start:end].decode("utf-8", "replace")
        mark = text.startswith("\ufeff")
        return start + len(text[: column - 1 + mark].encode())

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the text."""
        return frozenset(_WORD.findall(self.data.decode("utf-8", "replace")))

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @cached_property
    def _index(self) -> dict[str, list[Node]]:
        return self._captured(_index_query(self._grammar))

    @cached_property
    def names(self) -> list[Node]:
        """The identifiers of the file as they start. Many files are read without a look at them."""
        return self._captured(_name_query(self._grammar)).get("name", [])

    @cached_property
    def calls(self) -> list[tuple[Node, str, bool]]:
        """The calls as they start, each with its last name ("" where that is computed or called) and whether it is a member."""
        return [(call, *self._name_of(call)) for call in self.nodes("call")]

    def _name_of(self, call: Node) -> tuple[str, bool]:
        target = call.child_by_field_name("function")
        if target is None:
            return "", False
        if target.type == "member_expression":
            name = target.child_by_field_name("property")
            return (self.text(name) if name is not None else ""), True
        return (self.text(target) if target.type == "identifier" else ""), False

    def _captured(self, query: tree_sitter.Query) -> dict[str, list[Node]]:
        found = tree_sitter.QueryCursor(query).captures(self.root)
        return {kind: sorted(nodes, key=lambda n: (n.start_byte, -n.end_byte)) for kind, nodes in found.items()}

    def nodes(self, kind: str) -> list[Node]:
        """The nodes of a kind of the index ("call", "variable", "import", ...), as they start, outer ones first."""
        return self._index.get(kind, [])


def parse(file: str, data: bytes) -> Source:
    """Parse a file; `file` is its repository-relative POSIX path.

    A file with syntax errors is parsed as far as it goes.

    Raises:
        BadInput: for a kind of file that is not JavaScript or TypeScript, for binary content, and from 10 MB.
    """
    suffix = PurePosixPath(file).suffix.lower()
    grammar = _GRAMMARS.get(suffix)
    if grammar is None:
        help_ = _UNSUPPORTED.get(suffix, f"give one of {', '.join(_GRAMMARS)}")
        raise BadInput(f"{file}: {suffix or 'extensionless'} files are not supported; {help_}", slug="unsupported-file")
    if len(data) >= MAX_BYTES:
        raise BadInput(f"{file}: has {len(data) / 1e6:.0f} MB; files from 10 MB are not read", slug="file-too-large")
    if b"\0" in data or not _is_utf8(data):
        raise BadInput(f"{file}: is not UTF-8 text; give a source file", slug="binary-file")
    source = _parse(file, data, grammar)
    if grammar == "javascript" and source.root.has_error:
        # Flow annotations, and TypeScript syntax in .js files of projects that transpile everything alike.
        typed = _parse(file, data, "tsx")
        if _error_bytes(typed) < _error_bytes(source):
            return typed
    return source


def _parse(file: str, data: bytes, grammar: str) -> Source:
    return Source(file, data, tree_sitter.Parser(_language(grammar)).parse(data), grammar)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def errors(source: Source) -> Iterator[Node]:
    """The outermost nodes that the parser could not make sense of, and tokens that it missed."""
    stack = [source.root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            stack.extend(reversed(node.children))


def _error_bytes(source: Source) -> int:
    return sum(node.end_byte - node.start_byte + 1 for node in errors(source))
