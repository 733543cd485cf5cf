"""Reads the little YAML that test tools are configured in: scalars and lists of scalars at the top level of a file."""

from __future__ import annotations

import json
import re

_KEY = re.compile(r"""([\w.-]+|"[^"]*"|'[^']*')[ \t]*:(?:[ \t]+(.*)|[ \t]*)$""")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)$")
_FLOW_LIST = re.compile(r"(?<=:)[ \t]*\[[^\]]*\]")
_QUOTED = r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'"""
_SCALAR = re.compile(rf"""[ \t]*({_QUOTED}|[^\s#{{|>&*!'"](?:[^#]|(?<=\S)#)*)""")
_FLOW_ITEM = re.compile(rf"""({_QUOTED}|[^\s,\[\]'"][^,\]]*)""")
_WORDS = {"true": True, "false": False, "null": None, "~": None}


def flat_yaml(content: bytes) -> dict[str, object]:
    """The keys at the top level of a YAML text whose values are scalars or lists of scalars; nothing of the others."""
    text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    found: dict[str, object] = {}
    items: list[object] | None = None
    for line in _FLOW_LIST.sub(lambda match: " " + " ".join(match[0].split()), text).split("\n"):
        key, item = _KEY.match(line), _ITEM.match(line)
        if key is not None:
            name, value = key[1].strip("\"'"), key[2] or ""
            scalar = _SCALAR.match(value)
            items = None
            if value.startswith("["):
                found[name] = [_value(each) for each in _FLOW_ITEM.findall(value)]
            elif scalar is not None:
                found[name] = _value(scalar[1])
            elif not value or value.startswith("#"):
                items = []
        elif item is not None and items is not None:
            scalar = _SCALAR.match(item[1])
            if scalar is not None:
                found[name] = items = [*items, _value(scalar[1])]
        elif line.strip() and not line.lstrip().startswith("#"):
            items = None  # the value is nested deeper
    return found


def _value(text: str) -> object:
    text = text.strip()
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    if text.startswith('"'):
        return text[1:-1]
    if text in _WORDS:
        return _WORDS[text]
    try:
        number = json.loads(text)
    except ValueError:
        return text
    return number if isinstance(number, int | float) else text
