"""The lists of waits as text, JSON and SARIF, and an edit as JSON: golden files and schemas."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest

from traf.report.edit_report import edit_json
from traf.report.sarif import waits_sarif
from traf.report.waits_report import Suite, chosen_first, waits_json, waits_text
from traf.syntax import MsFrom, WaitKind, WaitSite


def site(line, api, kind, ms, ms_from, **more):
    file = more.pop("file", "e2e/a b.spec.ts")
    action = more.pop("action", "replace")
    return WaitSite(file, line, 3, 10 * line, 10 * line + 5, "generic", api, kind, ms, ms_from, 0, action, **more)


SITES = (
    site(3, "page.waitForTimeout", WaitKind.FIXED_SLEEP, 500, MsFrom.LITERAL),
    site(4, "expect().toPass", WaitKind.POLL_TIMEOUT, None, MsFrom.UNBOUNDED, warnings=("it has no bound of its own",)),
    site(12, "cy.get", WaitKind.POLL_TIMEOUT, 1500.5, MsFrom.CONFIGURED, editable=False, reason="spread arguments"),
    site(1, "test", WaitKind.TEST_TIMEOUT, 5000, MsFrom.DEFAULT, file="\x1b[31m/evil\u202e.test.js"),
    site(2, "sleep", WaitKind.FIXED_SLEEP, None, MsFrom.ENVIRONMENT, file="\x1b[31m/evil\u202e.test.js"),
    site(9, "", WaitKind.NONE, None, MsFrom.UNKNOWN, file="\x1b[31m/evil\u202e.test.js", action="insert"),
)
SUITE = Suite(SITES, 2, 500)


def schema(name):
    return json.loads(
        resources.files("traf.report").joinpath(f"schemas/{name}.schema.json").read_text(encoding="utf-8")
    )


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("waits.txt", waits_text(SUITE)),
        ("waits.json", waits_json(SUITE)),
        ("waits.sarif", waits_sarif(SUITE)),
        ("waits_none.txt", waits_text(Suite((), 1, 0))),
        ("edit.json", edit_json(SITES[0], 900, "--- a\n+++ b\n", ["look"])),
    ],
)
def test_golden(file, text, golden, update_golden):
    path = golden / file
    if update_golden:
        path.write_bytes(text.encode("utf-8"))
    assert path.read_bytes().decode("utf-8") == text


def test_the_schemas_hold():
    jsonschema.validate(json.loads(waits_json(SUITE)), schema("waits"))
    jsonschema.validate(json.loads(edit_json(SITES[0], 900, "", [])), schema("edit"))


def test_nothing_that_moves_the_cursor_reaches_the_text():
    assert not set(waits_text(SUITE)) & {"\x1b", "\u202e"}


def test_sarif_names_places_as_uris_and_rules_by_their_place():
    run = json.loads(waits_sarif(SUITE))["runs"][0]
    first = run["results"][0]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "e2e/a%20b.spec.ts"
    assert (
        [rule["id"] for rule in run["tool"]["driver"]["rules"]][first["ruleIndex"]] == first["ruleId"] == "fixed-sleep"
    )


def test_the_chosen_site_comes_first_and_the_rest_of_its_line_follows():
    here = site(4, "page.goto", WaitKind.POLL_TIMEOUT, 1, MsFrom.LITERAL)
    listed = chosen_first(SITES[1], (SITES[0], SITES[1], SITES[2]))
    assert listed == (SITES[1],)
    assert chosen_first(here, (here,)) == (here,)
