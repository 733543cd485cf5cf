"""`traf repair`: from a flaky line to a patch worth reviewing."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from traf.cli.interrupts import interruptible
from traf.cli.output import apply_patch, check_output, emit
from traf.cli.run_repair import Options, plan_only, run_repair
from traf.cli.subject import read_subject
from traf.core.attempts import Level
from traf.core.errors import BadInput, CannotRun
from traf.project import runs_dir
from traf.repair.model import Mode, Policy, RepairOutcome, RepairResult, Settings
from traf.report.json_report import repair_json
from traf.report.printable import printable
from traf.report.text_report import repair_text
from traf.rerun.records import sweep

_EXIT_CODES = {None: 0, RepairOutcome.REPAIRED: 0}
_NOTHING_TO_HAND_OVER = 1


def _jobs(_context: click.Context, _parameter: click.Parameter, value: str) -> int | None:
    if value == "auto":
        return None
    if not value.isascii() or not value.isdecimal() or int(value) < 1:
        raise click.BadParameter(f"{value!r} is neither a number from 1 on nor `auto`")
    return int(value)


@click.command("repair")
@click.argument("spec", metavar="SPEC[:LINE[:COLUMN]]")
@click.option("--line", type=click.IntRange(min=1), metavar="N", help="The line of the wait, or of what fails.")
@click.option("--test", "title", metavar="TITLE", help="The test to run, where the line does not say it.")
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.STATIC.value,
    show_default=True,
    help="Take the first time found that holds; or search a shorter one, once; or until the threshold.",
)
@click.option(
    "--policy",
    type=click.Choice([policy.value for policy in Policy]),
    default=Policy.SAFE.value,
    show_default=True,
    help="Tune fixed sleeps only and never lower a bound; or tune everything, as the TRaf paper does.",
)
@click.option("--runs", type=click.IntRange(min=1), default=100, show_default=True, help="Runs for each time tried.")
@click.option(
    "--threshold-ms",
    type=click.FloatRange(min=1),
    default=5,
    show_default=True,
    help="How near `full` comes to the shortest time that holds.",
)
@click.option(
    "--isolation",
    type=click.Choice([level.value for level in Level]),
    help="Keep attempts apart: within the file, in a warm worker, or in a process each.  [default: as fast as agrees]",
)
@click.option(
    "--jobs",
    default="1",
    show_default=True,
    callback=_jobs,
    metavar="N|auto",
    help="Attempts at a time; `auto` measures whether two disturb each other.",
)
@click.option(
    "--attempt-timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="End an attempt after S seconds.  [default: from the attempts seen]",
)
@click.option("--no-history", is_flag=True, help="Take times from the working tree only, not from git history.")
@click.option("--assume-flaky", is_flag=True, help="Skip the runs of the untouched test.")
@click.option("--resume", is_flag=True, help="Go on with an interrupted repair; its attempts are not made again.")
@click.option("--dry-run", is_flag=True, help="Show the wait and the times found; run nothing.")
@click.option("--format", "form", type=click.Choice(["text", "json", "diff"]), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the report to FILE.")
@click.option("--apply", is_flag=True, help="Write the repair into the spec.")
def command(
    *, spec: str, line: int | None, form: str, output: Path | None, apply: bool, dry_run: bool, **options: Any
) -> int:
    """Repair the flaky wait at SPEC:LINE by rerunning its test with likely times.

    Times come from similar lines of the same directory and from git history. Each is tried in a copy of the project; the
    repair is a patch with the runs that support it. Without a line, the test is run until it fails, and the wait is taken
    from the failure.

    Exit codes: 0 repaired, 1 nothing to hand over (the report says why), 2 bad input, 3 the tests cannot be run here,
    4 internal error, 128 + n after signal n.
    """
    for name in ("threshold_ms", "attempt_timeout"):
        if options[name] is not None and not math.isfinite(options[name]):
            raise BadInput(f"--{name.replace('_', '-')} {options[name]}: give a finite number", slug="not-finite")
    settings = Settings(
        Mode(options["mode"]),
        Policy(options["policy"]),
        options["runs"],
        options["threshold_ms"],
        options["assume_flaky"],
    )
    how = Options(
        options["title"],
        not options["no_history"],
        options["jobs"],
        options["attempt_timeout"],
        Level(options["isolation"]) if options["isolation"] else None,
        options["resume"],
    )
    started = time.monotonic()
    with interruptible():
        sweep(runs_dir())
        subject = read_subject(spec, line)
        if output is not None:
            check_output(output, subject.path)
        try:
            result = plan_only(subject, settings, how) if dry_run else run_repair(subject, settings, how)
        except CannotRun as error:
            if form == "json":
                emit(repair_json(_cannot_run(error, settings)), output)
            raise
        result = replace(result, wall_s=time.monotonic() - started)
        _print(result, form, output)
        if apply and result.repair is not None:
            apply_patch(subject.path, subject.source.data, result.repair.patch.data)
            click.echo(f"traf: {printable(subject.source.file)} now waits {result.repair.patch.ms:g} ms", err=True)
    return _EXIT_CODES.get(result.outcome, _NOTHING_TO_HAND_OVER)


def _print(result: RepairResult, form: str, output: Path | None) -> None:
    if form == "json":
        emit(repair_json(result), output)
    elif form == "text":
        emit(repair_text(result), output)
    else:
        emit(result.repair.patch.diff if result.repair else "", output)
        for remark in [*([] if result.repair else [result.reason]), *result.warnings]:
            click.echo(f"traf: {printable(remark)}", err=True)


def _cannot_run(error: CannotRun, settings: Settings) -> RepairResult:
    return RepairResult(RepairOutcome.CANNOT_RUN, str(error), None, None, settings)
