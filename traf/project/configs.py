"""Finds and reads, never runs, the config file of a framework that applies to a spec."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.project.claims import claims
from traf.project.files import parse_json, read_bytes, resolved, shown
from traf.syntax import exported_value, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from traf.project.frameworks import Framework
    from traf.project.places import Place
    from traf.syntax import Context

_CONFIG_OPTIONS = ("-c", "--config")


@dataclass(frozen=True, slots=True)
class Config:
    """A framework's config file and what can be known of it.

    `settings` is None if that is nothing, because it is computed or, with `problem`, because the file cannot be read.
    `start_in` is the folder in which the framework is started with it.
    """

    path: Path
    start_in: Path
    settings: Mapping[object, object] | None
    problem: str | None = None


def config_for(framework: Framework, place: Place, context: Context) -> Config | None:
    """The config file that applies to a spec: the nearest that claims it, else one that may, else the nearest.

    The candidates are the config files in the folders above the spec, then those that package.json scripts name.
    """
    found = [_read(path, start_in, framework, place.root, context) for path, start_in in _candidates(framework, place)]
    for answer in (True, None):
        for config in found:
            if claims(framework.name, config.settings, config.path.parent, place.spec) is answer:
                return config
    return found[0] if found else None


def named_in(folder: Path, framework: Framework, place: Place) -> Path | None:
    """The config file of a framework in a folder; package.json itself if the config stands in it."""
    path = next((folder / name for name in framework.configs if (folder / name).is_file()), None)
    if path is not None or framework.package_key is None:
        return path
    package = next((package for package in place.packages if package.folder == folder), None)
    declared = package.data.get(framework.package_key) if package is not None else None
    if isinstance(declared, str):
        return _inside(folder, declared, place.root)
    return folder / "package.json" if isinstance(declared, dict) else None


def _candidates(framework: Framework, place: Place) -> Iterator[tuple[Path, Path]]:
    for folder in place.folders:
        path = named_in(folder, framework, place)
        if path is not None:
            yield path, folder
    for package in place.packages:
        for script in package.scripts:
            for name in _named_configs(script, framework):
                path = _inside(package.folder, name, place.root)
                if path is not None:
                    yield path, package.folder


def _named_configs(script: str, framework: Framework) -> Iterator[str]:
    """The config files that a script gives to the framework."""
    try:
        words = shlex.split(script)
    except ValueError:
        return
    if not framework.command or framework.command[0] not in words:
        return
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in _CONFIG_OPTIONS:
            yield from [value] if equals else words[at + 1 : at + 2]


def _inside(folder: Path, name: str, root: Path) -> Path | None:
    """The file that a name seen from a folder means, None if it is none or not the project's."""
    path = resolved(folder, name)
    return path if path is not None and path.is_file() and path.is_relative_to(root) else None


def _read(path: Path, start_in: Path, framework: Framework, root: Path, context: Context) -> Config:
    shown_path = shown(path.relative_to(root))
    content = read_bytes(path)
    if content is None:
        return Config(path, start_in, None, f"{shown_path} cannot be read as text: its times are not used")
    try:
        value: object
        if path.suffix == ".json":
            value = parse_json(content, comments=True)
            if path.name == "package.json" and isinstance(value, dict):
                value = value.get(framework.package_key)
        else:
            value = exported_value(parse(path.relative_to(root).as_posix(), content), context)
    except (BadInput, ValueError) as error:
        return Config(path, start_in, None, f"{shown_path} cannot be read ({error}): its times are not used")
    return Config(path, start_in, value if isinstance(value, dict) else None)
