"""How a spec is run: its framework, the config file that applies, and the times configured there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.project.claims import scope_for
from traf.project.configs import Config, config_for
from traf.project.defaults import configured_defaults, times_set_by
from traf.project.detection import detect, voices_around
from traf.project.files import shown
from traf.project.frameworks import FRAMEWORKS, RUNNABLE, Framework
from traf.project.modules import load_module, read_source
from traf.project.support import setup_files
from traf.syntax import Context

if TYPE_CHECKING:
    from collections.abc import Mapping

    from traf.project.places import Place

_KNOWN = ", ".join(RUNNABLE)


@dataclass(frozen=True, slots=True)
class Setup:
    """The name of the framework, its config if there is one, and the configured times in ms by default."""

    framework: str
    config: Config | None
    defaults: Mapping[str, float] = field(default_factory=dict)


def read_setup(place: Place, name: str | None) -> Setup:
    """Read how the spec at `place` is run; `name` is the framework if the user gave one.

    Raises:
        BadInput: the spec is no source file, or its framework is one that traf cannot run or tell.
    """
    load = load_module(place.root)
    if name is not None:
        framework = next((framework for framework in FRAMEWORKS if framework.name == name), None)
    else:
        framework = detect(read_source(place), voices_around(place.around), load)
    if framework is None or not framework.runnable:
        raise BadInput(_why_not(shown(place.file), name, framework), slug="unknown-framework")
    context = Context(framework=framework.name, load_module=load)
    config = config_for(framework, place, context)
    if config is None:
        return Setup(framework.name, None)
    return Setup(framework.name, config, _defaults(framework, config, place, context))


def _defaults(framework: Framework, config: Config, place: Place, context: Context) -> dict[str, float]:
    """The times in force by default, those that setup files set after those of the config."""
    scope = scope_for(config.scopes, place.spec)
    if scope is None:
        return {}
    run_before = setup_files(framework, config, scope, config.start_in, place.root, context)
    return configured_defaults(framework, scope) | times_set_by(run_before, context)


def _why_not(spec: str, name: str | None, framework: Framework | None) -> str:
    known = f"which traf cannot run yet; it knows {_KNOWN}"
    if framework is not None:
        return f"{spec} uses {framework.name}, {known}"
    if name is not None:
        return f"{shown(name)} is a test framework {known}"
    return f"{spec}: no import, config file, dependency or script tells its test framework; traf knows {_KNOWN}"
