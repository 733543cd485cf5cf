from __future__ import annotations

import pytest

from tests.unit.syntax.syntax_help import source
from traf.core.errors import BadInput
from traf.syntax import parse
from traf.syntax.source import MAX_BYTES


@pytest.mark.parametrize("suffix", ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"])
def test_supported_files_are_parsed(suffix):
    assert not parse(f"e2e/a.test.{suffix}", b"f(1);\n").root.has_error


@pytest.mark.parametrize(
    "file", ["a.vue", "a.svelte", "a.feature", "a.coffee", "a.ls", "a.py", "Makefile", "a.json", "A.VUE"]
)
def test_other_files_are_refused_in_one_helpful_line(file):
    with pytest.raises(BadInput) as caught:
        parse(file, b"x")
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert "not supported; give " in message
    assert "\n" not in message


@pytest.mark.parametrize("data", [b"f(\0)", b"\xff\xfe", b"f('\xe9')"])
def test_binary_content_is_refused(data):
    with pytest.raises(BadInput, match="not UTF-8"):
        parse("a.js", data)


def test_large_files_are_refused():
    with pytest.raises(BadInput, match="10 MB"):
        parse("a.js", b" " * MAX_BYTES)


def test_lines_and_columns_count_characters_and_no_byte_order_mark():
    parsed = source("\ufeffa();\r\n\tf('é😀'); g();\r\n")
    assert parsed.line_count == 2
    offset = parsed.data.index(b"g()")
    assert (parsed.line_of(offset), parsed.column_of(offset)) == (2, 11)
    assert parsed.offset_of(2, 11) == offset
    assert parsed.column_of(parsed.data.index(b"a()")) == 1
    assert parsed.offset_of(1, 1) == 3
    assert parsed.line_range(1) == (0, 7)


def test_an_empty_file_has_no_lines_and_a_missing_final_newline_none_less():
    assert source("").line_count == 0
    assert source("a").line_count == 1
    assert source("a\nb").line_count == 2
    assert source("a\n\n").line_count == 2


def test_flow_and_type_annotations_in_js_are_read_with_the_other_grammar():
    text = "// @flow\nconst f = async (a: string): Promise<void> => { await g(a, 5); };\n"
    assert not source(text, "a.test.js").root.has_error


def test_offset_past_the_end_of_a_line_is_its_end():
    parsed = source("ab\ncd\n")
    assert parsed.offset_of(1, 99) == 2
