"""Names from a repository cannot speak to the terminal."""

from __future__ import annotations

import pytest

from traf.report.printable import number, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain title", "plain title"),
        ("Größe → 数 🙂", "Größe → 数 🙂"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("two\nlines\r", "two\\x0alines\\x0d"),
        ("a\u202eb", "a\\u202eb"),
        ("\x9b2J", "\\x9b2J"),
        ("\ud800", "\\ud800"),
    ],
)
def test_control_characters_show_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(("ms", "written"), [(500.0, "500"), (0, "0"), (12.3456, "12.346")])
def test_whole_times_are_written_whole(ms: float, written: str) -> None:
    assert str(number(ms)) == written
