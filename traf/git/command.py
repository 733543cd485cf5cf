"""Runs git so that nothing a repository or the environment holds can run a program or change what git prints.

A thin wrapper of `subprocess` and not GitPython: GitPython hands the inherited environment on and can add variables but
not remove them, so a `GIT_EXTERNAL_DIFF` or `GIT_DIR` of the caller would reach git; it reads `GIT_DIR` itself as well.
Here one function makes the command line and one the environment, and no other place of traf starts git. It also saves
GitPython's import (0.15 s). The user's own configuration (system and global) stays in force for what it is meant for:
ignored files and `safe.directory`. The repository's configuration can only say where things lie.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from traf.core.errors import BadInput

TIME_LIMIT_S = 120
"""After this time a git call counts as hanging (a network file system, a pipe where git expects a file)."""

_SETTINGS = (
    "advice.graftFileDeprecated=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "color.ui=false",
    "diff.mnemonicPrefix=false",
    "diff.noprefix=false",
    "diff.orderFile=/dev/null",
    "diff.relative=false",
    "diff.suppressBlankEmpty=false",
    "i18n.logOutputEncoding=utf-8",
    "log.follow=false",
    "log.showSignature=false",
    "submodule.recurse=false",
)
_OPTIONS = (
    "--no-pager",
    "--literal-pathspecs",
    "--no-replace-objects",
    *(part for setting in _SETTINGS for part in ("-c", setting)),
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # nothing is ever fetched, so no transport helper or ssh command runs
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def command(*arguments: str) -> list[str]:
    """The command line of a hardened git call."""
    return ["git", *_OPTIONS, *arguments]


def environment() -> dict[str, str]:
    """The caller's environment without any `GIT_*`, with git's own safety switches."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _ENVIRONMENT


def attempt(directory: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run git in `directory` and hand back whatever it says.

    Raises:
        BadInput: git cannot be started, or it hangs.
    """
    try:
        return subprocess.run(
            command(*arguments),
            cwd=directory,
            env=environment(),
            input=stdin,
            capture_output=True,
            timeout=TIME_LIMIT_S,
            check=False,
        )
    except OSError as error:
        raise BadInput(
            f"{directory} is in a git repository, but git cannot be started ({error.strerror}); is git installed?",
            slug="git-missing",
        ) from None
    except subprocess.TimeoutExpired:
        raise BadInput(
            f"git {arguments[0]} did not end within {TIME_LIMIT_S} s in {directory}; try it there by hand",
            slug="git-hangs",
        ) from None


def output(directory: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """What git prints.

    Raises:
        BadInput: git fails, in its own words.
    """
    done = attempt(directory, *arguments, stdin=stdin)
    if done.returncode:
        raise failure(directory, arguments[0], done.stderr)
    return done.stdout


def failure(directory: Path, subcommand: str, stderr: bytes) -> BadInput:
    """Git's complaint as one line."""
    if b"dubious ownership" in stderr or b"unsafe repository" in stderr:
        return BadInput(
            f"git does not read the repository at {directory} because another user owns it; if you trust it: "
            f"git config --global --add safe.directory DIRECTORY",
            slug="git-owner",
        )
    lines = stderr.decode(errors="replace").splitlines()
    said = next((line for line in lines if line.startswith(("fatal:", "error:"))), "it gave no reason")
    said = "".join(c if c.isprintable() else "?" for c in said)
    return BadInput(f"git {subcommand} failed in {directory}: {said}", slug="git-failed")
