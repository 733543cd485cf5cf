"""Tells which test framework a spec is written for."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from traf.project.configs import named_in
from traf.project.frameworks import FRAMEWORKS, Framework
from traf.project.globs import matches
from traf.project.imports import WHOLE, Import, imports_of
from traf.syntax.bindings import bindings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from traf.project.places import Place
    from traf.syntax import Source

    Load = Callable[[str, str], Source | None]

_TEST_NAMES = frozenset({"test", "it", "describe", "suite", "setup", "specify"})
_FIRST_NAME = re.compile(r"[\w$]+")
_MOST_HOPS = 3


def detect(source: Source, place: Place, load: Load) -> Framework | None:
    """The framework of a spec, runnable or not; None if nothing tells.

    What the spec takes its `test` from decides, through the project's own fixture modules. Else it is the config file nearest
    to the spec, then what the packages around it depend on, then their scripts. A spec whose `test` is a global is not
    given to a framework that has none, unless there is no other.
    """
    taken = list(imports_of(source))
    if not _calls_global_test(source):
        named = _any(taken)
        return _imported(source, taken, load) or next(iter(named), None) or _around(place, _imports_first())
    with_globals = [framework for framework in FRAMEWORKS if framework.has_globals]
    named = [framework for framework in _any(taken) if framework.has_globals]
    own = [f for f in with_globals if f.spec_name and matches(f.spec_name, place.file)]
    return next(iter(named), None) or _around(place, own) or _around(place, with_globals) or _around(place, FRAMEWORKS)


def _calls_global_test(source: Source) -> bool:
    """Whether the spec calls a `test` that it neither declares nor imports."""
    bindings = bindings_of(source)
    for call in source.nodes("call"):
        name = _FIRST_NAME.match(source.text(call))
        if name is not None and name[0] in _TEST_NAMES and bindings.resolve(name[0], call) is None:
            return True
    return False


def _of_test(name: str) -> bool:
    """Whether something of this name starts a test: `test`, or a fixture such as `adminTest`."""
    return name in _TEST_NAMES or name.endswith(("Test", "_test"))


def _imported(source: Source, taken: list[Import], load: Load, hops: int = _MOST_HOPS) -> Framework | None:
    """The framework whose `test` a module takes, at first or second hand."""
    named = [each for each in taken if any(map(_of_test, each.names))]
    whole = [each for each in taken if WHOLE in each.names and each not in named]
    found = next(iter((*_any(named), *_any(whole))), None)
    if found is not None or not hops:
        return found
    for each in (*named, *whole):
        module = load(source.file, each.module)
        found = _imported(module, list(imports_of(module)), load, hops - 1) if module is not None else None
        if found is not None:
            return found
    return None


def _any(taken: list[Import]) -> list[Framework]:
    """The frameworks that are among the imported modules."""
    return [f for f in FRAMEWORKS if any(fnmatchcase(each.module, glob) for each in taken for glob in f.modules)]


def _imports_first() -> list[Framework]:
    return sorted(FRAMEWORKS, key=lambda framework: framework.has_globals)


def _around(place: Place, choices: Sequence[Framework]) -> Framework | None:
    """The first of the frameworks for which something around the spec speaks."""
    return next(_spoken_for(place, choices), None)


def _spoken_for(place: Place, choices: Sequence[Framework]) -> Iterator[Framework]:
    for folder in place.folders:
        yield from (f for f in choices if named_in(folder, f, place) is not None)
    for package in place.packages:
        yield from (f for f in choices if not package.dependencies.isdisjoint(f.dependencies))
    for package in place.packages:
        words = [script.split() for script in package.scripts]
        yield from (f for f in choices if f.command and any(_runs(line, f.command) for line in words))


def _runs(words: list[str], command: tuple[str, ...]) -> bool:
    """Whether a command line holds the words of a command next to each other."""
    return any(tuple(words[at : at + len(command)]) == command for at in range(len(words)))
