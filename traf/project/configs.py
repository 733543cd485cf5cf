"""Finds and reads, never runs, the config file of a framework that applies to a spec."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.project.claims import Scope, claim, scopes_of
from traf.project.files import parse_json, read_bytes, resolved, shown
from traf.project.scripts import named_configs, options_file
from traf.project.yaml import flat_yaml
from traf.syntax import exported_value, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from traf.project.frameworks import Framework
    from traf.project.places import Place, Surroundings
    from traf.syntax import Context

_YAML_ENDINGS = (".yaml", ".yml")
_JSON_ENDINGS = (".json", ".jsonc", "")


@dataclass(frozen=True, eq=False)
class Config:
    """A framework's config file and what can be known of it.

    `settings` is None if that is nothing, because it is computed or, with `problem`, because the file cannot be read.
    `start_in` is the folder in which the framework is started with it.
    """

    path: Path
    start_in: Path
    framework: str
    settings: Mapping[object, object] | None
    problem: str | None = None

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """The parts of the settings that different specs run under."""
        return scopes_of(self.framework, self.path.parent, self.settings)


def config_for(framework: Framework, place: Place, context: Context) -> Config | None:
    """The config file that applies to a spec: the nearest that claims it, else one that may, else the nearest.

    The candidates are the config files in the folders above the spec, then those that package.json scripts name.
    """
    found = [
        read_config(path, start_in, framework, place.root, context)
        for path, start_in in candidates(framework, place.around)
    ]
    return applicable(found, place.spec)


def applicable(configs: Sequence[Config], spec: Path) -> Config | None:
    """Of the config files of a framework around a spec, nearest first, the one that applies to it."""
    for answer in (True, None):
        for config in configs:
            if claim(config.scopes, spec) is answer:
                return config
    return configs[0] if configs else None


def named_in(folder: Path, framework: Framework, around: Surroundings) -> Path | None:
    """The config file of a framework in a folder; package.json itself if the config stands in it."""
    path = _first(folder, framework.configs, around)
    if path is not None or framework.package_key is None:
        return path
    package = next((package for package in around.packages if package.folder == folder), None)
    declared = package.data.get(framework.package_key) if package is not None else None
    if isinstance(declared, str):
        return _inside(folder, declared, around.root)
    return folder / "package.json" if isinstance(declared, dict) else None


def candidates(framework: Framework, around: Surroundings) -> Iterator[tuple[Path, Path]]:
    """The config files that may apply to the specs of a folder, each with the folder in which it is started."""
    for folder in around.folders:
        path = named_in(folder, framework, around) or _first(folder, framework.shared_configs, around)
        if path is not None:
            yield path, folder
    for package in around.packages:
        for script in package.scripts.values():
            for name in named_configs(framework, script):
                path = _inside(package.folder, name, around.root)
                if path is not None:
                    yield path, package.folder


def _first(folder: Path, names: Iterable[str], around: Surroundings) -> Path | None:
    return next(filter(None, (around.file(folder, name) for name in names)), None)


def _inside(folder: Path, name: str, root: Path) -> Path | None:
    """The file that a name seen from a folder means, None if it is none or not the project's."""
    path = resolved(folder, name)
    return path if path is not None and path.is_file() and path.is_relative_to(root) else None


def read_config(path: Path, start_in: Path, framework: Framework, root: Path, context: Context) -> Config:
    """What can be known of a framework's config file below `root` without running it."""
    shown_path = shown(path.relative_to(root))
    content = read_bytes(path)
    if content is None:
        problem = f"{shown_path} cannot be read as text: its times are not used"
        return Config(path, start_in, framework.name, None, problem)
    try:
        value: object
        if path.suffix in _YAML_ENDINGS:
            value = flat_yaml(content)
        elif path.suffix == ".opts":
            value = options_file(content)
        elif path.suffix in _JSON_ENDINGS:
            value = parse_json(content, comments=True)
            if path.name == "package.json" and isinstance(value, dict):
                value = value.get(framework.package_key)
        else:
            value = exported_value(parse(path.relative_to(root).as_posix(), content), context)
    except (BadInput, ValueError) as error:
        problem = f"{shown_path} cannot be read ({error}): its times are not used"
        return Config(path, start_in, framework.name, None, problem)
    return Config(path, start_in, framework.name, value if isinstance(value, dict) else None)
