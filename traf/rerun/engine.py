"""Runs one test many times, untouched or patched, and gives the attempts: sandbox, supervisor and shim put together."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from traf.core.attempts import Attempt, AttemptError, Frame, Level, Outcome, Series, TestId
from traf.core.errors import BadInput, CannotRun, InternalError
from traf.project.model import Project
from traf.rerun.node import find_chromium, find_node, shim_path
from traf.rerun.records import clear, folder_name, write_record
from traf.rerun.sandbox import Sandbox, create_sandbox
from traf.rerun.shim import Shim
from traf.rerun.signals import uninterrupted

Until = Literal["failure", "pass"]
START_LIMIT_MS = 180_000
ATTEMPT_FLOOR_MS = 120_000
SLOWEST_FACTOR = 5
_GRACE_S = 60


@dataclass(frozen=True, slots=True)
class ListedTest:
    """A test as the framework itself lists it; `line` is that of its call, 1-based, None where it lies in another file."""

    id: TestId
    line: int | None


class Engine:
    """A sandboxed project with a running shim. Make one with `open_engine`."""

    def __init__(self, project: Project, sandbox: Sandbox, shim: Shim, *, attempt_limit_s: float | None) -> None:
        self._project = project
        self._sandbox = sandbox
        self._shim = shim
        self._attempt_limit_s = attempt_limit_s
        self._slowest_ms = 0.0
        self._chromium = find_chromium()
        self.notes: tuple[str, ...] = ()
        self.framework_version: str | None = None

    def tests(self) -> tuple[ListedTest, ...]:
        """The spec's tests, in order, one for each variant.

        Raises:
            CannotRun: when the framework or the spec does not load.
        """
        found = []
        for event in self._ask({"op": "list"}, START_LIMIT_MS):
            if event["event"] == "test":
                test = TestId(self._project.spec, tuple(event["title"]), event.get("variant"))
                found.append(ListedTest(test, event.get("line")))
        return tuple(found)

    def run(
        self,
        test: TestId,
        runs: int,
        *,
        files: Mapping[str, bytes] | None = None,
        until: Until | None = None,
        level: Level = Level.WORKER,
        jobs: int = 1,
        allowed_ms: float = 0.0,
        on_attempt: Callable[[Attempt], None] = lambda _attempt: None,
    ) -> Series:
        """Run `test` up to `runs` times with `files` (paths relative to the project root) in place of the project's own.

        Stops after the first attempt that ends as `until` says. The attempts are kept apart by `level`, or by the next
        stricter one that the framework offers, `jobs` at a time. `allowed_ms` is what the waits of the test may take: the
        limit after which a hanging attempt is ended always exceeds it, and follows the slowest attempt seen.

        Raises:
            CannotRun: when the framework ends without running the test.
            InternalError: when fewer attempts were executed than asked for.
        """
        self._sandbox.overlay(files or {})
        limit_ms = self._limit_ms(allowed_ms)
        request = {
            "op": "run",
            "title": list(test.title),
            "variant": test.variant,
            "runs": runs,
            "until": until,
            "isolation": level,
            "jobs": jobs,
            "attempt_limit_ms": limit_ms,
        }
        attempts: list[Attempt] = []
        executed = 0
        for event in self._ask(request, START_LIMIT_MS + limit_ms):
            if event["event"] == "attempt":
                attempt = self._attempt(test, event)
                attempts.append(attempt)
                self._slowest_ms = max(self._slowest_ms, attempt.duration_ms)
                on_attempt(attempt)
            elif event["event"] == "done":
                executed = int(event["executed"])
                self.notes = tuple(dict.fromkeys([*self.notes, *event.get("notes", [])]))
                self.framework_version = event.get("framework_version")
        ended = bool(attempts) and ends(attempts[-1], until)
        if executed != len(attempts) or (len(attempts) < runs and not ended):
            message = f"{runs} attempts were asked for, {executed} executed, {len(attempts)} reported"
            raise InternalError(message, slug="attempts-lost")
        return Series(tuple(attempts))

    def _limit_ms(self, allowed_ms: float) -> float:
        if self._attempt_limit_s is not None:
            return max(self._attempt_limit_s * 1000, allowed_ms)
        return max(ATTEMPT_FLOOR_MS, SLOWEST_FACTOR * self._slowest_ms) + allowed_ms

    def _ask(self, request: Mapping[str, Any], quiet_ms: float) -> Iterator[dict[str, Any]]:
        full: dict[str, Any] = {
            "framework": self._project.framework.replace(":", "-"),
            "root": str(self._sandbox.root),
            "file": self._project.spec,
            "start_limit_ms": START_LIMIT_MS,
            **request,
        }
        if self._project.config_file is not None:
            full["config"] = self._project.config_file.relative_to(self._project.root).as_posix()
        if self._chromium is not None:
            full["chromium"] = self._chromium
        for event in self._shim.ask(full, quiet_ms / 1000 + _GRACE_S):
            if event["event"] == "error":
                raise self._refusal(event)
            yield event

    def _refusal(self, event: Mapping[str, Any]) -> CannotRun | InternalError:
        kind, message = str(event.get("kind")), self._in_users_words(str(event.get("message")))
        if kind in {"internal", "bad_request"}:
            return InternalError(f"the Node shim: {message}", slug="shim-refused")
        output = self._in_users_words(str(event.get("output") or ""))
        return CannotRun(message, slug=kind.replace("_", "-"), output=output)

    def _in_users_words(self, text: str) -> str:
        """What a framework says of the sandbox, said of the user's project: the sandbox is gone when it is read."""
        return text.replace(str(self._sandbox.root), str(self._project.root))

    def _attempt(self, test: TestId, event: Mapping[str, Any]) -> Attempt:
        raw = event.get("error")
        error = None
        if raw is not None:
            frames = tuple(Frame(f["file"], int(f["line"]), int(f["column"]), f.get("function")) for f in raw["frames"])
            error = AttemptError(self._in_users_words(str(raw["message"])), frames)
        outcome, level = Outcome(event["outcome"]), Level(event["isolation"])
        return Attempt(test, int(event["index"]), outcome, float(event["duration_ms"]), error, level)


