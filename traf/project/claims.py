"""Whether a framework's settings claim a spec, as far as that can be told without running them."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from traf.project.globs import matches
from traf.syntax import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Settings = Mapping[object, object]

# https://playwright.dev/docs/api/class-testconfig#test-config-test-match
_PLAYWRIGHT_MATCH = ["**/*.@(spec|test).?(c|m)[jt]s?(x)"]
# https://jestjs.io/docs/configuration#testmatch-arraystring
_JEST_MATCH = ["**/__tests__/**/*.?(c|m)[jt]s?(x)", "**/?(*.)+(spec|test).?(c|m)[jt]s?(x)"]


def claims(framework: str, settings: Settings | None, folder: Path, spec: Path) -> bool | None:
    """Whether the settings of a config file in `folder` claim a spec; None if that cannot be told.

    Of settings with projects, one project's claim is enough.
    """
    rule = _RULES.get(framework)
    if settings is None or rule is None:
        return None
    return _best([rule(scope, folder, spec) for scope in _scopes(settings)])


def project_of(framework: str, settings: Settings, folder: Path, spec: Path) -> Settings:
    """The part of the settings that a run of the spec uses: the first project that claims it, with the rest behind it."""
    scopes = _scopes(settings)
    rule = _RULES[framework]
    for answer in (True, None):
        for scope in scopes:
            if rule(scope, folder, spec) is answer:
                return scope
    return scopes[0]


def setting(settings: Settings, *path: str) -> object:
    """The value at a path of keys; None where it is not set, `UNKNOWN` where that cannot be told."""
    value: object = settings
    for key in path:
        if not isinstance(value, dict):
            return UNKNOWN if value is UNKNOWN else None
        value = value.get(key, UNKNOWN if UNKNOWN in value else None)
    return value


def _scopes(settings: Settings) -> list[Settings]:
    projects = settings.get("projects")
    own = [project for project in projects if isinstance(project, dict)] if isinstance(projects, list) else []
    return [_laid_over(settings, project) for project in own] or [settings]


def _laid_over(below: Settings, above: Settings) -> Settings:
    """The settings of a project, with the common ones where it has none of its own."""
    merged = dict(below)
    for key, value in above.items():
        common = merged.get(key)
        merged[key] = _laid_over(common, value) if isinstance(common, dict) and isinstance(value, dict) else value
    return merged


def _best(answers: list[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False


def _playwright(settings: Settings, folder: Path, spec: Path) -> bool | None:
    base = base_folder(setting(settings, "testDir"), folder)
    if base is None:
        return None
    if not spec.is_relative_to(base):
        return False
    return _any_match(setting(settings, "testMatch"), _PLAYWRIGHT_MATCH, spec.relative_to(base).as_posix())


def _jest(settings: Settings, folder: Path, spec: Path) -> bool | None:
    base = base_folder(setting(settings, "rootDir"), folder)
    if base is None:
        return None
    if not spec.is_relative_to(base):
        return False
    regex = _strings(setting(settings, "testRegex"))
    if regex is None:
        return None
    if regex:
        return _best([_found(pattern, spec.as_posix()) for pattern in regex])
    globs = _strings(setting(settings, "testMatch"))
    inside = [glob.replace("<rootDir>/", "") for glob in globs] if globs is not None else UNKNOWN
    return _any_match(inside, _JEST_MATCH, spec.relative_to(base).as_posix())


_RULES: Mapping[str, Callable[[Settings, Path, Path], bool | None]] = {"playwright": _playwright, "jest": _jest}


def base_folder(value: object, folder: Path) -> Path | None:
    """The folder that a `rootDir` or `testDir` of a config file in `folder` names; None if that is not known."""
    if value is None:
        return folder
    return Path(os.path.normpath(folder / value.replace("<rootDir>", "."))) if isinstance(value, str) else None


def _strings(value: object) -> list[str] | None:
    """A setting that is a string or a list of them; None if it is not known."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    strings = [each for each in values if isinstance(each, str)]
    return strings if len(strings) == len(values) else None


def _any_match(value: object, default: list[str], path: str) -> bool | None:
    globs = _strings(value)
    return None if globs is None else any(matches(glob, path) for glob in globs or default)


def _found(pattern: str, path: str) -> bool | None:
    """Whether a JavaScript regular expression is found in a path; None for syntax that Python does not share."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a later Python may read otherwise
        try:
            return re.search(pattern, path) is not None
        except (re.error, OverflowError, RecursionError):
            return None
