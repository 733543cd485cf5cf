"""Stands at the parent of a fix: reads the project as its developers had it before, and nothing of what came after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from traf.core.errors import BadInput
from traf.evaluation.manifest import Fix
from traf.git import Repository, open_objects
from traf.localization.cache import Cache
from traf.localization.documents import line_text
from traf.localization.evidence import query_of
from traf.localization.ground import Ground, commit_ground
from traf.localization.lines import waits_of_line
from traf.localization.model import Query
from traf.localization.paper import around
from traf.localization.suggest import Asked
from traf.project import state_dir
from traf.project.commits import CommitSurveyor
from traf.syntax import Context, Source, WaitKind, WaitSite, choose_site


class Mirror:
    """A repository of the mirrors, with what is remembered about it."""

    def __init__(self, mirrors: Path, repo: str) -> None:
        place = mirrors / repo.replace("/", "+") / "repo"
        if not place.is_dir():
            raise BadInput(f"{repo} is not among the mirrors ({place})", slug="no-mirror")
        self.repository: Repository = open_objects(place)
        self._cache = Cache(state_dir(place) / "localization.sqlite")

    def close(self) -> None:
        """End git and the cache."""
        self.repository.close()
        self._cache.close()

    @contextmanager
    def standing(self, fix: Fix) -> Iterator[Asked]:
        """Stand at the parent of a fix.

        Raises:
            BadInput: the commit or the file is not in the mirror, or the file is no source.
        """
        parent = self.repository.commit(fix.parent)
        surveyor = CommitSurveyor(self.repository.tree(parent))
        try:
            survey = surveyor.survey_file(fix.path)
            ground = commit_ground(self.repository, parent, survey.source, survey.context, self._cache)
            yield _asked(fix, ground, survey.source, survey.context)
        finally:
            surveyor.close()


def _asked(fix: Fix, ground: Ground, source: Source, context: Context) -> Asked:
    try:
        site: WaitSite | None = choose_site(source, context, fix.line)
    except BadInput:
        site = None
    if site is None or (site.kind is WaitKind.NONE and fix.before_ms is not None):
        query = _unread(fix, source)
    else:
        query = query_of(ground, site, fix.before_ms, fix.above_ms)
    time_line = site.time_line if site is not None else None
    return Asked(ground, query, tuple(dict.fromkeys([query.line, *([time_line] if time_line else []), fix.line])))


def _unread(fix: Fix, source: Source) -> Query:
    """The query of a line that is no wait for the parser: what its words say."""
    said = waits_of_line(line_text(source, fix.line))
    wait = next((wait for wait in said if wait.ms == fix.before_ms), None)
    kind, name = (wait.kind, wait.name) if wait is not None else (WaitKind.NONE, "")
    return Query(fix.path, fix.line, around(source, fix.line), kind, name, fix.before_ms, None, fix.above_ms)
