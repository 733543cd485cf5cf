"""The one contract suite: what every adapter must do, seen with the real framework.

A framework's test module makes a `lab` (fixture, scope "module") and subclasses `Contract`. The lab's spec holds tests with
these titles, written in the framework's own syntax; a title path is joined by the framework's own blocks:

* `focused`: an `.only` where the framework has one; passes.
* `odd ones fail`: fails in odd executions, by a counter file; first also checks that no
  variable of ours is in the environment.
* `outer` > `same 1`, `same 2`: parametrised or made in a loop; pass. `inner` > `same 1`: throws "the wrong one".
* `outer` > HOSTILE: floods the console with 5 MB and writes forged events.
* `hooks` > `broken by its hook`: its beforeEach throws.
* `too slow`: never ends, in a limit of its own below a second.
* `left out`: skipped.
* `exits`: ends the process in odd executions.
* `hangs`: blocks the process in its second execution.
* `retried in code`: as `odd ones fail`, with retries set in the test's own code, where the framework has them.
* `keeps state`: counts in a module of the project; passes only if that module is fresh.
* `rejects`: a promise that nobody waits for is rejected, where the framework fails the test for it.

The file `twice` holds the title `same` two times, the file `broken` does not parse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.contract.client import Host, outcomes
from tests.contract.conftest import tree

HOSTILE = 'it\'s "q" `b` $1 $& [a-z]* (x|y)? \\d 😀\nline'
HOSTILE_JS = "'" + HOSTILE.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
LEVELS = ("warm", "worker", "process")

SUPPORT = """const fs = require('fs');
const path = require('path');
let loads = 0;
exports.load = () => ++loads;
/** Counts across processes, by a file. */
exports.next = (name) => {
  const file = path.join(__dirname, 'counters', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, '.');
  return fs.statSync(file).size;
};
"""
"""The project's own module that specs of CommonJS labs load, `support.js` beside the spec."""


@dataclass
class Lab:
    """A project of one framework, and a host in it. Files are relative to `root`; `lines` are those of the spec's tests."""

    framework: str
    host: Host
    root: Path
    spec: str
    twice: str
    broken: str
    lines: dict[str, int]
    variant: str | None = None
    counters: str = "counters"
    """The folder of the counter files, from the spec's."""
    duplicates: str = "no_test"
    """What an adapter says of a title that two tests bear: the framework may not even load such a file."""
    retries_in_code: bool = True
    without: set[str] = field(default_factory=set)
    """Titles that this framework cannot express."""

    def run(self, *title: str, file: str | None = None, **more: Any) -> list[dict[str, Any]]:
        """The events of a `run` request."""
        return self.host.run(self.framework, file or self.spec, list(title), **{"variant": self.variant, **more})

    def list(self, file: str | None = None) -> list[dict[str, Any]]:
        """The events of a `list` request."""
        return self.host.list(self.framework, file or self.spec)

    def counted(self, name: str) -> int:
        """How often a test was executed, by its counter file."""
        file = (self.root / self.spec).parent / self.counters / name
        return file.stat().st_size if file.exists() else 0

    def forget(self, name: str) -> None:
        """Start a counter anew."""
        ((self.root / self.spec).parent / self.counters / name).unlink(missing_ok=True)


