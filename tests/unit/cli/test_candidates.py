"""`traf candidates`: working trees, commits, bare and shallow repositories, and what is refused."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest

from tests.unit.git.history_maker import HistoryMaker
from tests.unit.localization.conftest import spec_of
from traf.cli.main import run as traf


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TRAF_STATE_DIR", str(tmp_path / "state"))
    maker = HistoryMaker(tmp_path / "project")
    package = {"package.json": '{"devDependencies": {"@playwright/test": "1"}}'}
    maker.commit(
        {**package, "e2e/a.spec.ts": spec_of("await page.waitForTimeout(500);", "await page.waitForTimeout(700);")}
    )
    maker.commit({"e2e/a.spec.ts": spec_of("await page.waitForTimeout(500);", "await page.waitForTimeout(650);")})
    monkeypatch.chdir(maker.top)
    return maker


def asked(capfd, *arguments):
    assert traf(["candidates", *arguments, "--format", "json"]) in {0, 1}
    data = json.loads(capfd.readouterr().out)
    schema = json.loads(resources.files("traf.report").joinpath("schemas/candidates.schema.json").read_text())
    jsonschema.validate(data, schema)
    return data


def times(data, scope="directory"):
    return [each["ms"] for each in data["candidates"] if each["scope"] == scope]


def test_the_working_tree(project, capfd):
    project.write_all({"e2e/a.spec.ts": spec_of("await page.waitForTimeout(500);", "await page.waitForTimeout(999);")})
    data = asked(capfd, "e2e/a.spec.ts:4", "--limit", "50")
    assert times(data) == [999]
    assert set(times(data, "history")) == {650, 700}
    assert data["commit"] == project.git("rev-parse", "HEAD")


def test_a_commit(project, capfd):
    assert times(asked(capfd, "e2e/a.spec.ts:4", "--rev", "HEAD~1", "--limit", "50")) == [700]
    assert asked(capfd, "e2e/a.spec.ts:4", "--rev", "HEAD~1", "--limit", "50")["found"]["history"] == 0


def test_a_bare_repository(project, capfd, tmp_path):
    project.git("clone", "--quiet", "--bare", str(project.top), str(tmp_path / "bare"))
    data = asked(capfd, "e2e/a.spec.ts:4", "--repo", str(tmp_path / "bare"), "--limit", "50")
    assert times(data) == [650]
    assert times(data, "history") == [700]


def test_a_shallow_clone_says_so(project, capfd, tmp_path):
    project.git("clone", "--quiet", "--depth", "1", f"file://{project.top}", str(tmp_path / "shallow"))
    data = asked(capfd, "e2e/a.spec.ts:4", "--repo", str(tmp_path / "shallow"), "--limit", "50")
    assert times(data, "history") == []
    assert any("shallow" in warning for warning in data["warnings"])


def test_a_partial_clone_says_what_it_lacks(project, capfd, tmp_path):
    project.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    project.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{project.top}", str(clone))
    assert traf(["candidates", "e2e/a.spec.ts:4", "--repo", str(clone), "--rev", "HEAD"]) == 2
    assert "this clone does not hold its content" in capfd.readouterr().err
    project.git("-C", str(clone), "checkout", "--quiet", "main")
    data = asked(capfd, "e2e/a.spec.ts:4", "--repo", str(clone), "--limit", "50")
    assert times(data, "history") == []
    assert any("partial" in warning for warning in data["warnings"])


def test_scopes_and_no_history(project, capfd):
    data = asked(
        capfd, "e2e/a.spec.ts:4", "--scope", "directory", "--scope", "history", "--no-history", "--limit", "50"
    )
    assert data["scopes"] == ["directory"]
    assert {each["scope"] for each in data["candidates"]} == {"directory"}


def test_without_a_repository(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("TRAF_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "a.spec.ts").write_text(spec_of("await page.waitForTimeout(500);"))
    data = asked(capfd, str(tmp_path / "a.spec.ts:4"))
    assert times(data, "ladder")
    assert any("no git repository" in warning for warning in data["warnings"])


def test_nothing_found_is_said(project, capfd):
    assert traf(["candidates", "e2e/a.spec.ts:5", "--scope", "directory"]) == 1
    assert "no longer time was found" in capfd.readouterr().out


def test_the_text_names_place_and_reason(project, capfd):
    assert traf(["candidates", "e2e/a.spec.ts:4"]) == 0
    out = capfd.readouterr().out
    assert "650 ms  [directory]" in out
    assert "e2e/a.spec.ts:5: await page.waitForTimeout(650);" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["e2e/a.spec.ts"], "give a line"),
        (["e2e/none.spec.ts:4"], "does not exist"),
        (["e2e/none.spec.ts:4", "--rev", "HEAD"], "does not exist in that commit"),
        (["e2e/a.spec.ts:4", "--rev", "nosuch"], "no such commit"),
        (["e2e/a.spec.ts:4", "--rev", "--output=x"], "no such commit"),
        (["e2e/a.spec.ts:4", "--repo", "/nowhere"], "no directory"),
        (["e2e/a.spec.ts:400", "--rev", "HEAD"], "400"),
    ],
)
def test_refusals_are_one_line(project, capfd, arguments, said):
    assert traf(["candidates", *arguments]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert err.count("\n") == 1
