"""Which line of an older version became a given line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from traf.git.patches import Hunk

_LIKE = 0.6
"""The ratio from which a replaced line is the same line in other words: difflib's own cutoff for close matches."""

_LIKE_ELSEWHERE = 0.8
"""The same for a line that stood somewhere else in the file: a move leaves most of the text alone."""

_REACH = 200
"""How many removed lines, the nearest ones, are compared with a line: a rewritten file has thousands."""

_ONLY_NUMBERS_DIFFER = 0.99
"""The likeness of a line to itself with another time."""

_LEAST_PIECE = 8
"""Characters from which a text that stands inside another is a piece of it."""

_Line = tuple[int, str]
"""A line's number and text."""

_NUMBER = re.compile(r"\d+")


def hunks_between(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[Hunk, ...]:
    """The differences of two texts, as git would print them without context."""
    opcodes = SequenceMatcher(None, old, new).get_opcodes()
    return tuple(
        Hunk(i + (i < i_end), tuple(old[i:i_end]), j + (j < j_end), tuple(new[j:j_end]))
        for kind, i, i_end, j, j_end in opcodes
        if kind != "equal"
    )


def predecessor(hunks: Sequence[Hunk], line: int) -> tuple[int, str | None] | None:
    """The line (1-based) of the old version that became `line`, and its text if it was another one.

    None for a line that has no predecessor: it is new.
    """
    shift = 0
    for hunk in hunks:
        if hunk.new and hunk.new_start <= line < hunk.new_start + len(hunk.new):
            return _replaced(hunk, line) or _moved(hunks, line)
        if line <= hunk.new_start:
            break
        shift += len(hunk.old) - len(hunk.new)
    return line + shift, None


def same_text(one: str, other: str) -> bool:
    """Whether two lines differ in white space at most."""
    return _bare(one) == _bare(other)


def _replaced(hunk: Hunk, line: int) -> _Line | None:
    """The most alike of the lines that the hunk took away."""
    removed = _numbered(hunk.old, hunk.old_start)
    added = [(hunk.old_start + at * len(removed) // len(hunk.new), text) for at, text in _numbered(hunk.new)]
    own = added[line - hunk.new_start]
    near = _nearest(removed, own[0])
    return _alike(own, added, near, _LIKE) or _reflowed(own[1], near)


def _moved(hunks: Sequence[Hunk], line: int) -> _Line | None:
    """The most alike of the lines that were taken away anywhere in the file."""
    removed = [old for hunk in hunks for old in _numbered(hunk.old, hunk.old_start)]
    added = [new for hunk in hunks for new in _numbered(hunk.new, hunk.new_start)]
    own = next(new for new in added if new[0] == line)
    return _alike(own, added, _nearest(removed, line), _LIKE_ELSEWHERE)


def _alike(own: _Line, added: list[_Line], removed: list[_Line], least: float) -> _Line | None:
    """The removed line that is most like one's own, unless another added line has a better claim to it."""
    # Most edits change a number only; where one such line is free, the slow comparison of the others is not needed.
    return _claimed(own, added, removed, _ONLY_NUMBERS_DIFFER) or _claimed(own, added, removed, least)


def _claimed(own: _Line, added: list[_Line], removed: list[_Line], least: float) -> _Line | None:
    others = [new for new in added if new is not own]
    likeness = _likeness(own[1], [text for _, text in removed], least)
    for like, (number, text) in sorted(zip(likeness, removed, strict=True), key=lambda rating: -rating[0]):
        if like < least:
            break
        claim = (like, -abs(own[0] - number))
        rivals = zip(_likeness(text, [text for _, text in others], like), others, strict=True)
        if not any((rival, -abs(place - number)) > claim for rival, (place, _) in rivals):
            return number, text
    return None


def _likeness(text: str, others: Iterable[str], least: float) -> Iterator[float]:
    """How alike each of the others is to a text: 1 the same but for white space; 0 where it is below `least`."""
    bare, skeleton = _bare(text), _skeleton(text)
    matcher: SequenceMatcher[str] | None = None
    for other in others:
        if _bare(other) == bare:
            yield 1.0
        elif _skeleton(other) == skeleton:
            yield _ONLY_NUMBERS_DIFFER
        elif 2 * min(len(bare), len(_bare(other))) < least * (len(bare) + len(_bare(other))):
            yield 0.0
        else:
            if matcher is None:
                matcher = SequenceMatcher(autojunk=False)
                matcher.set_seq2(bare)
            matcher.set_seq1(_bare(other))
            possible = matcher.quick_ratio() >= least
            yield matcher.ratio() if possible else 0.0


def _reflowed(text: str, removed: list[_Line]) -> _Line | None:
    """The removed line that a formatter broke or joined to this one: one contains the other, and a common number."""
    numbers = set(_NUMBER.findall(text))
    pieces = []
    for number, old in removed:
        short, long = sorted((_unformatted(text), _unformatted(old)), key=len)
        if len(short) >= _LEAST_PIECE and short in long and numbers.intersection(_NUMBER.findall(old)):
            pieces.append((len(short), (number, old)))
    return max(pieces, key=lambda piece: piece[0])[1] if pieces else None


def _nearest(removed: list[_Line], line: int) -> list[_Line]:
    return sorted(removed, key=lambda old: abs(old[0] - line))[:_REACH]


def _numbered(lines: Sequence[bytes], start: int = 0) -> list[_Line]:
    return [(number, line.decode("utf-8", "replace")) for number, line in enumerate(lines, start)]


@lru_cache(4096)
def _bare(text: str) -> str:
    return "".join(text.split())


@lru_cache(4096)
def _skeleton(text: str) -> str:
    return _NUMBER.sub("0", _bare(text))


def _unformatted(text: str) -> str:
    """The text without what formatters change: white space, kinds of quotes, a separator at the end."""
    return _bare(text).translate({ord("'"): '"', ord("`"): '"'}).rstrip(",;")
