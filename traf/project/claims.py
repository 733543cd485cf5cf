"""Which settings of a config file a spec runs under, as far as that can be told without running them."""

from __future__ import annotations

import os
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from traf.project.globs import matches
from traf.syntax import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Settings = Mapping[object, object]

# https://playwright.dev/docs/api/class-testconfig#test-config-test-match
_PLAYWRIGHT_MATCH = ["**/*.@(spec|test).?(c|m)[jt]s?(x)"]
# https://jestjs.io/docs/configuration#testmatch-arraystring
_JEST_MATCH = ["**/__tests__/**/*.?(c|m)[jt]s?(x)", "**/?(*.)+(spec|test).?(c|m)[jt]s?(x)"]
# https://vitest.dev/config/#include
_VITEST_MATCH = ["**/*.{test,spec}.?(c|m)[jt]s?(x)"]
# https://docs.cypress.io/app/references/configuration#e2e
_CYPRESS_E2E = "cypress/e2e/**/*.cy.{js,jsx,ts,tsx}"
_CYPRESS_COMPONENT = "**/*.cy.{js,jsx,ts,tsx}"


@dataclass(frozen=True, eq=False)
class Scope:
    """The settings that some of the specs run under: those of one project of a config file, or of all of it.

    `folder` is that of the config file.
    """

    framework: str
    folder: Path
    settings: Settings

    def claims(self, spec: Path) -> bool | None:
        """Whether the settings claim a spec; None if that cannot be told."""
        rule = _RULES.get(self.framework)
        return rule(self.settings, self.folder, spec) if rule is not None else None


def scopes_of(framework: str, folder: Path, settings: Settings | None) -> tuple[Scope, ...]:
    """The scopes of the settings of a config file in `folder`, none if nothing is known of them."""
    if settings is None:
        return ()
    parts = _PARTS.get(framework, _projects)(settings)
    return tuple(Scope(framework, folder, part) for part in parts or [settings])


def claim(scopes: Iterable[Scope], spec: Path) -> bool | None:
    """Whether one of the scopes claims a spec; None if that cannot be told."""
    answers = {scope.claims(spec) for scope in scopes} or {None}
    return True if True in answers else None if None in answers else False


def scope_for(scopes: tuple[Scope, ...], spec: Path) -> Scope | None:
    """The scope that a run of the spec uses: the first that claims it, else one that may, else the first."""
    for answer in (True, None):
        for scope in scopes:
            if scope.claims(spec) is answer:
                return scope
    return scopes[0] if scopes else None


def setting(settings: Settings, path: str) -> object:
    """The value at a dotted path of keys; None where it is not set, `UNKNOWN` where that cannot be told."""
    value: object = settings
    for key in path.split("."):
        if not isinstance(value, dict):
            return UNKNOWN if value is UNKNOWN else None
        value = value.get(key, UNKNOWN if UNKNOWN in value else None)
    return value


def _projects(settings: Settings) -> list[Settings]:
    projects = setting(settings, "projects")
    own = [project for project in projects if isinstance(project, dict)] if isinstance(projects, list) else []
    return [_laid_over(settings, project) for project in own]


def _vitest_projects(settings: Settings) -> list[Settings]:
    """The projects of Vitest, which share the settings around them only where they say so."""
    projects = setting(settings, "test.projects") or setting(settings, "test.workspace")
    own = [project for project in projects if isinstance(project, dict)] if isinstance(projects, list) else []
    return [_laid_over(settings, project) if project.get("extends") is True else project for project in own]


def _testing_types(settings: Settings) -> list[Settings]:
    """The settings of Cypress for specs of pages and of components."""
    found = []
    for name, specs in (("e2e", _CYPRESS_E2E), ("component", _CYPRESS_COMPONENT)):
        own = settings.get(name)
        if isinstance(own, dict):
            found.append(_laid_over(settings, {"specPattern": specs, **own}))
    return found


def _laid_over(below: Settings, above: Settings) -> Settings:
    """The settings of a project, with the common ones where it has none of its own."""
    merged = dict(below)
    for key, value in above.items():
        common = merged.get(key)
        merged[key] = _laid_over(common, value) if isinstance(common, dict) and isinstance(value, dict) else value
    return merged


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
    roots = _strings(setting(settings, "roots")) or ["<rootDir>"]
    if not any(spec.is_relative_to(base_folder(root, base) or base) for root in roots):
        return False
    ignored = _strings(setting(settings, "testPathIgnorePatterns")) or []
    if any(_found(pattern.replace("<rootDir>", re.escape(base.as_posix())), spec.as_posix()) for pattern in ignored):
        return False
    regex = _strings(setting(settings, "testRegex"))
    if regex is None:
        return None
    if regex:
        found = [_found(pattern, spec.as_posix()) for pattern in regex]
        return True if True in found else None if None in found else False
    globs = _strings(setting(settings, "testMatch"))
    inside = [glob.replace("<rootDir>/", "") for glob in globs] if globs is not None else UNKNOWN
    return _any_match(inside, _JEST_MATCH, spec.relative_to(base).as_posix())


def _vitest(settings: Settings, folder: Path, spec: Path) -> bool | None:
    base = base_folder(setting(settings, "test.root") or setting(settings, "root"), folder)
    if base is None:
        return None
    if not spec.is_relative_to(base):
        return False
    return _any_match(setting(settings, "test.include"), _VITEST_MATCH, spec.relative_to(base).as_posix())


def _cypress(settings: Settings, folder: Path, spec: Path) -> bool | None:
    if not spec.is_relative_to(folder):
        return False
    pattern = setting(settings, "specPattern")
    return _any_match(pattern, [], spec.relative_to(folder).as_posix()) if pattern is not None else None


_RULES: Mapping[str, Callable[[Settings, Path, Path], bool | None]] = {
    "playwright": _playwright,
    "playwright component testing": _playwright,
    "jest": _jest,
    "vitest": _vitest,
    "cypress": _cypress,
}
_PARTS: Mapping[str, Callable[[Settings], list[Settings]]] = {"vitest": _vitest_projects, "cypress": _testing_types}


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
