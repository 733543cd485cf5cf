"""Measures what one rerun of a test costs: a loop of the framework's own command beside traf's levels of isolation, in one run.

The test is the stable one of each bundled project. A batch holds RUNS attempts with everything that traf needs for them
(starting the framework, ending it); sandbox and shim are made once before, as in a repair.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from fixtures.replay import FIXTURES, replay  # noqa: E402 - the path is set just above
from traf.core.attempts import Level, Outcome  # noqa: E402
from traf.git import open_repository  # noqa: E402
from traf.project import find_project, runs_dir, state_dir  # noqa: E402
from traf.rerun.engine import open_engine  # noqa: E402
from traf.rerun.node import find_chromium  # noqa: E402

BATCHES = 3
RUNS = 30
NAIVE = 7
STABLE = "f"
# The command that a developer loops over, before the file and the test's last title.
COMMANDS = {
    "playwright-parcels": (["npx", "playwright", "test"], "-g"),
    "jest-notices": (["npx", "jest"], "-t"),
    "vitest-seats": (["npx", "vitest", "run"], "-t"),
}
LEVELS = {
    "playwright-parcels": (Level.WORKER, Level.PROCESS),
    "jest-notices": (Level.WARM, Level.WORKER, Level.PROCESS),
    "vitest-seats": (Level.WORKER, Level.PROCESS),
}


@dataclass(frozen=True, slots=True)
class Rerun:
    """What an attempt costs: seconds (median of batches), the body in ms (median), CPU seconds beyond the body's time."""

    framework: str
    way: str
    jobs: int
    seconds: float
    body_ms: float | None
    cpu_s: float
    naive_s: float

    def row(self) -> str:
        """A line of the table."""
        body = "" if self.body_ms is None else f"{self.body_ms:.0f}"
        ratio = f"{self.naive_s / self.seconds:.1f}x"
        return f"| {self.framework} | {self.way} | {self.jobs} | {self.seconds:.2f} | {body} | {ratio} | {self.cpu_s:.2f} |"


def measure() -> Iterator[Rerun]:
    """The loop of each framework, then its levels."""
    for fixture, (command, option) in COMMANDS.items():
        truth = json.loads((FIXTURES / fixture / "truth.json").read_text("utf-8"))
        test = next(test for test in truth["tests"] if test["key"] == STABLE)
        with tempfile.TemporaryDirectory(prefix="traf-bench-") as folder:
            os.environ["TRAF_STATE_DIR"] = str(Path(folder) / "state")
            project = replay(fixture, Path(folder) / "project")
            name = fixture.partition("-")[0]
            naive = _naive(name, project, [*command, test["file"], option, test["title"][-1]])
            yield naive
            for level in LEVELS[fixture]:
                for jobs in (1, 2):
                    yield _level(name, project, test, level, jobs, naive.seconds)


def _naive(name: str, project: Path, command: list[str]) -> Rerun:
    env = {**os.environ, "TRAF_CHROMIUM": find_chromium() or "", "CI": "1"}
    seconds = []
    cpu = _cpu_s()
    for _ in range(NAIVE):
        start = time.perf_counter()
        subprocess.run(command, cwd=project, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        seconds.append(time.perf_counter() - start)
    each = statistics.median(seconds)
    return Rerun(name, f"`{' '.join(command[:-3])} ...` in a loop", 1, each, None, (_cpu_s() - cpu) / NAIVE, each)


def _level(name: str, project: Path, test: dict[str, Any], level: Level, jobs: int, naive_s: float) -> Rerun:
    repository = open_repository(project)
    assert repository is not None
    subject = find_project(project / test["file"])
    cpu = _cpu_s()
    seconds, bodies = [], []
    with open_engine(subject, repository.listed_files(), state_dir(project), runs_dir()) as (engine, _):
        chosen = next(t.id for t in engine.tests() if list(t.id.title) == test["title"])
        for _ in range(BATCHES):
            start = time.perf_counter()
            series = engine.run(chosen, RUNS, level=level, jobs=jobs)
            seconds.append((time.perf_counter() - start) / RUNS)
            assert [a.outcome for a in series.attempts] == [Outcome.PASS] * RUNS
            assert {a.level for a in series.attempts} == {level}
            bodies += [a.duration_ms for a in series.attempts]
    repository.close()
    spent = (_cpu_s() - cpu) / (BATCHES * RUNS)
    return Rerun(name, f"traf, {level}", jobs, statistics.median(seconds), statistics.median(bodies), spent, naive_s)


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
