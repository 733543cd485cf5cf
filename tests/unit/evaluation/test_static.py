"""The experiment from manifest to table."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest

from traf.cli.main import run as traf
from traf.core.errors import BadInput
from traf.evaluation.manifest import read_manifest
from traf.evaluation.setups import setups
from traf.evaluation.static import run, sample_of
from traf.localization.suggest import RankerName
from traf.report.evaluate_report import static_json, static_text


def outcomes_of(mirrored, journal=None):
    manifest, mirrors = mirrored
    seen = []
    wanted = setups(tuple(RankerName), history=True)
    found = run(read_manifest(manifest), mirrors, wanted, journal, 1, lambda done, total: seen.append((done, total)))
    return found, [setup.name for setup in wanted], seen


def test_each_fix_has_an_answer_or_a_reason(mirrored):
    (first, absent, gone), names, seen = outcomes_of(mirrored)
    assert [answer.setup for answer in first.answers] == names
    assert "not among the mirrors" in absent.problem
    assert "does not exist" in gone.problem
    assert seen[-1] == (3, 3)


def test_the_future_is_never_seen(mirrored):
    (first, *_), _, _ = outcomes_of(mirrored)
    assert all(7777 not in answer.times_ms for answer in first.answers)
    assert {answer.setup: answer.times_ms for answer in first.answers}["paper, directory"] == (800, 900)
    assert {answer.setup: answer.times_ms for answer in first.answers}["frequent, directory"] == (900, 800)


def test_a_run_goes_on_where_it_was_stopped(mirrored, tmp_path):
    journal = tmp_path / "journal.jsonl"
    before, _, _ = outcomes_of(mirrored, journal)
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:2]) + lines[2][:20])
    after, _, seen = outcomes_of(mirrored, journal)
    assert seen[0] == (2, 3)
    assert [each.problem for each in after] == [each.problem for each in before]


def test_reports(mirrored):
    outcomes, names, _ = outcomes_of(mirrored)
    data = json.loads(static_json(outcomes, names))
    jsonschema.validate(
        data, json.loads(resources.files("traf.report").joinpath("schemas/evaluate.schema.json").read_text())
    )
    assert data["judged"] == 1
    paper = next(row for row in data["rows"] if row["setup"] == "paper, directory" and row["group"] == "all")
    assert (paper["plain"]["exact_1"], paper["plain"]["exact_3"], paper["plain"]["ceiling"]) == (0, 1, 1)
    text = static_text(outcomes, names)
    assert "1 of 3 fixes in 1 repositories" in text
    assert "frequent, directory" in text


def test_a_sample_is_always_the_same(mirrored):
    fixes = read_manifest(mirrored[0])
    assert sample_of(fixes, 2) == sample_of(fixes, 2)
    assert len(sample_of(fixes, 2)) == 2
    assert sample_of(fixes, 99) == fixes


@pytest.mark.parametrize("text", ["{}", "[]", "no json", '{"repo": "a/b", "level": "x"}'])
def test_a_broken_manifest_is_named_with_its_line(tmp_path, text):
    path = tmp_path / "fixes.jsonl"
    path.write_text("\n" + text + "\n")
    with pytest.raises(BadInput, match="jsonl:2 is no fix"):
        read_manifest(path)


def test_the_command(mirrored, capfd):
    manifest, mirrors = mirrored
    assert (
        traf(
            [
                "evaluate",
                "static",
                str(manifest),
                "--mirrors",
                str(mirrors),
                "--ranker",
                "frequent,paper",
                "--no-history",
            ]
        )
        == 0
    )
    assert "paper, directory" in capfd.readouterr().out
    assert traf(["evaluate", "static", str(manifest), "--mirrors", str(mirrors), "--ranker", "best"]) == 2
    assert traf(["evaluate", "static", str(manifest), "--mirrors", str(manifest)]) == 2
