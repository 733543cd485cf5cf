"""`traf candidates`: the times to try for a wait, ranked, without running anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from traf.cli.interrupts import interruptible
from traf.cli.output import emit
from traf.cli.targets import Target, parse_target
from traf.core.errors import BadInput
from traf.git import Repository, open_objects, open_repository
from traf.localization.cache import Cache
from traf.localization.evidence import query_of
from traf.localization.ground import Ground, commit_ground, work_tree
from traf.localization.model import Rung
from traf.localization.suggest import Asked, RankerName, suggest
from traf.project import Survey, Surveyor, state_dir
from traf.project.commits import CommitSurveyor
from traf.report.candidates_report import Suggestions, candidates_json, candidates_text
from traf.report.printable import printable
from traf.syntax import choose_site
from traf.syntax.model import MsFrom, WaitSite


@click.command("candidates")
@click.argument("place", metavar="FILE:LINE[:COLUMN]")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The repository, which may be bare; FILE is then a path below its top.",
)
@click.option("--rev", metavar="COMMIT", help="Read this commit, from git objects.  [default: the working tree]")
@click.option("--no-history", is_flag=True, help="Take no times from git history.")
@click.option(
    "--ranker",
    type=click.Choice([name.value for name in RankerName]),
    default=RankerName.LEARNED.value,
    show_default=True,
    help="Learned weights; the TRaf paper's likeness of lines; or the directory's most frequent time.",
)
@click.option(
    "--scope",
    "scopes",
    type=click.Choice([rung.value for rung in Rung]),
    multiple=True,
    help="Take times from there; can be repeated.  [default: all of them]",
)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many times to show.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the list to FILE.")
def command(
    *,
    place: str,
    repo: Path | None,
    rev: str | None,
    no_history: bool,
    ranker: str,
    scopes: tuple[str, ...],
    limit: int,
    form: str,
    output: Path | None,
) -> int:
    """Rank the times to try for the wait at FILE:LINE, each with its source and what speaks for it.

    They come from the directory's tests, its git history, the rest of the suite, the project's configuration, and last from
    the usual steps up. Nothing is run or checked out.

    Exit codes: 0 done, 1 no time was found, 2 bad input, 4 internal error, 128 + n after signal n.
    """
    target = parse_target(place)
    if target.line is None:
        raise BadInput(f"{place}: give a line, as in {place}:12", slug="no-line")
    rungs = tuple(rung for rung in Rung if not scopes or rung in scopes)
    if no_history:
        rungs = tuple(rung for rung in rungs if rung is not Rung.HISTORY)
    with interruptible(), _ground(target, repo, rev) as (ground, survey_warnings):
        site = choose_site(ground.source, ground.context, target.line, target.column)
        asked = _ask(ground, site)
        found = suggest(asked, RankerName(ranker), rungs) if asked is not None else ()
        warnings = [*survey_warnings, *_remarks(ground, site, rungs)]
        result = Suggestions(
            site, asked.query if asked else None, ranker, rungs, found, limit, ground.head, tuple(warnings)
        )
        emit(candidates_json(result) if form == "json" else candidates_text(result), output)
        for warning in warnings:
            click.echo(f"traf: {printable(warning)}", err=True)
    return 0 if found else 1


@contextmanager
def _ground(target: Target, repo: Path | None, rev: str | None) -> Iterator[tuple[Ground, tuple[str, ...]]]:
    """Where the wait is looked for: a commit where one is named or there is no working tree."""
    if repo is None and rev is None:
        survey = Surveyor().survey(target.path)
        repository = open_repository(survey.root)
        try:
            yield _in_work_tree(survey, repository), survey.warnings
        finally:
            if repository is not None:
                repository.close()
        return
    with open_objects(repo or _folder_of(target.path)) as repository:
        file = _below(target.path, repository, by_repo=repo is not None)
        if rev is None and not repository.is_bare:
            survey = Surveyor().survey(repository.top / file)
            yield _in_work_tree(survey, repository), survey.warnings
            return
        commit = repository.commit(rev or "HEAD")
        surveyor = CommitSurveyor(repository.tree(commit))
        try:
            survey = surveyor.survey_file(file)
            cache = _cache(repository)
            yield commit_ground(repository, commit, survey.source, survey.context, cache), survey.warnings
            cache.close()
        finally:
            surveyor.close()


def _in_work_tree(survey: Survey, repository: Repository | None) -> Ground:
    if repository is None:
        return work_tree(survey.root, survey.source, survey.context, None)
    return work_tree(survey.root, survey.source, survey.context, repository, _cache(repository))


def _cache(repository: Repository) -> Cache:
    return Cache(state_dir(repository.top) / "localization.sqlite")


def _folder_of(path: Path) -> Path:
    """The nearest folder that is there: the file itself may be one of the past."""
    here = Path.cwd() / path
    return next(above for above in here.parents if above.is_dir())


def _below(path: Path, repository: Repository, *, by_repo: bool) -> str:
    """The file's path below the top of the repository."""
    if not path.is_absolute() and (by_repo or repository.is_bare):
        return path.as_posix().removeprefix("./")
    here = (Path.cwd() / path).resolve()
    if not here.is_relative_to(repository.top):
        raise BadInput(f"{path} does not lie in {repository.top}", slug="outside-repository")
    return here.relative_to(repository.top).as_posix()


def _ask(ground: Ground, site: WaitSite) -> Asked | None:
    """The question for a site; None for a wait that has no bound: no time is longer."""
    if site.ms_from is MsFrom.UNBOUNDED:
        return None
    current_ms = site.ms if site.level == 0 and site.action == "replace" else None
    above_ms = 0.0 if site.action == "insert" else site.ms or 0.0
    query = query_of(ground, site, current_ms, above_ms)
    return Asked(ground, query, (site.line, *([site.time_line] if site.time_line else [])))


def _remarks(ground: Ground, site: WaitSite, rungs: tuple[Rung, ...]) -> Iterator[str]:
    if site.ms_from is MsFrom.UNBOUNDED:
        yield f"{site.file}:{site.line} waits without a bound: no time is longer"
    if not site.editable and site.reason:
        yield f"{site.file}:{site.line}: {site.reason}"
    if Rung.HISTORY in rungs:
        if ground.repository is None:
            yield "there is no git repository around the file: no times from history"
        elif ground.head is None:
            yield "there is no commit yet: no times from history"
        elif ground.repository.is_shallow:
            yield "this is a shallow clone: times from before its first commit are not known"
        elif ground.repository.is_partial:
            yield "this is a partial clone: times from versions of files that it does not hold are not known"
