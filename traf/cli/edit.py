"""`traf edit`: one wait gets another time, without running anything."""

from __future__ import annotations

import click

from traf.cli.interrupts import interruptible
from traf.cli.output import apply_patch, emit
from traf.cli.targets import parse_target
from traf.core.errors import BadInput
from traf.project import Surveyor
from traf.report.edit_report import edit_json
from traf.report.printable import number, printable
from traf.syntax import apply_edits, choose_site, edits_for, fit_limit, unified_diff
from traf.syntax.model import Context, WaitSite
from traf.syntax.source import Source


@click.command("edit")
@click.argument("place", metavar="FILE:LINE[:COLUMN]")
@click.option("--ms", type=float, required=True, metavar="N", help="The time to give the wait, in whole ms.")
@click.option("--format", "form", type=click.Choice(["diff", "json"]), default="diff", show_default=True)
@click.option("--apply", is_flag=True, help="Write the edit into the file.")
def command(place: str, ms: float, form: str, *, apply: bool) -> int:
    """Give the wait at FILE:LINE another time, in the author's style: a diff that `git apply` takes.

    Where the line has no wait, one is put in before it. What a reviewer should know is said on standard error.

    Exit codes: 0 done, 2 bad input or a wait that cannot be edited, 4 internal error, 128 + n after signal n.
    """
    target = parse_target(place)
    if target.line is None:
        raise BadInput(f"{place}: give a line, as in {place}:12", slug="no-line")
    if not ms.is_integer() or ms < 0:
        raise BadInput(f"--ms {ms:g}: give a whole number of milliseconds, 0 or more", slug="bad-time")
    with interruptible():
        survey = Surveyor().survey(target.path)
        site = choose_site(survey.source, survey.context, target.line, target.column)
        data = apply_edits(survey.source.data, edits_for(survey.source, site, ms, survey.context))
        diff = unified_diff(survey.source.file, survey.source.data, data)
        warnings = [*survey.warnings, *site.warnings, *_limit_warnings(survey.source, site, ms, survey.context)]
        emit(edit_json(site, ms, diff, warnings) if form == "json" else diff, None)
        for warning in [*warnings, *([] if diff else [f"{site.file}:{site.line} waits {number(ms)} ms already"])]:
            click.echo(f"traf: {printable(warning)}", err=True)
        if apply and diff:
            apply_patch(target.path, survey.source.data, data)
    return 0


def _limit_warnings(source: Source, site: WaitSite, ms: float, context: Context) -> list[str]:
    """Whether the test around the wait leaves room for the new time."""
    fit = fit_limit(source, site, ms, context)
    if fit.fits or fit.limit_ms is None:
        return []
    where = f"the limit of {number(fit.limit_ms)} ms around {site.file}:{site.line}"
    return [
        f"{number(ms)} ms do not fit into {where}: with the waits beside it, about {number(fit.needed_ms)} ms are needed"
    ]
