"""What a command line names, read and understood before anything runs: project, spec, wait, times to try."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from traf.cli.targets import Target, parse_target
from traf.core.errors import BadInput
from traf.git import Repository, open_repository
from traf.localization.candidates import find_candidates
from traf.project import Project, context_for, find_project
from traf.repair.model import Plan, Policy
from traf.repair.repair import bounds
from traf.syntax import choose_site, fit_limit, parse
from traf.syntax.model import Context, WaitSite
from traf.syntax.source import Source


@dataclass(frozen=True, slots=True)
class Subject:
    """A spec in its project; `target` is the place in it that was named."""

    target: Target
    project: Project
    source: Source
    context: Context

    @property
    def path(self) -> Path:
        """The spec in the user's tree."""
        return self.project.root / self.project.spec

    @property
    def real_file(self) -> str:
        """The spec's own path in the project where it is reached through a link: git patches files, not links."""
        real, root = self.path.resolve(), self.project.root.resolve()
        return real.relative_to(root).as_posix() if real.is_relative_to(root) else self.project.spec

    def named_site(self) -> WaitSite | None:
        """The wait that the named line means, None without a line.

        Raises:
            BadInput: when the line means no wait, or several, or one that cannot be edited.
        """
        if self.target.line is None:
            return None
        return self.site_at(self.target.line, self.target.column)

    def site_at(self, line: int, column: int | None = None) -> WaitSite:
        """The wait that a line of the spec means; see `named_site`."""
        site = choose_site(self.source, self.context, line, column)
        if not site.editable:
            raise BadInput(f"{site.file}:{site.line}:{site.column}: {site.reason}", slug="not-editable")
        return site


def read_subject(spec: str, line: int | None) -> Subject:
    """The subject that SPEC[:LINE[:COLUMN]] and --line name.

    Raises:
        BadInput: no such file, no project, no framework that traf knows, a file that is no JavaScript.
    """
    target = parse_target(spec, line)
    project = find_project(target.path)
    try:
        data = (project.root / project.spec).read_bytes()
    except OSError as error:
        raise BadInput(f"{target.path} cannot be read: {error.strerror}", slug="unreadable") from error
    source = parse(project.spec, data)
    return Subject(target, project, source, context_for(project))


@contextmanager
def opened_repository(project: Project) -> Iterator[Repository | None]:
    """The repository that holds the project, None without one."""
    repository = open_repository(project.root)
    try:
        yield repository
    finally:
        if repository is not None:
            repository.close()


def make_plan(
    subject: Subject, site: WaitSite, repository: Repository | None, policy: Policy, *, history: bool
) -> Plan:
    """The times to try for a wait, best first."""
    limit_ms = fit_limit(subject.source, site, 0, subject.context).limit_ms
    above_ms, lower_ms = bounds(site, policy, limit_ms)
    candidates = find_candidates(
        subject.project.root,
        subject.project.spec,
        subject.source,
        site,
        subject.context,
        repository,
        history=history,
        above_ms=above_ms,
    )
    return Plan(None, site, candidates, above_ms, lower_ms)
