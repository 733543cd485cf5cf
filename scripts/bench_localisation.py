"""Measures one suggestion with history on a repository of 30,000 commits, beside a bare `git log -p` over the same directory.

Times are those beyond interpreter start and imports. Cold: nothing is remembered; each suggestion has its own state folder.
Warm: the same suggestion again.
"""

from __future__ import annotations

import math
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from traf.git import open_objects
from traf.git.command import command, environment
from traf.localization.cache import Cache
from traf.localization.evidence import query_of
from traf.localization.ground import commit_ground
from traf.localization.model import Rung
from traf.localization.suggest import Asked, RankerName, suggest
from traf.project.commits import CommitSurveyor
from traf.syntax import choose_site

COMMITS = 30_000
SPECS = 12
LINES = 60
EVERY = 25
"""One commit of so many touches the directory."""

SUGGESTIONS = 12
COLD_LIMIT_S = 1.5
WARM_LIMIT_S = 0.3
LOGS = 3.0
SPARE_S = 0.2


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds: a bare `git log -p` over the directory (median), suggestions with a cold and a warm cache (95th percentile)."""

    log_s: float
    cold_s: float
    warm_s: float

    @property
    def allowed_s(self) -> float:
        """What a suggestion with a cold cache may take."""
        return min(COLD_LIMIT_S, LOGS * self.log_s + SPARE_S)


def measure(folder: Path) -> Measured:
    """Make the repository in `folder` and ask for suggestions at its tip."""
    top = folder / "many.git"
    _make(top)
    logs = sorted(_seconds(lambda: _log(top)) for _ in range(3))
    cold, warm = [], []
    for number in range(SUGGESTIONS):
        memory = folder / f"{number}.sqlite"
        cold.append(_seconds(lambda at=number, path=memory: _suggest(top, at % SPECS, path)))
        warm.append(_seconds(lambda at=number, path=memory: _suggest(top, at % SPECS, path)))
    return Measured(logs[1], _p95(cold), _p95(warm))


def _suggest(top: Path, spec: int, memory: Path) -> None:
    cache = Cache(memory)
    with open_objects(top) as repository:
        commit = repository.commit("HEAD")
        surveyor = CommitSurveyor(repository.tree(commit))
        survey = surveyor.survey_file(f"e2e/s{spec}.spec.ts")
        ground = commit_ground(repository, commit, survey.source, survey.context, cache)
        site = choose_site(survey.source, survey.context, 10)
        query = query_of(ground, site, site.ms, site.ms or 0.0)
        assert suggest(Asked(ground, query, (site.line,)), RankerName.LEARNED, tuple(Rung))
        surveyor.close()
    cache.close()


def _log(top: Path) -> None:
    subprocess.run(
        command("log", "-p", "HEAD", "--", "e2e"), cwd=top, env=environment(), stdout=subprocess.DEVNULL, check=True
    )


def _make(top: Path) -> None:
    """A bare repository; most commits change sources, some raise a wait of a spec."""
    subprocess.run(["git", "init", "--bare", "-q", str(top)], check=True)
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=top, stdin=subprocess.PIPE) as importer:
        assert importer.stdin is not None
        for part in _stream():
            importer.stdin.write(part)
    subprocess.run(["git", "symbolic-ref", "HEAD", "refs/heads/main"], cwd=top, check=True)


def _stream() -> Iterator[bytes]:
    chance = random.Random(1)
    specs = [[500 + 100 * (line % 20) for line in range(LINES)] for _ in range(SPECS)]
    for number in range(COMMITS):
        message = f"Change {number}".encode()
        yield b"commit refs/heads/main\ncommitter A <a@b.c> %d +0000\n" % (1_500_000_000 + number * 3600)
        yield b"data %d\n%b\n" % (len(message), message)
        if number == 0:
            yield _file("package.json", '{"devDependencies": {"@playwright/test": "1"}}')
            for spec in range(SPECS):
                yield _file(f"e2e/s{spec}.spec.ts", _spec(specs[spec]))
        elif number % EVERY == 0:
            spec = chance.randrange(SPECS)
            specs[spec][chance.randrange(LINES)] += chance.choice((100, 500, 1000))
            yield _file(f"e2e/s{spec}.spec.ts", _spec(specs[spec]))
        else:
            yield _file(f"src/m{chance.randrange(400)}.ts", f"export const n = {number};\n" * 5)
    yield b"done\n"


def _file(path: str, text: str) -> bytes:
    return b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(text.encode()), text.encode())


def _spec(times: list[int]) -> str:
    body = "".join(
        f"  await page.getByText('r{at}').click();\n  await page.waitForTimeout({ms});\n" for at, ms in enumerate(times)
    )
    return f"import {{ test }} from '@playwright/test';\n\ntest('works', async ({{ page }}) => {{\n{body}}});\n"


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _p95(values: list[float]) -> float:
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]
