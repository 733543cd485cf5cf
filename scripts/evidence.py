"""`make evidence`: repairs each test of the bundled projects with 100 runs a value, then runs it repaired 100 times more.

It takes more than an hour, so each row is kept in .cache/evidence as it is found: `--only PROJECT:KEY,KEY` makes a part,
`--page` writes docs/evidence.md from the rows that are there. Without options all rows are made anew, and the page.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from fixtures.replay import FIXTURES, replay  # noqa: E402 - the path is set just above
from traf.git import open_repository  # noqa: E402
from traf.project import find_project, runs_dir, state_dir  # noqa: E402
from traf.rerun.engine import open_engine  # noqa: E402

RUNS = 100
PROJECTS = ("playwright-parcels", "jest-notices", "vitest-seats")
ROWS = ROOT / ".cache" / "evidence"

PAGE = """# Evidence

Every test of the bundled projects, repaired by

    traf repair SPEC:LINE --mode MODE --runs {runs}

and, where there was something to repair, run {runs} times more with the patch, in a batch that traf had no part in choosing.
Written by `make evidence` on {date}: Python {python}, {machine}.

| project | test | wait | mode | before | outcome | after | tuned | separate batch | lines changed | runs | minutes |
|---|---|---|---|--:|---|--:|--:|--:|--:|--:|--:|
{rows}

*before*: failed of the untouched runs. *after*: the time that the patch writes, *tuned* the shortest that the search saw hold
(polling bounds are not tuned under the default policy). *separate batch*: failed of {runs}. What each test waits for, and from
which distribution its latencies are drawn, is in `fixtures/*/truth.json`, which traf does not read.
"""


def main() -> int:
    """Repair, run once more, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="PROJECT:KEY,KEY...")
    parser.add_argument("--mode", default="full", choices=["static", "first-match", "full"])
    parser.add_argument("--page", action="store_true", help="write the page from the rows found before")
    arguments = parser.parse_args()
    only_project, _, keys = arguments.only.partition(":")
    ROWS.mkdir(parents=True, exist_ok=True)
    for name in PROJECTS if not arguments.page else ():
        if only_project in {"", name}:
            with tempfile.TemporaryDirectory(prefix="traf-evidence-") as folder:
                os.environ["TRAF_STATE_DIR"] = str(Path(folder) / "state")
                project = replay(name, Path(folder) / name)
                for test in tests_of(name):
                    if not keys or test["key"] in keys.split(","):
                        make_rows(name, project, test, arguments.mode)
    if arguments.page or not arguments.only:
        write_page()
    return 0


def tests_of(name: str) -> list[dict[str, Any]]:
    """What is known of a project's tests."""
    tests: list[dict[str, Any]] = json.loads((FIXTURES / name / "truth.json").read_text(encoding="utf-8"))["tests"]
    return tests


def make_rows(name: str, project: Path, test: dict[str, Any], mode: str) -> None:
    """Find and keep the row of a test, and a second one where history decides."""
    rows = [one(name, project, test, mode, [])]
    if test["outcome_without_history"] != test["outcome"]:
        rows.append(one(name, project, test, mode, ["--no-history"]))
    (ROWS / f"{name}-{test['key']}.md").write_text("\n".join(rows) + "\n", encoding="utf-8")


def write_page() -> None:
    """Put the rows together."""
    files = [ROWS / f"{name}-{test['key']}.md" for name in PROJECTS for test in tests_of(name)]
    page = PAGE.format(
        runs=RUNS,
        date=dt.datetime.now(tz=dt.UTC).date(),
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        rows="".join(file.read_text(encoding="utf-8") for file in files).rstrip(),
    )
    (ROOT / "docs" / "evidence.md").write_text(page, encoding="utf-8")


def one(name: str, project: Path, test: dict[str, Any], mode: str, options: list[str]) -> str:
    """The row of one test."""
    place = f"{test['file']}:{test['line']}"
    command = ["repair", place, "--mode", mode, "--runs", str(RUNS), "--format", "json", *options]
    done = subprocess.run(
        [sys.executable, "-m", "traf", *command],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=False,
    )
    data = json.loads(done.stdout)
    expected = test["outcome_without_history" if options else "outcome"]
    repair = data["repair"] or {}
    changed = sum(line.startswith("+") and not line.startswith("+++") for line in repair.get("diff", "").splitlines())
    batch = f"{failures_of_a_separate_batch(project, test, repair['diff'])} of {RUNS}" if repair else ""
    flag = "" if data["outcome"] == expected else f" (expected {expected})"
    cells = [
        name,
        " > ".join(test["title"]).replace("|", "\\|"),
        f"`{place}` {test['kind']} {'' if test['ms'] is None else test['ms']}{' ' + ' '.join(options) if options else ''}",
        mode,
        f"{data['before']['failures']} of {data['before']['runs']}",
        data["outcome"] + flag,
        repair.get("ms", ""),
        repair.get("tuned_ms", ""),
        batch,
        changed or "",
        data["cost"]["runs"],
        f"{data['cost']['wall_s'] / 60:.1f}",
    ]
    row = f"| {' | '.join(map(str, cells))} |"
    print(row, flush=True)
    return row


def failures_of_a_separate_batch(project: Path, test: dict[str, Any], diff: str) -> int:
    """Failed attempts of the repaired test in RUNS attempts, none of them part of the repair."""
    spec = project / test["file"]
    before = spec.read_bytes()
    subprocess.run(["git", "apply", "-"], cwd=project, input=diff.encode(), check=True)
    patched = spec.read_bytes()
    spec.write_bytes(before)
    subject = find_project(spec)
    repository = open_repository(project)
    assert repository is not None
    with open_engine(subject, repository.listed_files(), state_dir(project), runs_dir()) as (engine, _):
        chosen = next(t.id for t in engine.tests() if list(t.id.title) == test["title"])
        return engine.run(chosen, RUNS, files={test["file"]: patched}, allowed_ms=60_000).failures


if __name__ == "__main__":
    sys.exit(main())