class Contract:
    """What holds for every adapter. Attempts fail or pass by counter files, so nothing depends on time or chance."""

    @pytest.fixture(autouse=True)
    def nothing_left_behind(self, lab: Lab) -> Iterator[None]:
        before = tree(lab.root)
        yield
        assert tree(lab.root) == before

    def test_lists_every_test_of_the_file(self, lab: Lab) -> None:
        *tests, done = lab.list()
        assert done["event"] == "done"
        mine = [test for test in tests if lab.variant in (None, test["variant"])]
        titles = [test["title"] for test in mine]
        assert ["odd ones fail"] in titles
        assert ["outer", HOSTILE] in titles
        assert ["outer", "same 2"] in titles
        lines = {test["title"][-1]: test["line"] for test in mine}
        for title, line in lab.lines.items():
            assert lines[title] == line, title

    @pytest.mark.parametrize("isolation", LEVELS)
    def test_attempts_are_single_executions(self, lab: Lab, isolation: str) -> None:
        lab.forget("odd")
        *attempts, done = lab.run("odd ones fail", runs=4, isolation=isolation)
        assert outcomes(attempts) == ["fail", "pass", "fail", "pass"], attempts
        assert [attempt["index"] for attempt in attempts] == [0, 1, 2, 3]
        assert done["executed"] == 4
        assert {attempt["isolation"] for attempt in attempts} <= set(LEVELS[LEVELS.index(isolation) :])
        assert lab.counted("odd") == 4
        error = attempts[0]["error"]
        assert "\x1b" not in error["message"]
        assert error["frames"][0]["file"] == lab.spec
        assert error["frames"][0]["line"] == lab.lines["odd ones fail"] + 3
        assert attempts[1]["error"] is None

    @pytest.mark.parametrize("isolation", LEVELS)
    def test_retries_in_code_are_not_taken(self, lab: Lab, isolation: str) -> None:
        if not lab.retries_in_code:
            pytest.skip("this framework has no retries in code")
        lab.forget("retried")
        *attempts, _ = lab.run("retried in code", runs=4, isolation=isolation)
        assert outcomes(attempts) == ["fail", "pass", "fail", "pass"]
        assert lab.counted("retried") == 4

    @pytest.mark.parametrize("isolation", ["worker", "process"])
    def test_modules_are_fresh(self, lab: Lab, isolation: str) -> None:
        *attempts, _ = lab.run("keeps state", runs=3, isolation=isolation)
        assert outcomes(attempts) == ["pass"] * 3

    def test_the_search_ends_with_the_first_decisive_attempt(self, lab: Lab) -> None:
        lab.forget("odd")
        *attempts, done = lab.run("odd ones fail", runs=6, until="pass")
        assert outcomes(attempts) == ["fail", "pass"]
        assert done["executed"] == 2
        lab.forget("odd")
        *attempts, done = lab.run("odd ones fail", runs=6, until="failure", isolation="process")
        assert outcomes(attempts) == ["fail"]

    def test_a_hostile_title_selects_one_test_and_its_output_harms_nothing(self, lab: Lab) -> None:
        *attempts, done = lab.run("outer", HOSTILE, runs=2)
        assert outcomes(attempts) == ["pass", "pass"], attempts
        assert done["executed"] == 2

    def test_equal_names_in_other_blocks_and_loops(self, lab: Lab) -> None:
        *attempts, _ = lab.run("outer", "same 1", runs=2)
        assert outcomes(attempts) == ["pass", "pass"]
        *attempts, _ = lab.run("inner", "same 1", runs=1)
        assert outcomes(attempts) == ["fail"]
        assert "the wrong one" in attempts[0]["error"]["message"]

    @pytest.mark.parametrize(
        ("title", "outcome"),
        [
            (("hooks", "broken by its hook"), "error"),
            (("too slow",), "timeout"),
            (("left out",), "skip"),
            (("rejects",), "fail"),
        ],
        ids=lambda value: value if isinstance(value, str) else value[-1].replace(" ", "-"),
    )
    def test_outcome(self, lab: Lab, title: tuple[str, ...], outcome: str) -> None:
        if title[-1] in lab.without:
            pytest.skip("this framework cannot express it")
        attempt, done = lab.run(*title, runs=1)
        assert attempt["outcome"] == outcome, attempt
        assert done["executed"] == 1

    @pytest.mark.parametrize("isolation", ["worker", "process"])
    def test_a_crash_is_one_attempt(self, lab: Lab, isolation: str) -> None:
        lab.forget("exits")
        *attempts, done = lab.run("exits", runs=3, isolation=isolation)
        assert outcomes(attempts) == ["crash", "pass", "crash"], attempts
        assert done["executed"] == 3

    def test_a_hang_is_ended_and_the_rest_goes_on(self, lab: Lab) -> None:
        lab.forget("hangs")
        *attempts, done = lab.run("hangs", runs=3, attempt_limit_ms=15_000)
        assert outcomes(attempts) == ["pass", "timeout", "pass"], attempts
        assert done["executed"] == 3

    def test_two_jobs(self, lab: Lab) -> None:
        *attempts, done = lab.run("outer", "same 2", runs=4, jobs=2)
        assert outcomes(attempts) == ["pass"] * 4
        assert done["executed"] == 4

    def test_a_file_that_does_not_load(self, lab: Lab) -> None:
        [error] = lab.list(lab.broken)
        assert error["kind"] == "load_failed"

    def test_a_title_that_selects_nothing_or_too_much(self, lab: Lab) -> None:
        for isolation in LEVELS:
            [error] = lab.run("nowhere", isolation=isolation)
            assert (error["event"], error["kind"]) == ("error", "no_test"), error
        [error] = lab.run("same", file=lab.twice)
        assert (error["event"], error["kind"]) == ("error", lab.duplicates), error
