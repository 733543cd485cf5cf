"""What the project around a file says about its waits: the way in for commands that run nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.project.claims import scope_for
from traf.project.configs import Config, applicable, candidates, read_config
from traf.project.defaults import configured_defaults, is_own, times_set_by
from traf.project.detection import detect, has_form, voices_around
from traf.project.files import shown
from traf.project.frameworks import FRAMEWORKS, Framework
from traf.project.modules import load_module, read_source
from traf.project.packages import Package, read_package
from traf.project.places import Place, Surroundings, existing_file, look_around, names_in
from traf.project.scripts import times_in_scripts
from traf.project.support import setup_files
from traf.syntax import Context, configured_times

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from traf.project.claims import Scope
    from traf.syntax import Source

    Load = Callable[[str, str], Source | None]


@dataclass(frozen=True, slots=True)
class Survey:
    """A file and what its project says about it.

    `root` is resolved: the git work tree's top, else the workspace root, else the package, else the file's folder; `file` is
    the path relative to it, POSIX. `warnings` are one-line remarks that a user should see.
    """

    root: Path
    file: str
    source: Source
    context: Context
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Neighbourhood:
    """What the files of one folder have in common: who speaks for which framework there, and its config files, nearest first.

    `scripts` are the times that the command lines of package.json set.
    """

    context: Context
    voices: tuple[tuple[Framework, ...], ...]
    configs: Mapping[Framework, tuple[Config, ...]]
    scripts: Mapping[Framework, Mapping[str, float]]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """What a framework's settings and the files that it runs before a spec say: the times by default, and those files."""

    configured: Mapping[str, float]
    set_up: Mapping[str, float]
    run_before: tuple[Source, ...]


class Surveyor:
    """Surveys files one after the other. What they have in common is read once, when it is met first."""

    def __init__(self) -> None:
        self._broken: dict[Path, str] = {}
        self._package = cache(self._read_package)
        self._names = cache(names_in)
        self._around = cache(lambda folder: look_around(folder, self._package, self._names))
        self._neighbourhood = cache(self._meet)
        self._loader = cache(load_module)
        self._config = cache(_config)
        self._said = cache(_listen)

    def survey(self, path: Path) -> Survey:
        """Survey one file. It needs no package, nor a framework that traf knows.

        Raises:
            BadInput: no such file, a folder, or no source file.
        """
        place = self._place(path)
        near = self._neighbourhood(place.spec.parent)
        source = read_source(place)
        framework = detect(source, near.voices, near.context.load_module)
        defaults: dict[str, float] = {}
        ambient: dict[str, Source] = {}
        warnings = list(near.warnings)
        # What the spec's own framework says counts most.
        shaped = {each for each in FRAMEWORKS if each.setup_files and has_form(source, each)}
        for each in sorted({*near.configs, *shaped}, key=lambda each: each is framework):
            config = applicable(near.configs.get(each, ()), place.spec)
            scope = scope_for(config.scopes, place.spec) if config is not None else None
            start = config.start_in if config is not None else _start(each, place.around)
            said = self._said(
                each, config, scope, start, place.root, near.context.load_module, near.context.dependencies
            )
            # A framework that runs the tests of another one sets its limits for its own specs only.
            alone = framework is None or each is framework
            configured = {k: ms for k, ms in said.configured.items() if alone or is_own(each, k)}
            defaults |= {**configured, **near.scripts[each], **said.set_up}
            ambient |= {module.file: module for module in said.run_before if module.file != source.file}
            if config is not None and config.problem is not None:
                warnings.append(config.problem)
        name = framework.name if framework is not None else None
        context = replace(near.context, framework=name, defaults=defaults, ambient=tuple(ambient.values()))
        defaults |= configured_times(source, context)
        return Survey(place.root, place.file, source, context, tuple(warnings))

    def _place(self, path: Path) -> Place:
        """Where a file lies: as it is reached, or where links lead if that is no project or another one."""
        reached = existing_file(path)
        around = self._around(reached.parent)
        place = Place(around, around.folder / reached.name)
        real = place.spec.resolve()
        if around.packages and real.is_relative_to(around.root):
            return place
        return Place(self._around(real.parent), real)

    def _read_package(self, folder: Path) -> Package | None:
        try:
            return read_package(folder)
        except BadInput:
            self._broken[folder] = f"{shown(folder / 'package.json')} cannot be read: what it says is not used"
            return None

    def _meet(self, folder: Path) -> _Neighbourhood:
        around = self._around(folder)
        dependencies = frozenset[str]().union(*(package.dependencies for package in around.packages))
        load = self._loader(around.root)
        voices = voices_around(around)
        used = {framework for voice in voices for framework in voice}
        configs = {
            each: tuple(
                self._config(path, start_in, each, around.root, load) for path, start_in in candidates(each, around)
            )
            for each in FRAMEWORKS
        }
        return _Neighbourhood(
            Context(load_module=load, dependencies=dependencies),
            voices,
            {each: found for each, found in configs.items() if found or each in used},
            {each: times_in_scripts(each, around.packages, folder) for each in FRAMEWORKS},
            tuple(self._broken[above] for above in around.folders if above in self._broken),
        )


def _config(path: Path, start_in: Path, framework: Framework, root: Path, load: Load) -> Config:
    return read_config(path, start_in, framework, root, Context(load_module=load))


def _start(framework: Framework, around: Surroundings) -> Path:
    """Where a framework without a config file is started: in the nearest package that asks for it."""
    wanting = (p.folder for p in around.packages if not p.dependencies.isdisjoint(framework.dependencies))
    return next(wanting, around.root)


def _listen(
    framework: Framework,
    config: Config | None,
    scope: Scope | None,
    start: Path,
    root: Path,
    load: Load,
    dependencies: frozenset[str],
) -> _Said:
    context = Context(framework.name, load_module=load, dependencies=dependencies)
    run_before = setup_files(framework, config, scope, start, root, context)
    configured = configured_defaults(framework, scope) if scope is not None else {}
    return _Said(configured, times_set_by(run_before, context), run_before)
