"""The words of a line of code, for likeness between lines.

After the paper (section IV): documents are tokenised into unique identifiers with JavaScript's keywords removed. Only
identifiers count here: the content of strings, templates' text, regular expressions, numbers and comments does not.
"""

from __future__ import annotations

import re

# The reserved words of ECMAScript with its literals and `async`; words that are keywords only in places (get, of, type)
# are names elsewhere and stay.
_WORDS = """
async await break case catch class const continue debugger default delete do else enum export extends false finally for
function if implements import in instanceof interface let new null package private protected public return static super
switch this throw true try typeof undefined var void while with yield
"""
KEYWORDS = frozenset(_WORDS.split())
_TOKEN = re.compile(
    r"""
      (?P<skip> //[^\n]* | /\*.*?(?:\*/|\Z) | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? )
    | (?P<template> ` )
    | (?P<number> \d[\w.]* )
    | (?P<name> [^\W\d][\w$]* | \$[\w$]* )
    | (?P<mark> \S )
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
_VALUE_END = re.compile(r"[\w$)\]}\"'`]")


def tokens(text: str) -> list[str]:
    """The identifiers of a piece of code, which need not be complete, in order and with repetitions."""
    found: list[str] = []
    at = 0
    depths: list[int] = []  # of braces, one entry for each `${` that is open
    while at < len(text):
        if depths and depths[-1] == 0 and text[at] == "}":
            depths.pop()
            at = _template_end(text, at + 1, depths)
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            at += 1
            continue
        at = match.end()
        if match["template"]:
            at = _template_end(text, at, depths)
        elif match["name"] and match["name"] not in KEYWORDS:
            found.append(match["name"])
        elif match["mark"] == "/" and not _VALUE_END.match(text[: match.start()].rstrip()[-1:]):
            regex = _REGEX.match(text, match.start())
            at = regex.end() if regex else at
        elif depths and match["mark"] in {"{", "}"}:
            depths[-1] += 1 if match["mark"] == "{" else -1
    return found


def _template_end(text: str, at: int, depths: list[int]) -> int:
    """Where code goes on: after a template's end, or in its next substitution."""
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == "`":
            return at + 1
        elif text.startswith("${", at):
            depths.append(0)
            return at + 2
        else:
            at += 1
    return at
