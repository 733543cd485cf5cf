"""The times that a project's config and setup files set for the whole project."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from traf.project.claims import base_folder, project_of, setting
from traf.syntax import configured_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from traf.project.configs import Config
    from traf.project.places import Place
    from traf.syntax import Context

    Settings = Mapping[object, object]

_TIMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "playwright": {
        "playwright.timeout": ("timeout",),
        "playwright.expect.timeout": ("expect", "timeout"),
        "playwright.expect.toPass.timeout": ("expect", "toPass", "timeout"),
        "playwright.use.actionTimeout": ("use", "actionTimeout"),
        "playwright.use.navigationTimeout": ("use", "navigationTimeout"),
    },
    "jest": {"jest.testTimeout": ("testTimeout",)},
}
"""Which setting of which framework gives which default."""

_SETUP_FILES: Mapping[str, tuple[str, ...]] = {"jest": ("setupFiles", "setupFilesAfterEnv")}
"""The settings that name files run before each spec, in their order: what these set is in force."""


def configured_defaults(framework: str, config: Config, place: Place, context: Context) -> dict[str, float]:
    """The configured times in ms that a run of the spec is under, by the key of the default that each replaces.

    A time that cannot be told without running the config has no entry.
    """
    if config.settings is None:
        return {}
    folder = config.path.parent
    settings = project_of(framework, config.settings, folder, place.spec)
    found: dict[str, float] = {}
    for key, path in _TIMES[framework].items():
        time_ms = setting(settings, *path)
        if isinstance(time_ms, int | float) and not isinstance(time_ms, bool) and 0 <= time_ms < math.inf:
            found[key] = time_ms
    for module in _setup_files(framework, settings, folder, place.root):
        source = context.load_module(*module)
        if source is not None:
            found.update(configured_times(source, context))
    return found


def _setup_files(framework: str, settings: Settings, folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    """The setup files as modules for `load_module`: a file in the folder they are relative to, and a specifier."""
    base = base_folder(setting(settings, "rootDir"), folder)
    if base is None or not base.is_relative_to(root):
        return
    beside = (base / "package.json").relative_to(root).as_posix()
    for key in _SETUP_FILES.get(framework, ()):
        names = setting(settings, key)
        for name in names if isinstance(names, list) else [names]:
            if isinstance(name, str):
                yield beside, name.replace("<rootDir>", ".", 1) if name.startswith("<rootDir>") else name
