"""The small process between traf and the user's tests: it owns all that runs, and ends it, however traf ends.

It runs in a session of its own, so a Ctrl-C at the terminal reaches traf alone. Its standard input is the pipe of requests,
which it passes on to the Node shim and only watches itself: when traf closes that pipe, or dies by any signal, the
supervisor ends the whole process tree, removes the run's folders and at last its record. Its standard output becomes the
shim's event descriptor.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from traf.rerun.processes import TAG, descendants, end_all, tagged
from traf.rerun.records import clear

EVENTS_FD = 3
_PR_SET_CHILD_SUBREAPER = 36
_REAP_EVERY_MS = 250
_HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main(arguments: list[str]) -> int:
    """RECORD LOG CWD COMMAND...: supervise the command; gives its exit status (128 + n where a signal ended it)."""
    record, log, cwd, *command = arguments
    become_subreaper()
    for number in _HANDLED:
        signal.signal(number, signal.SIG_IGN)  # traf closes the pipe; a signal to the group must not leave orphans
    try:
        child = _start(command, cwd, Path(log))
        return _wait(child)
    finally:
        end_all(lambda: {*descendants(), *tagged(os.environ[TAG])})
        clear(Path(record))


def become_subreaper() -> None:
    """Ask Linux to make orphaned descendants our children; elsewhere the environment tag alone must do."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _start(command: list[str], cwd: str, log: Path) -> subprocess.Popen[bytes]:
    os.dup2(1, EVENTS_FD)
    with log.open("wb") as errors:
        child = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=0,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(EVENTS_FD,),
            preexec_fn=_default_signals,  # noqa: PLW1509 - this process has one thread
        )
    for copy in (1, EVENTS_FD):  # so that traf sees the end of events when the shim ends
        os.close(copy)
    return child


def _default_signals() -> None:
    for number in _HANDLED:
        signal.signal(number, signal.SIG_DFL)


def _wait(child: subprocess.Popen[bytes]) -> int:
    """Reap children until the command itself has ended or nobody holds the other end of the request pipe."""
    poller = select.poll()
    poller.register(0, 0)  # no event but the hang-up: the requests are the shim's to read
    while not poller.poll(_REAP_EVERY_MS):
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                if pid == child.pid:
                    code = os.waitstatus_to_exitcode(status)
                    child.returncode = code
                    return code if code >= 0 else 128 - code
    return 0
