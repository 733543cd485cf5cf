"""Carries a repair out: opens the engine, finds the test, and hands plan and runs to the repair room."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace

import click

from traf.cli.interrupts import raise_if_interrupted
from traf.cli.progress import Progress, make_progress
from traf.cli.subject import Subject, make_plan, opened_repository
from traf.cli.targets import choose_test
from traf.core.attempts import Level, Series, TestId
from traf.core.errors import BadInput
from traf.core.verdict import Status, judge
from traf.git import Repository
from traf.project import runs_dir, state_dir
from traf.repair import reasons
from traf.repair.baseline import LEAST_RUNS, Run, observe
from traf.repair.model import Patch, RepairOutcome, RepairResult, Settings
from traf.repair.repair import repair
from traf.repair.strategy import Patcher
from traf.rerun.engine import Engine, Until, open_engine
from traf.rerun.journal import Journal
from traf.rerun.runner import Runner


@dataclass(frozen=True, slots=True)
class Options:
    """How the runs are made.

    `title` is the test where the line does not say it, `jobs` how many attempts are made at a time (None: measured), `level`
    how far they are kept apart (None: as fast as the verdict allows); `resume`: an interrupted repair goes on.
    """

    title: str | None = None
    history: bool = True
    jobs: int | None = 1
    attempt_limit_s: float | None = None
    level: Level | None = None
    resume: bool = False


def plan_only(subject: Subject, settings: Settings, options: Options) -> RepairResult:
    """The wait and the times found, without running anything.

    Raises:
        BadInput: without a line, or when it means no wait.
    """
    site = subject.named_site()
    if site is None:
        raise BadInput(f"{subject.source.file}: a dry run needs the line of the wait, SPEC:LINE", slug="line-needed")
    with opened_repository(subject.project) as repository:
        plan = make_plan(subject, site, repository, settings.policy, history=options.history)
    reason = f"{len(plan.candidates)} times above {plan.above_ms:g} ms found; no test was run"
    result = RepairResult(None, reason, None, site, settings, candidates=plan.candidates, warnings=site.warnings)
    return _completed(result, subject)


def run_repair(subject: Subject, settings: Settings, options: Options) -> RepairResult:
    """Run the test and repair its wait.

    Raises:
        BadInput: when the line or the title means no test, or no wait.
        CannotRun: when the tests of this project cannot be run here.
        InternalError: when the shim breaks its promises.
    """
    site = subject.named_site()
    with ExitStack() as stack:
        repository = stack.enter_context(opened_repository(subject.project))
        history = options.history
        plan = None if site is None else make_plan(subject, site, repository, settings.policy, history=history)
        engine, remarks = stack.enter_context(_engine(subject, repository, options))
        progress = make_progress()
        stack.callback(progress.close)
        test, remark = choose_test(engine.tests(), subject.source, subject.target.line, options.title)
        journal = _journal(subject, test, settings, options)
        stack.callback(journal.close)
        execute = journal.recording(engine.run)
        runner = Runner(execute, test, level=options.level, jobs=options.jobs, on_attempt=progress.attempt)
        run = _running(runner)
        seen = None
        if plan is None:
            seen = _until_it_fails(run, settings.runs, progress)
            line = _failing_line(seen, subject)
            if line is None:
                result = _without_site(test, seen, settings)
                return _completed(result, subject, remarks, engine, runner)
            plan = make_plan(subject, subject.site_at(line), repository, settings.policy, history=history)
        patcher = Patcher(subject.source, plan.site, subject.context, subject.real_file)
        result = repair(replace(plan, test=test), settings, patcher, run, progress, seen)
        return _completed(result, subject, (*remarks, *([remark] if remark else [])), engine, runner)


@contextmanager
def _engine(
    subject: Subject, repository: Repository | None, options: Options
) -> Iterator[tuple[Engine, tuple[str, ...]]]:
    files = None if repository is None else repository.listed_files()
    state = state_dir(subject.project.root)
    with open_engine(subject.project, files, state, runs_dir(), attempt_limit_s=options.attempt_limit_s) as opened:
        yield opened


def _running(runner: Runner) -> Run:
    def run(patch: Patch | None, runs: int, until: Until | None, *, confirming: bool = False) -> Series:
        raise_if_interrupted()
        if patch is None:
            return runner.observe(runs) if until is None else runner.run(runs, until=until)
        files = {patch.path: patch.data}
        go = runner.confirm if confirming else runner.run
        return go(runs, files=files, until=until, allowed_ms=patch.allowed_ms)

    return run


def _journal(subject: Subject, test: TestId, settings: Settings, options: Options) -> Journal:
    """The journal of this repair: of this test, at this place, of the spec as it is, asked for in the same way."""
    about = {
        "file": subject.source.file,
        "spec": hashlib.sha256(subject.source.data).hexdigest(),
        "place": [subject.target.line, subject.target.column],
        "title": list(test.title),
        "variant": test.variant,
        "settings": {**asdict(settings), "history": options.history, "level": options.level, "jobs": options.jobs},
    }
    name = hashlib.sha256(
        json.dumps([about["file"], about["place"], about["title"], test.variant]).encode()
    ).hexdigest()
    path = state_dir(subject.project.root) / "journals" / f"{name[:16]}.ndjson"
    journal = Journal(path, about, resume=options.resume)
    if options.resume:
        again = f"{journal.known} attempts are taken from the interrupted repair"
        click.echo(
            f"traf: {again if journal.known else 'there is nothing to resume: the repair begins anew'}", err=True
        )
    return journal


def _until_it_fails(run: Run, runs: int, progress: Progress) -> Series:
    progress.batch("untouched", max(runs, LEAST_RUNS))
    seen = observe(run, runs)
    progress.batch_done(seen)
    return seen


def _failing_line(seen: Series, subject: Subject) -> int | None:
    """The line of the innermost frame in the spec of the last failure; None when the test did not fail or failed always.

    Raises:
        BadInput: when the failures have no frame in the spec.
    """
    if judge(seen).status is not Status.FLAKY:
        return None
    for attempt in reversed(seen.attempts):
        frames = attempt.error.frames if attempt.error is not None else ()
        for frame in frames:
            if frame.file == subject.source.file:
                return frame.line
    message = f"{subject.source.file}: the failure shows no line of the spec; give the line of the wait, SPEC:LINE"
    raise BadInput(message + reasons.last_message(seen), slug="no-frame")


def _without_site(test: TestId, seen: Series, settings: Settings) -> RepairResult:
    verdict = judge(seen)
    if verdict.status is Status.PASSING:
        outcome, reason = RepairOutcome.NOT_FLAKY, reasons.never_failed(verdict)
    else:
        outcome, reason = RepairOutcome.BROKEN, reasons.always_failed(seen)
    fresh_runs = sum(a.level is Level.PROCESS for a in seen.attempts)
    return RepairResult(
        outcome, reason, test, None, settings, before=verdict, total_runs=seen.runs, fresh_runs=fresh_runs
    )


def _completed(
    result: RepairResult,
    subject: Subject,
    remarks: tuple[str, ...] = (),
    engine: Engine | None = None,
    runner: Runner | None = None,
) -> RepairResult:
    version = f", {subject.project.framework} {engine.framework_version}" if engine and engine.framework_version else ""
    said = [*(runner.remarks if runner else ()), *(engine.notes if engine else ())]
    return replace(
        result,
        jobs=runner.jobs if runner else 1,
        level=runner.level if runner and result.total_runs else None,
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{version}",
        warnings=(*subject.project.warnings, *remarks, *result.warnings, *said),
    )
