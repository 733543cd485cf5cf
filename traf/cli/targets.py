"""Reads SPEC[:LINE[:COLUMN]] and finds the test that is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from traf.core.attempts import TestId
from traf.core.errors import BadInput
from traf.rerun.engine import ListedTest
from traf.syntax import tests_for_line
from traf.syntax.source import Source

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Target:
    """A file and, where given, a 1-based line and column of it."""

    path: Path
    line: int | None = None
    column: int | None = None


def parse_target(text: str, line: int | None = None) -> Target:
    """The target that `text` names; `line` is that of --line.

    Raises:
        BadInput: when a line or column is 0, or two different lines are given.
    """
    target = Target(Path(text))
    for form in (r"(.+):(\d+)", r"(.+?):(\d+)(?::(\d+))?"):  # a file's own name may end in a colon and a number
        match = re.fullmatch(form, text, re.DOTALL)
        if match is not None and not target.path.exists():
            path, *numbers = match.groups()
            target = Target(Path(path), *(None if n is None else int(n) for n in numbers))
    if target.line == 0 or target.column == 0:
        raise BadInput(f"{text}: lines and columns count from 1", slug="line-zero")
    if line is not None and target.line not in {None, line}:
        raise BadInput(f"{text} names line {target.line}, --line says {line}: give one of them", slug="two-lines")
    return target if line is None else Target(target.path, line, target.column)


def choose_test(
    listed: Sequence[ListedTest], source: Source, line: int | None, title: str | None
) -> tuple[TestId, str | None]:
    """The test that a title or a line means, and a remark where several run that line.

    Raises:
        BadInput: when none or several tests are meant.
    """
    if not listed:
        raise BadInput(f"{source.file} holds no test that the framework lists: name a spec with tests", slug="no-tests")
    if title is not None:
        return _by_title(listed, source.file, title), None
    if line is None:
        if len({t.id.title for t in listed}) > 1:
            raise BadInput(
                f"{source.file} holds several tests: give a line (SPEC:LINE) or --test TITLE, one of {_titles(listed)}",
                slug="several-tests",
            )
        return listed[0].id, None
    blocks = tests_for_line(source, line)
    found = [t for block in blocks for t in listed if t.line == block.line or t.id.title == block.titles]
    if not found:
        raise BadInput(
            f"{source.file}:{line} is run by no test that can be told: give --test TITLE, one of {_titles(listed)}",
            slug="no-test-at-line",
        )
    first = found[0].id
    if len({t.id.title for t in found}) > 1:
        return first, f"{len(found)} tests run this line; '{_shown(first)}' is run (--test chooses another)"
    return first, None


def _by_title(listed: Sequence[ListedTest], file: str, title: str) -> TestId:
    wanted = title.strip()
    if not wanted:
        raise BadInput(f"--test is empty: give a title, one of {_titles(listed)}", slug="no-such-test")
    for matches in (
        [t for t in listed if wanted in {" > ".join(t.id.title), " ".join(t.id.title)}],
        [t for t in listed if t.id.title[-1].strip() == wanted],
        [t for t in listed if wanted in " > ".join(t.id.title)],
    ):
        titles = {t.id.title for t in matches}
        if len(titles) == 1:
            return matches[0].id
        if titles:
            raise BadInput(f"{title!r} means several tests of {file}: {_titles(matches)}", slug="several-tests")
    raise BadInput(f"no test of {file} is called {title!r}: there are {_titles(listed)}", slug="no-such-test")


def _titles(listed: Sequence[ListedTest]) -> str:
    titles = list(dict.fromkeys(f"'{_shown(t.id)}'" for t in listed))
    return ", ".join(titles[:_SHOWN]) + (f" and {len(titles) - _SHOWN} more" if len(titles) > _SHOWN else "")


def _shown(test: TestId) -> str:
    return " > ".join(test.title)
