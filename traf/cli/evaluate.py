"""`traf evaluate`: what traf proposes, judged on public fixes."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import click

from traf.cli.interrupts import interruptible
from traf.cli.output import emit
from traf.core.errors import BadInput
from traf.evaluation.manifest import read_manifest
from traf.evaluation.setups import setups
from traf.evaluation.static import run, sample_of
from traf.localization.suggest import RankerName
from traf.project import state_dir
from traf.report.evaluate_report import static_json, static_text


@click.group("evaluate")
def command() -> None:
    """Judge what traf proposes on real fixes."""


def _rankers(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[RankerName, ...]:
    names = list(dict.fromkeys(value.split(",")))
    unknown = [name for name in names if name not in set(RankerName)]
    if unknown:
        raise click.BadParameter(f"there is no ranker {unknown[0]!r}; there are {', '.join(RankerName)}")
    return tuple(map(RankerName, names))


@command.command("static")
@click.argument("manifest", type=click.Path(path_type=Path))
@click.option(
    "--mirrors",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The repositories, as DIR/OWNER+NAME/repo; git directories will do.",
)
@click.option(
    "--ranker",
    "rankers",
    default=",".join(RankerName),
    show_default=True,
    callback=_rankers,
    metavar="NAME,...",
    help="The rankers to compare.",
)
@click.option("--no-history", is_flag=True, help="Leave out what takes times from git history.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Judge N of the fixes, always the same ones.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes at a time.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the tables to FILE.")
def static(
    *,
    manifest: Path,
    mirrors: Path,
    rankers: tuple[RankerName, ...],
    no_history: bool,
    sample: int | None,
    jobs: int,
    form: str,
    output: Path | None,
) -> int:
    """For each fix of MANIFEST stand at its parent, rank, and compare with the time that the developers chose.

    A run that was stopped goes on where it was. Repositories that the shipped weights were learned from are judged with
    weights that were learned without them.

    Exit codes: 0 done, 2 bad input, 4 internal error, 128 + n after signal n.
    """
    fixes = sample_of(read_manifest(manifest), sample)
    if not mirrors.is_dir():
        raise BadInput(f"{mirrors} is no directory: give the one with the repositories", slug="no-mirrors")
    wanted = setups(rankers, history=not no_history)
    with interruptible():
        journal = state_dir(mirrors) / f"evaluate-{_digest(manifest)}.jsonl"
        outcomes = run(fixes, mirrors, wanted, journal, jobs, _progress)
        names = [setup.name for setup in wanted]
        emit((static_json if form == "json" else static_text)(outcomes, names), output)
    return 0


def _digest(manifest: Path) -> str:
    return hashlib.sha256(manifest.read_bytes()).hexdigest()[:12]


def _progress(done: int, total: int) -> None:
    end = "\r" if sys.stderr.isatty() and done < total else "\n"
    click.echo(f"traf: {done} of {total} fixes{end}", err=True, nl=False)
