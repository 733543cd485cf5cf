"""The other ways to call `traf repair`: without a line, by title, with the diff into git, and applied."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import Bundled
from tests.support.cli import traf
from tests.support.trees import fingerprint

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("notices")]


@pytest.fixture
def copy(notices: Bundled, tmp_path: Path) -> Path:
    """A copy of the project that may be changed."""
    return Path(shutil.copytree(notices.project, tmp_path / "copy", symlinks=True))


def test_without_a_line_the_wait_is_found_from_the_failure_and_applied(notices: Bundled, copy: Path) -> None:
    truth = notices.tests["a"]
    title = truth["title"][-1]
    before = fingerprint(copy)
    done = traf(
        copy, notices.state, "repair", truth["file"], "--test", title, "--runs", "8", "--format", "json", "--apply"
    )
    assert done.code == 0, done.err
    assert (done.data["outcome"], done.data["site"]["line"]) == ("repaired", truth["line"])
    after = fingerprint(copy)
    assert {name for name in after if after[name] != before.get(name)} == {truth["file"]}
    changed = subprocess.run(["git", "diff"], cwd=copy, capture_output=True, check=True).stdout.decode()
    wanted = [line for line in done.data["repair"]["diff"].splitlines() if line[0] in "+-"]
    assert [line for line in changed.splitlines() if line[0] in "+-"] == wanted


def test_the_diff_goes_straight_into_git(notices: Bundled, copy: Path) -> None:
    done = traf(copy, notices.state, "repair", notices.place("h"), "--assume-flaky", "--runs", "8", "--format", "diff")
    assert done.code == 0, done.err
    subprocess.run(["git", "apply", "-"], cwd=copy, input=done.out.encode(), check=True)
    changed = subprocess.run(["git", "diff", "--stat"], cwd=copy, capture_output=True, check=True).stdout.decode()
    assert notices.tests["h"]["file"] in changed


def test_a_report_goes_into_a_file_and_nothing_to_standard_output(notices: Bundled, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    done = traf(notices.project, notices.state, "repair", notices.place("f"), "--runs", "20", "--output", str(report))
    assert (done.code, done.out) == (1, "")
    assert report.read_text(encoding="utf-8").startswith("Not flaky: passed 20 of 20 runs")


def test_a_test_that_is_skipped_cannot_be_run(notices: Bundled, copy: Path) -> None:
    spec = copy / notices.tests["f"]["file"]
    title = notices.tests["f"]["title"][-1]
    spec.write_text(
        spec.read_text(encoding="utf-8").replace(f"test('{title}'", f"test.skip('{title}'"), encoding="utf-8"
    )
    done = traf(copy, notices.state, "repair", notices.place("f"), "--format", "json")
    assert (done.code, done.data["outcome"]) == (3, "cannot_run"), done.err
    assert "skipped" in done.err


def test_a_spec_that_does_not_load_says_how_the_framework_ended(notices: Bundled, copy: Path) -> None:
    spec = copy / notices.tests["f"]["file"]
    spec.write_text("throw new Error('no such board');\n" + spec.read_text(encoding="utf-8"), encoding="utf-8")
    line = notices.tests["f"]["line"] + 1
    done = traf(copy, notices.state, "repair", f"{notices.tests['f']['file']}:{line}")
    assert (done.code, done.out) == (3, "")
    assert "no such board" in done.err
    assert "Traceback" not in done.err
