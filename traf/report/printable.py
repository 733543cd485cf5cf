"""Makes names from a repository safe to print: control characters and direction overrides show as escapes."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """`text` without anything that could move the cursor, colour the terminal or reorder the line."""
    return "".join(c if _harmless(c) else _escaped(c) for c in text)


def number(ms: float) -> int | float:
    """A time as JSON and people write it: whole where it is whole."""
    return int(ms) if float(ms).is_integer() else round(ms, 3)


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"}


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