def ends(attempt: Attempt, until: Until | None) -> bool:
    """Whether a batch that is to go on until a failure, or a pass, ends with this attempt."""
    return {"failure": attempt.outcome.failed, "pass": attempt.outcome is Outcome.PASS, None: False}[until]


def _environment(cwd: Path, temp_dir: Path) -> dict[str, str]:
    """The user's environment, but for the variables that would lead a test back to the user's tree."""
    kept = {name: value for name, value in os.environ.items() if name not in {"OLDPWD", "INIT_CWD"}}
    return {**kept, "PWD": str(cwd), "TMPDIR": str(temp_dir)}


@contextmanager
def open_engine(
    project: Project,
    files: Iterable[str] | None,
    state: Path,
    runs_dir: Path,
    *,
    attempt_limit_s: float | None = None,
) -> Iterator[tuple[Engine, tuple[str, ...]]]:
    """A sandbox with `files` of the project (None: all), and an engine in it; gives the engine and remarks for the user.

    `state` is the project's state folder, where the sandbox goes; `runs_dir` where the run is written down. On leaving, by
    whatever way, every process is ended and every folder removed.

    Raises:
        BadInput: when Node is missing or too old, or temporary files would go into the user's tree.
        CannotRun: when the sandbox cannot be made.
    """
    node = find_node()
    tag = secrets.token_hex(8)
    sandbox_dir = state / "sandboxes" / folder_name(tag)
    # Not below the state folder: the path of a browser's socket has at most 107 bytes.
    temp_dir = Path(tempfile.gettempdir()) / folder_name(tag)
    if temp_dir.resolve().is_relative_to(project.root.resolve()):
        message = f"TMPDIR ({temp_dir.parent}) lies inside the repository {project.root}: name a folder outside of it"
        raise BadInput(message, slug="temp-in-repository")
    try:
        record = write_record(runs_dir, tag, [sandbox_dir, temp_dir])
    except OSError as error:
        raise CannotRun(f"{runs_dir} cannot be written: {error.strerror}", slug="state-not-writable") from error
    try:
        temp_dir.mkdir(mode=0o700)
        sandbox, warnings = create_sandbox(project.root, sandbox_dir, files)
        cwd = sandbox.root / project.package_dir.relative_to(project.root)
        shim = Shim(record, tag, [node, str(shim_path())], cwd, _environment(cwd, temp_dir), temp_dir / "shim.log")
    except BaseException:
        with uninterrupted():
            clear(record)
        raise
    with shim:
        yield Engine(project, sandbox, shim, attempt_limit_s=attempt_limit_s), warnings
