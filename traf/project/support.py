"""The files of a project that are run before each of its specs: what they set and register is there in every test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.project.claims import base_folder, setting
from traf.project.files import is_glob, matching_files
from traf.project.imports import modules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from traf.project.claims import Scope
    from traf.project.configs import Config
    from traf.project.frameworks import Framework
    from traf.syntax import Context, Source

    Settings = Mapping[object, object]

_MOST_MODULES = 60
_MOST_HOPS = 3


def setup_files(
    framework: Framework, config: Config | None, scope: Scope | None, start: Path, root: Path, context: Context
) -> tuple[Source, ...]:
    """The files of the project at `root` that a framework runs before a spec, in order, each after those that it imports.

    They are its config file where that has hooks, and the files that the settings name, else those that the framework looks
    for. `start` is where it is started.
    """
    found: dict[str, Source] = {}
    if config is not None and framework.hooks_in_config:
        here = config.path.relative_to(root).as_posix()
        _add(context.load_module(here, f"./{config.path.name}"), found, context)
    folder: Path | None = start
    names: Iterable[str] = framework.setup_files
    if config is not None and scope is not None:
        folder = _folder(framework, config, scope.settings)
        values = [setting(scope.settings, key) for key in framework.setup]
        if any(value is not None for value in values):
            names = [name for value in values for name in _names(value)]
    if folder is not None and folder.is_relative_to(root):
        beside = (folder / "package.json").relative_to(root).as_posix()
        for path in _paths(names, folder):
            # A name without "./" may be a module or a path.
            _add(context.load_module(beside, path) or context.load_module(beside, f"./{path}"), found, context)
    return tuple(found.values())


def _folder(framework: Framework, config: Config, settings: Settings) -> Path | None:
    """The folder that the names of setup files are relative to; None if it is not known."""
    if framework.base is None:
        return config.start_in
    # Jest's `rootDir` is relative to the config file, that of others to where they are started.
    start = config.path.parent if framework.base == "rootDir" else config.start_in
    return base_folder(setting(settings, framework.base), start)


def _names(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            if isinstance(each, str):
                yield each


def _paths(names: Iterable[str], folder: Path) -> Iterator[str]:
    for name in names:
        path = name.replace("<rootDir>", ".", 1) if name.startswith("<rootDir>") else name
        if is_glob(path):
            yield from (each.relative_to(folder).as_posix() for each in matching_files(folder, path))
        else:
            yield path


def _add(source: Source | None, found: dict[str, Source], context: Context, hops: int = _MOST_HOPS) -> None:
    """Add a module after those that it imports."""
    if source is None or source.file in found or len(found) >= _MOST_MODULES:
        return
    found[source.file] = source
    for module in modules_of(source) if hops else ():
        _add(context.load_module(source.file, module), found, context, hops - 1)
    found[source.file] = found.pop(source.file)
