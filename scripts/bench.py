"""`make bench`: measures what must be fast, prints the table and writes docs/performance.md."""

from __future__ import annotations

import datetime as dt
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bench_localisation
import bench_rerun
from bench_waits import FILES, lines_of, make_odd_files
from bench_waits import make_suite as make_listed

ROOT = Path(__file__).resolve().parents[1]
WAITS = ["-m", "traf", "waits", "."]
SPECS = 100
COMMITS = 1_000
TESTS = 4
REPEATS = 11

PAGE = """# Performance

Written by `make bench` on {date}: medians of {repeats} runs each, {machine}.
Times on a shared machine vary by a factor of two; the ratios, measured in the same run, vary less.

| what | seconds | allowed | times a bare `python -c pass` |
|---|--:|--:|--:|
{rows}

The suite of the dry run is made by the script: {specs} spec files of one directory with {waits} written times each, and
{commits} commits that each change the times of one test. The figure holds everything: interpreter, imports, parsing, the
walk through history and the ranking.

A suggestion is what `traf candidates` does, without interpreter start and imports. With a cold cache it may take 1.5 s, and at
most three times the bare `git log -p` over the same directory plus 0.2 s.

The suite of `traf waits` is {files} specs of Playwright, Jest with Testing Library and Cypress, {lines} lines with some fifty
waits in 200, read in one process; the largest memory of such a run was {memory} MB (allowed: 300).

## Reruns

One attempt of the stable test of each bundled project: the median of {batches} batches of {runs}, start and end of the
framework included, beside the median of {naive} rounds of a plain loop over the framework's own command in the same run.
The body is the floor: it is what the test itself takes. CPU seconds are those of all processes. What the levels mean is
said in [how-it-works.md](how-it-works.md).

| framework | how | at a time | s a rerun | body ms | against the loop | CPU s |
|---|---|--:|--:|--:|--:|--:|
{reruns}
"""


def main() -> int:
    """Measure, print and write."""
    bare = median(lambda: run(["-c", "pass"], ROOT))
    rows = [row("`traf --help`", median(lambda: run(["-m", "traf", "--help"], ROOT)), 0.2, bare)]
    with tempfile.TemporaryDirectory(prefix="traf-bench-") as folder:
        suite = make_suite(Path(folder) / "suite")
        command = ["-m", "traf", "repair", "e2e/page050.spec.ts:5", "--dry-run"]
        for name, extra in (("", []), (" `--no-history`", ["--no-history"])):
            seconds = median(lambda extra=extra: run([*command, *extra], suite))
            what = f"`traf repair --dry-run`{name}, {SPECS} spec files, {COMMITS:,} commits"
            rows.append(row(what, seconds, 3.0, bare))
        (Path(folder) / "many").mkdir()
        many = bench_localisation.measure(Path(folder) / "many")
        what = f"a suggestion with history, {bench_localisation.COMMITS:,} commits"
        rows.append(row(f"{what}, cold cache (p95)", many.cold_s, many.allowed_s, bare))
        rows.append(row(f"{what}, warm cache (p95)", many.warm_s, bench_localisation.WARM_LIMIT_S, bare))
        rows.append(row("a bare `git log -p` over the same directory", many.log_s, None, bare))
        listed = make_listed(Path(folder) / "listed")
        rows.append(row(f"`traf waits`, {FILES:,} spec files", median(lambda: run(WAITS, listed), 3), 20.0, bare))
        lines, memory = lines_of(listed), memory_mb(WAITS, listed)
        odd = make_odd_files(Path(folder) / "odd")
        for name, file in (("5 MB in one line", "line"), ("10,000 nested brackets", "nested")):
            seconds = median(lambda file=file: run(["-m", "traf", "waits", f"{file}.spec.js"], odd), 3)
            rows.append(row(f"`traf waits`, {name}", seconds, None, bare))
    reruns = [each.row() for each in bench_rerun.measure()]
    version = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    page = PAGE.format(
        date=dt.datetime.now(tz=dt.UTC).date(),
        repeats=REPEATS,
        machine=version,
        rows="\n".join(rows),
        specs=SPECS,
        waits=3 * TESTS,
        commits=f"{COMMITS:,}",
        files=f"{FILES:,}",
        lines=f"{lines:,}",
        memory=memory,
        batches=bench_rerun.BATCHES,
        runs=bench_rerun.RUNS,
        naive=bench_rerun.NAIVE,
        reruns="\n".join(reruns),
    )
    (ROOT / "docs" / "performance.md").write_text(page, encoding="utf-8")
    print(page)
    return 0


