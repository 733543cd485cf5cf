"""What the scripts of a package.json give to a test framework: its config file, and times."""

from __future__ import annotations

import itertools
import shlex
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from traf.syntax import duration_ms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from traf.project.frameworks import Framework
    from traf.project.packages import Package

_ENDS = frozenset(";&|()<>")
_CONFIG_OPTIONS = ("-c", "--config", "-C", "--config-file")
_LONG = {"-t": "timeout", "-r": "require"}
_MANY = frozenset({"require", "file"})
_CONFIG_ENDINGS = (".js", ".ts", ".mjs", ".mts", ".cjs", ".cts", ".json")


@lru_cache(maxsize=4096)
def command_line(framework: Framework, script: str) -> tuple[str, ...]:
    """The words of a script from a framework's command on, as far as the next command; none if it does not start it."""
    size = len(framework.command)
    if not size or framework.command[0] not in script:
        return ()
    lexer = shlex.shlex(script, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:
        return ()
    for at, word in enumerate(words):
        if (PurePosixPath(word).name, *words[at + 1 : at + size]) == framework.command:
            return tuple(itertools.takewhile(lambda word: not _ENDS.issuperset(word), words[at:]))
    return ()


def named_configs(framework: Framework, script: str) -> Iterator[str]:
    """The config files that a script gives to a framework: after an option, else by a name that says so."""
    words = command_line(framework, script)
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in _CONFIG_OPTIONS:
            yield from [value] if equals else words[at + 1 : at + 2]
        elif "conf" in word and word.endswith(_CONFIG_ENDINGS):
            yield word


def options_file(content: bytes) -> dict[str, Any]:
    """The settings in a file of command line options, as `mocha.opts` is one; those given several times are lists.

    Raises:
        ValueError: a quote is not closed.
    """
    words = shlex.split(content.decode("utf-8-sig", errors="replace"), comments=True)
    found: dict[str, Any] = {}
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        key = _LONG.get(name, name.removeprefix("--"))
        if name.startswith("-"):
            given = value if equals else "".join(words[at + 1 : at + 2])
            found[key] = [*found.get(key, ()), given] if key in _MANY else int(given) if given.isdecimal() else given
    return found


def times_in_scripts(framework: Framework, packages: Iterable[Package]) -> dict[str, float]:
    """The default times in ms that the scripts of the nearest package that starts a framework give to it.

    `npm test` is how a project is tested; where that does not start it, the scripts that do must be of one mind.
    """
    for package in packages:
        lines = {name: words for name, script in package.scripts.items() if (words := command_line(framework, script))}
        if lines:
            chosen = [lines["test"]] if "test" in lines else list(lines.values())
            given = [dict(_times(framework, words)) for words in chosen]
            return given[0] if all(times == given[0] for times in given) else {}
    return {}


def _times(framework: Framework, words: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        for option, key in framework.options:
            time_ms = duration_ms(value if equals else "".join(words[at + 1 : at + 2])) if name == option else None
            if time_ms is not None:
                yield key, time_ms
