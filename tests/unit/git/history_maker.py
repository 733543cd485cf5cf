"""Makes small real git histories, apart from the configuration and the clock of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

HOSTILE = [
    "with space.js",
    "tab\tin it.js",
    'quo"te.js',
    "new\nline.js",
    "-dash.js",
    "--output=x.js",
    ":(glob)**.js",
    ":!not.js",
    "star*.js",
    "naïve ☕.js",
    "back\\slash.js",
    "HEAD",
]
"""Names that a shell, git or a patch would take for something else."""


class HistoryMaker:
    """A repository under `top` in which every commit is a minute younger than the one before."""

    def __init__(self, top: Path, *, fresh: bool = True) -> None:
        self.top = top
        self.minute = 0
        if fresh:
            top.mkdir(parents=True)
            self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        date = f"{1_700_000_000 + 60 * self.minute} +0000"
        own = {
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always")
        done = subprocess.run(
            ["git", *who, *arguments], cwd=self.top, env=kept | own, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def write_all(self, files: dict[str, str | bytes | None]) -> None:
        for name, content in files.items():
            path = self.top / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files: dict[str, str | bytes | None] | None = None) -> str:
        """Write the files (None deletes one), commit everything, and give the commit."""
        self.write_all(files or {})
        self.minute += 1
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", f"step {self.minute}")
        return self.git("rev-parse", "HEAD")
