"""Finds the project of a spec that is to be run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from traf.git import open_repository
from traf.project.model import Project
from traf.project.modules import load_module
from traf.project.places import Place, locate
from traf.project.setup import read_setup
from traf.syntax import Context

if TYPE_CHECKING:
    from pathlib import Path


def find_project(spec: Path, framework: str | None = None) -> Project:
    """Find the project that a spec belongs to and read, never run, what it says about the spec.

    `spec` may be relative to the working directory; `framework` is taken as given instead of being told from the spec.

    Raises:
        BadInput: no such file, a folder, outside any project, a broken package.json, a file that is no source, or a framework
            that traf cannot run or tell.
    """
    place = locate(spec)
    setup = read_setup(place, framework)
    has_git, warnings = _git_state(place)
    config = setup.config
    if config is not None and config.problem is not None:
        warnings += (config.problem,)
    return Project(
        root=place.root,
        package_dir=config.start_in if config is not None else place.packages[0].folder,
        spec=place.file,
        framework=setup.framework,
        config_file=config.path if config is not None else None,
        has_git=has_git,
        defaults=setup.defaults,
        warnings=warnings,
    )


def context_for(project: Project) -> Context:
    """What the syntax room must know about a project to read its specs."""
    return Context(project.framework, project.defaults, load_module(project.root))


def _git_state(place: Place) -> tuple[bool, tuple[str, ...]]:
    """Whether git reads the project, and what a user should know about that."""
    repository = open_repository(place.root) if place.around.in_git else None
    if repository is None:
        return False, ("no git repository: history is not used",)
    with repository:
        remarks = (
            (repository.head is None, "no commit yet: history is not used"),
            (repository.is_shallow, "shallow clone: only the history that was fetched is used"),
            (repository.is_detached, "detached HEAD: the history of the commit that is checked out is used"),
        )
    return True, tuple(text for applies, text in remarks if applies)
