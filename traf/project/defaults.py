"""The times that a project sets for all of its tests in config files and in files run before each spec."""

from __future__ import annotations

import math
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from traf.project.claims import setting
from traf.syntax import UNKNOWN, config_rows, configured_times, duration_ms, exported_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from traf.project.claims import Scope
    from traf.project.frameworks import Framework
    from traf.syntax import ConfigRow, Context, Source


def configured_defaults(framework: Framework, scope: Scope) -> dict[str, float]:
    """The times in ms that the settings of a framework's config file set, by the key of the default that each replaces.

    Of several settings that replace the same default, the one that the tables name first counts. A time that cannot be told
    without running the config is nan.
    """
    rows = _rows(framework)
    return _borrowed(framework, rows) | _times(rows, scope.settings)


def times_set_by(sources: Iterable[Source], context: Context) -> dict[str, float]:
    """The default times in ms that files set when they are run, or export as settings, one after the other."""
    found: dict[str, float] = {}
    for source in sources:
        found.update(configured_times(source, context))
        rows = [row for row in config_rows(PurePosixPath(source.file).name) if row.sets is not None]
        settings = exported_value(source, context) if rows else None
        found.update(_times(rows, settings) if isinstance(settings, dict) else {})
    return found


def is_own(framework: Framework, key: str) -> bool:
    """Whether a default is the framework's own, not that of one whose tests it runs."""
    return key.startswith(f"{framework.name.partition(' ')[0]}.")


def _borrowed(framework: Framework, rows: Iterable[ConfigRow]) -> dict[str, float]:
    """The defaults that a framework has for the tests of another one, which it runs."""
    return {
        row.sets: row.default
        for row in rows
        if row.sets is not None and row.default is not None and not is_own(framework, row.sets)
    }


def _times(rows: Iterable[ConfigRow], settings: Mapping[object, object]) -> dict[str, float]:
    found: dict[str, float] = {}
    for row in rows:
        value = setting(settings, row.key)
        computed = value is UNKNOWN and _is_written(settings, row.key)
        time_ms = math.nan if computed else _milliseconds(value, 1000 if row.unit == "s" else 1)
        if row.sets is not None and time_ms is not None:
            found.setdefault(row.sets, time_ms)
    return found


def _is_written(settings: Mapping[object, object], path: str) -> bool:
    """Whether settings have a dotted path of keys, and not merely may have it."""
    *outer, last = path.split(".")
    value: object = settings
    for key in outer:
        value = value.get(key) if isinstance(value, dict) else None
    return isinstance(value, dict) and last in value


@cache
def _rows(framework: Framework) -> tuple[ConfigRow, ...]:
    """What the tables say of a framework's config file, however that is named."""
    return tuple(config_rows(framework.configs[0])) if framework.configs else ()


def _milliseconds(value: object, factor: float = 1) -> float | None:
    if value is False:  # no limit
        return 0
    if isinstance(value, str) and not value.isdecimal():
        return duration_ms(value, factor)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value * factor if 0 <= value < math.inf else None
