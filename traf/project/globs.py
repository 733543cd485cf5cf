"""Glob patterns as npm, Jest and Playwright write them: `**`, braces, character classes and extglobs."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(r"\*\*/|\*\*|[?*+@!]\(|\[!?[^\]/]+\]|\\.|.", re.DOTALL)
_RANGE = re.compile(r"(?<=\w)\\-(?=\w)")
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
# What opens a group: its regular expression, the token that ends it, that token's expression, what separates its choices.
_GROUPS = {
    "{": ("(?:", "}", ")", ","),
    "?(": ("(?:", ")", ")?", "|"),
    "*(": ("(?:", ")", ")*", "|"),
    "+(": ("(?:", ")", ")+", "|"),
    "@(": ("(?:", ")", ")", "|"),
    "!(": ("(?!", ")", r")[^/]*?", "|"),
}


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    out: list[str] = []
    open_groups: list[tuple[str, str, str]] = []
    for token in _TOKEN.findall(pattern):
        end, ended, separator = open_groups[-1] if open_groups else ("", "", "")
        if token in _GROUPS:
            opened, *group = _GROUPS[token]
            out.append(opened)
            open_groups.append((group[0], group[1], group[2]))
        elif token == end:
            out.append(ended)
            open_groups.pop()
        elif token == separator:
            out.append("|")
        elif token in _WILD:
            out.append(_WILD[token])
        elif len(token) > 1 and token[0] == "[":
            out.append(_class(token[1:-1]))
        else:
            out.append(re.escape(token[-1]))
    try:
        return re.compile("".join(out), re.DOTALL)
    except (re.error, RecursionError):
        return None


def _class(members: str) -> str:
    negated = members.startswith("!")
    return f"[{'^' * negated}{_RANGE.sub('-', re.escape(members[negated:]))}]"


def matches(pattern: str, path: str) -> bool:
    """Whether a glob matches the whole of a relative POSIX path. A pattern that makes no sense matches nothing.

    `!(a|b)` is read as "does not begin with a or b", which is what it means for the names that projects use it on.
    """
    compiled = _compiled(pattern)
    return compiled is not None and compiled.fullmatch(path) is not None
