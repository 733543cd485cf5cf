"""Tells which test framework a spec is written for."""

from __future__ import annotations

import itertools
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from traf.project.configs import named_in
from traf.project.frameworks import FRAMEWORKS, Framework
from traf.project.globs import matches
from traf.project.imports import WHOLE, Import, imports_of
from traf.project.scripts import command_line
from traf.syntax.bindings import bindings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from traf.project.places import Surroundings
    from traf.syntax import Source

    Load = Callable[[str, str], Source | None]

_TEST_NAMES = frozenset({"test", "it", "describe", "suite", "setup", "specify"})
# Hooks of Mocha and those who took them over; these frameworks have none of the kind.
_HOOK_NAMES = frozenset({"before", "after"})
_WITHOUT_BEFORE = frozenset({"jest", "vitest", "jasmine"})
_STEP_NAMES = frozenset({"Given", "When", "Then"})
_FIRST_NAME = re.compile(rb"[\w$]+")
_MOST_HOPS = 3


def detect(source: Source, voices: Sequence[Sequence[Framework]], load: Load) -> Framework | None:
    """The framework of a spec, runnable or not; None if nothing tells.

    What the spec takes its `test` from decides, through the project's own fixture modules. Else it is what speaks for a
    framework around the spec, loudest first (`voices_around`): a spec that has the form of a framework's specs is given to
    that framework first, and to one whose specs have another form last. A spec whose `test` is a global is not given to a
    framework that has none, nor one that calls `before` to one without such a hook, unless there is no other.
    """
    taken = list(imports_of(source))
    own = [framework for framework in FRAMEWORKS if has_form(source, framework)]
    others = [framework for framework in FRAMEWORKS if framework.spec_name is None and framework not in own]
    if _calls_global(source, _HOOK_NAMES):
        others = [framework for framework in others if framework.name not in _WITHOUT_BEFORE]
    elif not _calls_global(source, _TEST_NAMES):
        found = _imported(source, taken, load) or next(iter(_any(taken)), None)
        ranks = (own, sorted(others, key=lambda framework: framework.has_globals), FRAMEWORKS)
        return found or _loudest(voices, *ranks)
    named = next((framework for framework in _any(taken) if framework.has_globals), None)
    ranks = (own, [framework for framework in others if framework.has_globals], FRAMEWORKS)
    return named or _loudest(voices, *ranks)


def voices_around(around: Surroundings) -> tuple[tuple[Framework, ...], ...]:
    """The frameworks for which something around the specs of a folder speaks, the loudest first.

    The nearest config file is loudest, then come the dependencies of the packages, first those that its scripts start, then
    the scripts themselves.
    """
    configs = (tuple(f for f in FRAMEWORKS if named_in(folder, f, around) is not None) for folder in around.folders)
    started = [
        tuple(f for f in FRAMEWORKS if any(command_line(f, script) for script in p.scripts.values()))
        for p in around.packages
    ]
    asked_for = [tuple(f for f in FRAMEWORKS if not p.dependencies.isdisjoint(f.dependencies)) for p in around.packages]
    used = itertools.chain.from_iterable(
        (tuple(f for f in asked if f in begun), tuple(f for f in asked if f not in begun))
        for asked, begun in zip(asked_for, started, strict=True)
    )
    return tuple(filter(None, (*configs, *used, *started)))


def _calls_global(source: Source, names: frozenset[str]) -> bool:
    """Whether the spec calls something of one of these names that it neither declares nor imports."""
    bindings = bindings_of(source)
    for call in source.nodes("call"):
        found = _FIRST_NAME.match(source.data, call.start_byte)
        name = found[0].decode() if found is not None else ""
        if name in names and bindings.resolve(name, call) is None:
            return True
    return False


def _of_test(name: str) -> bool:
    """Whether something of this name starts a test, or a step of one: `test`, or a fixture such as `adminTest`."""
    return name in _TEST_NAMES or name in _STEP_NAMES or name.endswith(("Test", "_test"))


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


def has_form(source: Source, framework: Framework) -> bool:
    """Whether a spec's path or text has the form of a framework's specs."""
    if framework.spec_name is not None and matches(framework.spec_name, source.file):
        return True
    return framework.sign is not None and re.search(framework.sign.encode(), source.data) is not None


def _loudest(voices: Sequence[Sequence[Framework]], *ranks: Sequence[Framework]) -> Framework | None:
    """The first of the frameworks for which something speaks, those of the first rank before all others."""
    spoken_for = ((choice for voice in voices for choice in rank if choice in voice) for rank in ranks)
    return next(itertools.chain.from_iterable(spoken_for), None)
