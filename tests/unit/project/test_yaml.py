from __future__ import annotations

import pytest

from traf.project.yaml import flat_yaml


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("timeout: 5000", {"timeout": 5000}),
        ("# slow\ntimeout: 5000 # ms\n", {"timeout": 5000}),
        ("timeout: 5s\nslow: '1s'\r\nui: \"bdd\"", {"timeout": "5s", "slow": "1s", "ui": "bdd"}),
        ("'a': true\nb: ~\nc: 1.5\nd: it's", {"a": True, "b": None, "c": 1.5, "d": "it's"}),
        ("require: [a.js, 'b.js',\n  \"c,d.js\"]", {"require": ["a.js", "b.js", "c,d.js"]}),
        ("file:\n  - ./a.js\n\n  # one more\n  - 'b#c' # d\n- d\nx: 1", {"file": ["./a.js", "b#c", "d"], "x": 1}),
        ("a:\n- packages/{a,b}", {"a": ["packages/{a,b}"]}),
        ("a: 'it''s'", {"a": "it's"}),
        # What is nested, or of more than one line, is not read.
        ("a:\n  timeout: 1\n  - x\nb: 2", {"b": 2}),
        ("a: {timeout: 1}\nb: |\n  timeout: 2\nc: &x 3\nd: *x", {}),
        ("a:", {}),
        ("", {}),
        ("\ufefftimeout: 1", {"timeout": 1}),
    ],
)
def test_flat_yaml(text, expected):
    assert flat_yaml(text.encode()) == expected


@pytest.mark.parametrize(
    "content", [b"\xff\xfe: \x00", b"[" * 10_000, b"a: [" * 1000, b"- " * 1000, b"a:\n" + b"-\n" * 1000]
)
def test_whatever_it_is_it_is_read_or_passed_over(content):
    assert isinstance(flat_yaml(content), dict)
