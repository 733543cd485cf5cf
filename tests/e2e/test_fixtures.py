"""`traf repair` on every test of the bundled projects, in the real frameworks and in Chromium: the right outcome each time.

The latencies are drawn anew in every run, but lie 60 ms or more from the times in question, and each answer rests on enough
runs that a wrong one has a probability below one in a thousand. The figures with 100 runs a value are in docs/evidence.md.
"""

from __future__ import annotations

import subprocess
from typing import Any

import jsonschema
import pytest

from tests.e2e.conftest import Bundled
from tests.support.cli import Done, traf
from traf.report.json_report import repair_schema

RUNS = 8
# Whether a test is flaky at all is asked where the answer decides; elsewhere --assume-flaky saves twenty runs.
QUICK = "--assume-flaky"
PLAYWRIGHT = {
    "a": [QUICK],
    "b": [QUICK],
    "c1": [QUICK],
    "c2": [QUICK],
    "d": [QUICK],
    "e": [QUICK],
    "f": [],
    "g": [],
}
JEST = {
    "a": ["--mode", "full"],
    "b": [QUICK, "--mode", "full"],
    "c1": [QUICK],
    "c2": [QUICK, "--mode", "first-match"],
    "d": [QUICK],
    "e1": [QUICK],
    "e2": [QUICK],
    "f": [],
    "g": [],
    "h": [QUICK],
}
# What Vitest has of its own: expect.poll on a configured time, an inserted wait, a limit in a test's options.
VITEST = {
    "c1": [QUICK],
    "c2": [QUICK, "--mode", "first-match"],
    "e": [QUICK],
    "h": [QUICK],
}


@pytest.mark.browser
@pytest.mark.xdist_group("parcels")
@pytest.mark.parametrize("key", PLAYWRIGHT)
def test_playwright(parcels: Bundled, key: str) -> None:
    assert_repair(parcels, key, *PLAYWRIGHT[key])


@pytest.mark.real
@pytest.mark.xdist_group("notices")
@pytest.mark.parametrize("key", JEST)
def test_jest(notices: Bundled, key: str) -> None:
    assert_repair(notices, key, *JEST[key])


@pytest.mark.real
@pytest.mark.xdist_group("seats")
@pytest.mark.parametrize("key", VITEST)
def test_vitest(seats: Bundled, key: str) -> None:
    assert_repair(seats, key, *VITEST[key])


@pytest.mark.browser
@pytest.mark.xdist_group("parcels")
def test_playwright_without_history_one_is_not_applicable(parcels: Bundled) -> None:
    assert_outcome(parcels, "d", "--no-history", QUICK, outcome="not_applicable")


@pytest.mark.real
@pytest.mark.xdist_group("notices")
def test_jest_without_history_one_is_not_applicable(notices: Bundled) -> None:
    assert_outcome(notices, "d", "--no-history", QUICK, outcome="not_applicable")


def assert_repair(bundled: Bundled, key: str, *options: str) -> None:
    truth = bundled.tests[key]
    data = assert_outcome(bundled, key, *options, outcome=truth["outcome"])
    if truth["outcome"] != "repaired":
        assert data["repair"] is None
        return
    repair = data["repair"]
    confirmation = data["trials"][-1]
    assert confirmation == {"phase": "confirmation", "ms": repair["ms"], "runs": RUNS, "failures": 0, "passed": True}
    assert (repair["runs"], repair["failures"]) == (RUNS, 0)
    assert repair["ms"] > (truth["ms"] or 0)
    assert_search(data)
    assert_diff(bundled, truth, repair["diff"])


def assert_outcome(bundled: Bundled, key: str, *options: str, outcome: str) -> Any:
    truth = bundled.tests[key]
    done = traf(
        bundled.project, bundled.state, "repair", bundled.place(key), "--runs", str(RUNS), "--format", "json", *options
    )
    assert done.code == (0 if outcome == "repaired" else 1), explain(done)
    data = done.data
    jsonschema.validate(data, repair_schema())
    assert data["outcome"] == outcome, explain(done)
    assert data["test"] == {"file": truth["file"], "title": truth["title"]}
    assert (data["site"]["line"], data["site"]["ms"], data["level"]) == (truth["line"], truth["ms"], truth["level"])
    if "--assume-flaky" not in options:
        assert data["before"]["runs"] >= 20
    assert data["cost"]["runs"] == data["before"]["runs"] + sum(t["runs"] for t in data["trials"])
    return data


def assert_search(data: Any) -> None:
    """`full` ends within the threshold (5 ms) of the smallest time that the search itself saw pass."""
    searched = [t for t in data["trials"] if t["phase"] != "confirmation"]
    passed = [t["ms"] for t in searched if t["passed"]]
    failed = [t["ms"] for t in searched if not t["passed"]] + [data["site"]["ms"] or 0]
    assert data["repair"]["tuned_ms"] == min(p for p in passed if p > max(f for f in failed if f < max(passed)))
    if any(t["phase"] == "tuning" for t in searched) and data["mode"] == "full":
        assert data["repair"]["tuned_ms"] - max(f for f in failed if f < data["repair"]["tuned_ms"]) <= 5


def assert_diff(bundled: Bundled, truth: Any, diff: str) -> None:
    """The patch applies, and changes the wait's line (or puts one before it) and at most the test's own limit."""
    subprocess.run(["git", "apply", "--check", "-"], cwd=bundled.project, input=diff.encode(), check=True)
    removed = [line[1:] for line in diff.splitlines() if line.startswith("-") and not line.startswith("---")]
    added = [line[1:] for line in diff.splitlines() if line.startswith("+") and not line.startswith("+++")]
    limit_lines = 1 if truth["test_limit_ms"] else 0
    if truth["kind"] == "none":
        assert (len(removed), len(added)) == (0, 1)
    else:
        lines = (bundled.project / truth["file"]).read_text(encoding="utf-8").splitlines()
        assert lines[(truth["time_line"] or truth["line"]) - 1] in removed
        assert len(removed) == len(added) == 1 + limit_lines


def explain(done: Done) -> str:
    return f"exit {done.code}\n{done.out[-3000:]}\n{done.err[-3000:]}"
