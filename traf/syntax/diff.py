"""A unified diff that `git apply` takes, byte for byte."""

from __future__ import annotations

import difflib

_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
_NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(path: str, before: bytes, after: bytes) -> str:
    """The diff between two states of a file, "" where they are equal. `path` is relative to where it is applied.

    Lines end at line feeds only, so carriage returns stay part of their lines.
    """
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    header = f"--- {_quoted('a/' + path)}\n+++ {_quoted('b/' + path)}\n"
    body = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(3):
        body.append(_hunk_header(group))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                body += [_line(" ", line) for line in old[i1:i2]]
            else:
                body += [_line("-", line) for line in old[i1:i2]]
                body += [_line("+", line) for line in new[j1:j2]]
    return header + "".join(body)


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8")
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def _line(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{_NO_NEWLINE}"


def _hunk_header(group: list[tuple[str, int, int, int, int]]) -> str:
    first, last = group[0], group[-1]
    return f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"


def _range(start: int, stop: int) -> str:
    length = stop - start
    begin = start + 1 if length else start
    return str(begin) if length == 1 else f"{begin},{length}"


def _quoted(path: str) -> str:
    """A path as git writes it: quoted in C style where it holds anything but plain printable ASCII."""
    raw = path.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in {34, 92} for byte in raw):
        # git ends a name with spaces in it by a tab, so that it knows where the name ends.
        return path + "\t" if " " in path else path
    out = (_ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in raw)
    return '"' + "".join(out) + '"'
