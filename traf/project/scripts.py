"""What the scripts of a package.json give to a test framework: its config file, and times."""

from __future__ import annotations

import itertools
import re
import shlex
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from traf.syntax import duration_ms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from traf.project.frameworks import Framework
    from traf.project.packages import Package

_ENDS = frozenset(";&|()<>")
_CONFIG_OPTIONS = ("-c", "--config", "-C", "--config-file", "--opts")
_LONG = {"-t": "timeout", "-r": "require"}
_MANY = frozenset({"require", "file"})
_GIVEN_CONFIG = re.compile(r"(?<!\S)(?:-c|-C|--config|--config-file)[=\s]+[\"']?([^\s\"';&|]+)")
# Options without a value: what follows one may be a path.
_FLAGS = frozenset({"--recursive", "--exit", "--bail", "-b", "--watch", "-w", "--parallel", "-p", "--no-parallel"})
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
    """The config files that a script gives to a framework: after an option, else by a name that says so.

    A command that runs the framework for others (`react-scripts test`) is given a file of the framework's usual name.
    """
    words = command_line(framework, script)
    if not words:
        yield from (path for path in _GIVEN_CONFIG.findall(script) if PurePosixPath(path).name in framework.configs)
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in _CONFIG_OPTIONS:
            yield from [value] if equals else words[at + 1 : at + 2]
        elif word.endswith(_CONFIG_ENDINGS) and (
            "conf" in word or PurePosixPath(word).name.startswith(f"{framework.command[0]}.")
        ):
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


def times_in_scripts(framework: Framework, packages: Iterable[Package], folder: Path) -> dict[str, float]:
    """The default times in ms that the scripts of the nearest package that starts a framework give to it in a folder.

    `npm test` is how a project is tested; where that does not start it there, the scripts that do must be of one mind.
    """
    for package in packages:
        lines = {name: words for name, script in package.scripts.items() if (words := command_line(framework, script))}
        if lines:
            here = {name: words for name, words in lines.items() if _covers(framework, words, package.folder, folder)}
            lines = here or lines
            chosen = [lines["test"]] if "test" in lines else list(lines.values())
            given = [dict(_times(framework, words)) for words in chosen]
            return given[0] if all(times == given[0] for times in given) else {}
    return {}


def _covers(framework: Framework, words: tuple[str, ...], start_in: Path, folder: Path) -> bool:
    """Whether a command runs the specs of a folder: it names that, one around it, or none."""
    given = zip(words[len(framework.command) - 1 :], words[len(framework.command) :], strict=False)
    paths = [
        word
        for before, word in given
        if not word.startswith("-") and (not before.startswith("-") or before in _FLAGS or "=" in before)
    ]
    # Of a pattern, the folder before its first star.
    bases = (path.partition("*")[0].rpartition("/")[0] if "*" in path else path for path in paths)
    return not paths or any(folder.is_relative_to(start_in / base.removeprefix("./")) for base in bases)


def _times(framework: Framework, words: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        for option, key in framework.options:
            time_ms = duration_ms(value if equals else "".join(words[at + 1 : at + 2])) if name == option else None
            if time_ms is not None:
                yield key, time_ms