def median(action: Callable[[], None], repeats: int = REPEATS) -> float:
    """The median duration of an action in s, after one run that warms the disk cache."""
    action()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def run(arguments: list[str], cwd: Path) -> None:
    """Run Python with `arguments`; a failure ends the bench."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, *arguments], cwd=cwd, env=env, capture_output=True, check=True)


def memory_mb(arguments: list[str], cwd: Path) -> int:
    """The largest resident memory of a run of Python."""
    report = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
    report += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    command = [sys.executable, "-c", report, sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, check=True
    )
    return int(done.stdout) // (1024 * 1024 if sys.platform == "darwin" else 1024)


def row(what: str, seconds: float, allowed_s: float | None, bare_s: float) -> str:
    """A line of the table."""
    allowed = "" if allowed_s is None else f"{allowed_s:.3g}"
    return f"| {what} | {seconds:.2f} | {allowed} | {seconds / bare_s:.1f} |"


def make_suite(folder: Path) -> Path:
    """A repository with SPECS Playwright specs in one directory and COMMITS commits that each change the times of one test."""
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=folder, check=True)
    versions = [[0] * TESTS for _ in range(SPECS)]
    specs = [(spec_name(i), spec(i, versions[i])) for i in range(SPECS)]
    package = ("package.json", '{"devDependencies": {"@playwright/test": "1"}}')
    stream = [commit(0, "Start", [package, *specs])]
    for number in range(1, COMMITS):
        index = number % SPECS
        versions[index][number // SPECS % TESTS] = number
        stream.append(commit(number, f"Change {number}", [(spec_name(index), spec(index, versions[index]))]))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input="".join(stream).encode(), check=True)
    subprocess.run(["git", "checkout", "-q", "-f", "main"], cwd=folder, check=True)
    return folder


def spec_name(index: int) -> str:
    """The path of a spec."""
    return f"e2e/page{index:03}.spec.ts"


def spec(index: int, versions: list[int]) -> str:
    """A spec; the times of each test depend on its version."""
    tests = "".join(
        f"""
test('page {index} step {step}', async ({{ page }}) => {{
  await page.goto('/page/{index}/{step}');
  await page.waitForTimeout({100 + 10 * ((index + step + version) % 90)});
  await page.locator('#open-{step}').click({{ timeout: {1000 + 100 * ((index * step + version) % 40)} }});
  await expect(page.locator('.row-{index}')).toHaveText('row {step}', {{ timeout: {2000 + 250 * ((step + version) % 20)} }});
  await expect(page.locator('.total')).toBeVisible();
}});
"""
        for step, version in enumerate(versions)
    )
    return f"import {{ test, expect }} from '@playwright/test';\n{tests}"


def commit(number: int, message: str, files: list[tuple[str, str]]) -> str:
    """One commit of a fast-import stream."""
    changed = "".join(f"M 100644 inline {name}\ndata {len(text.encode())}\n{text}\n" for name, text in files)
    when = 1_700_000_000 + 3_600 * number
    author = f"committer Bench <bench@example.invalid> {when} +0000"
    return f"commit refs/heads/main\n{author}\ndata {len(message)}\n{message}\n{changed}\n"


if __name__ == "__main__":
    sys.exit(main())
