"""Reads file contents of commits through one long-lived `git cat-file --batch`."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import IO

from traf.git.command import attempt, command, environment


class ObjectReader:
    """Contents by commit and path. The process is started by the first read and ended by `close`."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, commit: str, path: str) -> bytes | None:
        """The file as it stands in the commit; None if it is no file there or its object is not in this clone."""
        name = f"{commit}:{path}"
        if "\n" in path:  # cannot be asked for in a protocol of lines
            done = attempt(self._top, "cat-file", "blob", name)
            return None if done.returncode else done.stdout
        try:
            return self._ask(os.fsencode(name))
        except (BrokenPipeError, EOFError):  # git gave up on a damaged repository
            self.close()
            return None

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            with suppress(BrokenPipeError), process:  # closes the pipes, with what could not be said, and waits
                pass

    def _ask(self, name: bytes) -> bytes | None:
        sink, source = self._pipes()
        sink.write(name + b"\n")
        sink.flush()
        header = source.readline()
        if not header.endswith(b"\n"):
            raise EOFError
        if header.endswith((b" missing\n", b" ambiguous\n")):
            return None
        _, kind, size = header.split()
        data = source.read(int(size) + 1)
        if len(data) != int(size) + 1:
            raise EOFError
        return data[:-1] if kind == b"blob" else None

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            self._process = subprocess.Popen(
                command("cat-file", "--batch"),
                cwd=self._top,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout
