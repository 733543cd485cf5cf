from __future__ import annotations

import os

import pytest

from traf.project.files import MAX_BYTES, parse_json, read_bytes, read_json_object, shown


def test_shown_keeps_a_message_on_one_line():
    assert shown("a\nb\x1b[31m") == "a\\nb\\x1b[31m"
    assert shown(os.fsdecode(b"caf\xe9")) == "caf\\udce9"
    assert shown("tëst/日本.ts") == "tëst/日本.ts"


def test_read_bytes_refuses_what_is_no_text_file(tmp_path):
    (tmp_path / "binary").write_bytes(b"a\0b")
    (tmp_path / "huge").write_bytes(b" " * (MAX_BYTES + 1))
    (tmp_path / "largest").write_bytes(b" " * MAX_BYTES)
    os.mkfifo(tmp_path / "pipe")
    assert [read_bytes(tmp_path / name) for name in ("binary", "huge", "pipe", "missing", ".")] == [None] * 5
    assert read_bytes(tmp_path / "largest") is not None


def test_json_with_comments_and_trailing_commas():
    text = b'\xef\xbb\xbf{\n// one\n"url": "http://x/*no*/", /* two\n*/ "list": [1, 2,\n],\n}'
    assert parse_json(text, comments=True) == {"url": "http://x/*no*/", "list": [1, 2]}


def test_commas_and_comments_in_strings_are_kept():
    text = rb'{"a": ",}", "b": "\"//,]"}'
    assert parse_json(text, comments=True) == {"a": ",}", "b": '"//,]'}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1,\n "b" 2}', "line 2, column 6"),
        (b'{"a": "\xff"}', "not UTF-8 text at byte 7"),
        (b"[" * 200_000, "nested too deeply"),
        (b"", "line 1, column 1"),
    ],
)
def test_json_errors_say_where(content, message):
    with pytest.raises(ValueError, match=message):
        parse_json(content)


@pytest.mark.parametrize("content", [b"[1]", b"{", b"\0", b'"text"'])
def test_read_json_object_is_empty_for_anything_else(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    assert read_json_object(tmp_path / "x.json") == {}
