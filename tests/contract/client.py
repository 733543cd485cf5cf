"""A small client of the Node shim: one host process, requests in, events out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HOST = Path(__file__).parents[2] / "js_runner" / "host.mjs"

# Becomes a command that finds the pipe on 3, whatever its number was.
ON_THREE = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.execvp(sys.argv[2], sys.argv[2:])"


class Host:
    """`node host.mjs` in `package`, with the event pipe on its descriptor 3."""

    def __init__(self, package: Path, root: Path, tmp: Path) -> None:
        self.root = root
        self._next_id = 0
        read_fd, write_fd = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_THREE, str(write_fd), "node", str(HOST)],
            cwd=package,
            env={**os.environ, "TMPDIR": str(tmp)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=None if os.environ.get("HOST_STDERR") else subprocess.DEVNULL,
            pass_fds=(write_fd,),
            text=True,
        )
        os.close(write_fd)
        self.events = os.fdopen(read_fd, encoding="utf-8")

    def send(self, **request: Any) -> int:
        """Send one request; its id."""
        self._next_id += 1
        line = json.dumps({"id": self._next_id, "root": str(self.root), **request})
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self._next_id

    def receive(self) -> dict[str, Any]:
        """The next event."""
        return json.loads(self.events.readline())

    def ask(self, **request: Any) -> list[dict[str, Any]]:
        """Send a request and take its events up to `done` or `error`."""
        expected = self.send(**request)
        events = []
        while True:
            event = self.receive()
            assert event.pop("id") == expected
            events.append(event)
            if event["event"] in {"done", "error"}:
                return events

    def list(self, framework: str, file: str, **more: Any) -> list[dict[str, Any]]:
        """The events of a `list` request."""
        return self.ask(op="list", framework=framework, file=file, **{"start_limit_ms": 60_000, **more})

    def run(self, framework: str, file: str, title: list[str], **more: Any) -> list[dict[str, Any]]:
        """The events of a `run` request; three attempts unless said otherwise."""
        limits = {"start_limit_ms": 60_000, "attempt_limit_ms": 60_000}
        return self.ask(
            op="run", framework=framework, file=file, title=title, **{"runs": 3, "jobs": 1, **limits, **more}
        )

    def close(self) -> None:
        """End the host as a caller does: by the end of its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.events.close()


def outcomes(events: list[dict[str, Any]]) -> list[str]:
    """The outcomes of the attempts among events."""
    return [event["outcome"] for event in events if event["event"] == "attempt"]
