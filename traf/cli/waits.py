"""`traf waits`: the waits of files and suites, with their times."""

from __future__ import annotations

import gc
from pathlib import Path

import click

from traf.cli.interrupts import interruptible
from traf.cli.output import emit
from traf.cli.targets import Target, parse_target
from traf.core.errors import BadInput
from traf.project import Survey, Surveyor, suite_files
from traf.report.printable import printable
from traf.report.sarif import waits_sarif
from traf.report.waits_report import Suite, chosen_first, waits_json, waits_text
from traf.syntax import choose_site, find_sites, slept_ms
from traf.syntax.model import WaitSite

_OBJECTS = 100_000
_FORMS = {"text": waits_text, "json": waits_json, "sarif": waits_sarif}


@click.command("waits")
@click.argument("places", metavar="FILE[:LINE[:COLUMN]]|DIR...", nargs=-1, required=True)
@click.option("--format", "form", type=click.Choice(list(_FORMS)), default="text", show_default=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the list to FILE.")
def command(places: tuple[str, ...], form: str, output: Path | None) -> int:
    """List the waits of test files: what waits, for how long, where the time comes from.

    With a line, the wait that it means comes first, then the others that stand there. Of a folder, its test files are read.

    Exit codes: 0 done, 2 bad input, 4 internal error, 128 + n after signal n.
    """
    with interruptible():
        emit(_FORMS[form](_read(places)), output)
    return 0


def _read(places: tuple[str, ...]) -> Suite:
    # The sites of a large suite are many objects that stay; looking through them again and again takes a fifth of the time.
    gc.set_threshold(_OBJECTS)
    surveyor = Surveyor()
    found: dict[tuple[str, int, int], WaitSite] = {}
    slept: dict[Path, float] = {}
    said: set[str] = set()
    for target in map(parse_target, places):
        for path in suite_files(target.path) if target.path.is_dir() else [target.path]:
            try:
                survey = surveyor.survey(path)
            except BadInput as error:
                if path == target.path:
                    raise
                _say(said, f"{error}; it is left out")
                continue
            for warning in survey.warnings:
                _say(said, warning)
            sites = _sites(survey, target)
            # The calls of one chain begin at the same place.
            keys = {(site.file, site.start, site.end): site for site in sites}
            found |= {key: site for key, site in keys.items() if key not in found}
            slept[path] = max(slept.get(path, 0), slept_ms(survey.source, sites))
    return Suite(tuple(found.values()), len(slept), sum(slept.values()))


def _sites(survey: Survey, target: Target) -> tuple[WaitSite, ...]:
    """The sites of a file that a target names."""
    if target.line is None:
        return find_sites(survey.source, survey.context)
    chosen = choose_site(survey.source, survey.context, target.line, target.column)
    return chosen_first(chosen, find_sites(survey.source, survey.context))


def _say(said: set[str], remark: str) -> None:
    """Give a remark once, with the first file that it concerns."""
    if remark not in said:
        said.add(remark)
        click.echo(f"traf: {printable(remark)}", err=True)
