"""What the engine asks of the shim, and what it makes of the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from traf.core.attempts import Attempt, Frame, Outcome, TestId
from traf.core.errors import CannotRun, InternalError
from traf.project.model import Project
from traf.rerun.engine import ATTEMPT_FLOOR_MS, START_LIMIT_MS, Engine
from traf.rerun.sandbox import Sandbox

TEST = TestId("e2e/a.spec.ts", ("files", "opens"), "chromium")


class FakeShim:
    """Answers every request with the same events, and remembers the requests."""

    def __init__(self, *events: dict[str, Any]) -> None:
        self.events = events
        self.asked: list[Mapping[str, Any]] = []

    def ask(self, request: Mapping[str, Any], silence_s: float) -> Iterator[dict[str, Any]]:
        self.asked.append({**request, "silence_s": silence_s})
        yield from self.events


def attempt(index: int, outcome: str = "pass", duration_ms: float = 100, error: Any = None) -> dict[str, Any]:
    said = {"index": index, "outcome": outcome, "duration_ms": duration_ms, "isolation": "worker", "error": error}
    return {"event": "attempt", **said}


def done(executed: int) -> dict[str, Any]:
    return {"event": "done", "executed": executed, "framework_version": "1.65.1", "notes": ["a note"]}


def engine(tmp_path: Path, shim: FakeShim, attempt_limit_s: float | None = None) -> Engine:
    (tmp_path / "tree").mkdir(exist_ok=True)
    project = Project(tmp_path / "user", tmp_path / "user", TEST.file, "playwright", None, has_git=False)
    sandbox = Sandbox(tmp_path / "tree")
    return Engine(project, sandbox, shim, attempt_limit_s=attempt_limit_s)  # type: ignore[arg-type]


def test_a_run_gives_the_attempts_in_order(tmp_path: Path) -> None:
    error = {
        "message": f"no row in {tmp_path}/tree/e2e/a.spec.ts",
        "frames": [{"file": TEST.file, "line": 7, "column": 3}],
    }
    shim = FakeShim(attempt(0), attempt(1, "fail", 900, error), done(2))
    seen: list[Attempt] = []
    under_test = engine(tmp_path, shim)
    series = under_test.run(TEST, 2, jobs=2, on_attempt=seen.append)
    assert [a.outcome for a in series.attempts] == [Outcome.PASS, Outcome.FAIL]
    assert list(series.attempts) == seen
    failure = series.attempts[1].error
    assert failure is not None
    assert failure.frames == (Frame(TEST.file, 7, 3),)
    assert failure.message == f"no row in {tmp_path}/user/e2e/a.spec.ts"  # the sandbox is gone when it is read
    assert (under_test.notes, under_test.framework_version) == (("a note",), "1.65.1")
    assert {k: shim.asked[0][k] for k in ("op", "title", "variant", "runs", "until", "jobs", "file")} == {
        "op": "run",
        "title": ["files", "opens"],
        "variant": "chromium",
        "runs": 2,
        "until": None,
        "jobs": 2,
        "file": TEST.file,
    }


@pytest.mark.parametrize(
    ("events", "until"),
    [
        ([attempt(0), done(1)], None),
        ([attempt(0), done(2)], None),
        ([done(0)], None),
        ([attempt(0), done(1)], "failure"),
        ([attempt(0, "fail"), done(1)], "pass"),
    ],
)
def test_lost_attempts_are_an_error_never_a_pass(tmp_path: Path, events: list[dict[str, Any]], until: Any) -> None:
    with pytest.raises(InternalError, match="2 attempts were asked for"):
        engine(tmp_path, FakeShim(*events)).run(TEST, 2, until=until)


@pytest.mark.parametrize(("outcome", "until"), [("timeout", "failure"), ("crash", "failure"), ("pass", "pass")])
def test_a_decisive_attempt_may_end_a_run_early(tmp_path: Path, outcome: str, until: Any) -> None:
    series = engine(tmp_path, FakeShim(attempt(0, outcome), done(1))).run(TEST, 9, until=until)
    assert len(series.attempts) == 1


def test_the_limit_exceeds_what_the_waits_may_take_and_follows_the_slowest(tmp_path: Path) -> None:
    shim = FakeShim(attempt(0, duration_ms=50_000), done(1))
    under_test = engine(tmp_path, shim)
    under_test.run(TEST, 1, allowed_ms=30_000)
    under_test.run(TEST, 1, allowed_ms=30_000)
    first, second = (request["attempt_limit_ms"] for request in shim.asked)
    assert first == ATTEMPT_FLOOR_MS + 30_000
    assert second == 5 * 50_000 + 30_000
    assert all(r["silence_s"] * 1000 > START_LIMIT_MS + r["attempt_limit_ms"] for r in shim.asked)


def test_a_limit_of_the_users_never_falls_below_the_waits(tmp_path: Path) -> None:
    shim = FakeShim(attempt(0), done(1))
    under_test = engine(tmp_path, shim, attempt_limit_s=3)
    under_test.run(TEST, 1)
    under_test.run(TEST, 1, allowed_ms=9_000)
    assert [r["attempt_limit_ms"] for r in shim.asked] == [3_000, 9_000]


@pytest.mark.parametrize(
    ("kind", "error", "code"),
    [("load_failed", CannotRun, 3), ("internal", InternalError, 4), ("bad_request", InternalError, 4)],
)
def test_a_refusal_is_an_error_of_its_kind(tmp_path: Path, kind: str, error: type[Exception], code: int) -> None:
    shim = FakeShim({"event": "error", "kind": kind, "message": f"{tmp_path}/tree is odd", "output": "printed"})
    with pytest.raises(error, match="user is odd") as caught:
        engine(tmp_path, shim).tests()
    assert caught.value.exit_code == code  # type: ignore[attr-defined]


def test_tests_are_listed_with_their_lines(tmp_path: Path) -> None:
    listed = {"event": "test", "title": ["files", "opens"], "line": 4, "column": 1, "variant": "chromium"}
    elsewhere = {**listed, "title": ["shared"], "line": None, "column": None}
    tests = engine(tmp_path, FakeShim(listed, elsewhere, done(0))).tests()
    assert [(t.id.title, t.line) for t in tests] == [(("files", "opens"), 4), (("shared",), None)]
    assert tests[0].id == TEST
