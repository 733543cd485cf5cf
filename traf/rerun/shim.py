"""The client of the Node shim: starts it under the supervisor, asks, and reads events (js_runner/PROTOCOL.md)."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from traf.core.errors import InternalError
from traf.rerun.processes import TAG
from traf.rerun.records import clear
from traf.rerun.signals import uninterrupted

CLOSE_S = 20.0
_CHUNK = 65_536
_LOG_TAIL = 2_000
# Isolated (-I), so that neither the user's files nor PYTHON* variables can shadow what the supervisor imports.
_SUPERVISOR = """
import sys
sys.path.insert(0, sys.argv[1])
from traf.rerun.supervisor import main
sys.exit(main(sys.argv[2:]))
"""


class Shim:
    """One running shim. Use as a context manager: leaving it ends every process of the run and removes its folders."""

    def __init__(
        self, record: Path, tag: str, command: list[str], cwd: Path, env: Mapping[str, str], log: Path
    ) -> None:
        """Start `command` in `cwd` under a supervisor that owns the run `tag`; its standard error goes to `log`."""
        self._record = record
        self._log = log
        self._buffer = b""
        self._last_id = 0
        library = str(Path(__file__).resolve().parents[2])
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _SUPERVISOR, library, str(record), str(log), str(cwd), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            env={**env, TAG: tag},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with uninterrupted():
            self.close()

    def close(self) -> None:
        """End the run: the supervisor does it when its pipe closes; should it be gone or stuck, we do."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        try:
            self._process.wait(CLOSE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._record.exists():
            clear(self._record)

    def ask(self, request: Mapping[str, Any], silence_s: float) -> Iterator[dict[str, Any]]:
        """Send a request and give its events up to and including `done` or `error`.

        Raises:
            InternalError: when the shim ends, or says nothing for `silence_s` (its own limits should act long before).
        """
        self._last_id += 1
        assert self._process.stdin is not None
        try:
            self._process.stdin.write((json.dumps({"id": self._last_id, **request}) + "\n").encode())
        except BrokenPipeError:
            raise self._broken("ended before it was asked") from None
        while True:
            event = self._read(silence_s)
            if event.get("id") == self._last_id:
                yield event
                if event.get("event") in {"done", "error"}:
                    return

    def _read(self, silence_s: float) -> dict[str, Any]:
        assert self._process.stdout is not None
        events = self._process.stdout.fileno()
        deadline = time.monotonic() + silence_s
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([events], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise self._broken(f"has said nothing for {silence_s:.0f} s")
            chunk = os.read(events, _CHUNK)
            if not chunk:
                raise self._broken("ended in the middle of a request")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict):
                return event
        raise self._broken(f"sent what is no event: {line[:200]!r}")

    def _broken(self, what: str) -> InternalError:
        tail = ""
        with contextlib.suppress(OSError):
            tail = self._log.read_bytes()[-_LOG_TAIL:].decode("utf-8", "replace").strip()
        return InternalError(f"the Node shim {what}" + (f": {tail}" if tail else ""), slug="shim-broken")
