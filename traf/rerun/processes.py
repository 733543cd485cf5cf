"""Finding and ending every process of a run, also those that left its process group.

Chromium and other daemons fork twice and start a session of their own, so killing a process group misses them. Two things
hold them: every process of a run inherits the environment variable TAG, and on Linux the supervisor is a subreaper, so that
orphans become its children (measured in practice: the tag alone misses a process that clears its environment).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable

import psutil

TAG = "TRAF_RUN"
POLITE_S = 2.0
FORCED_S = 5.0
_PAUSE_S = 0.05


def tagged(tag: str) -> list[psutil.Process]:
    """All living processes that carry `tag` in their environment, but for the caller."""
    found = []
    me = psutil.Process().pid
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != me and process.environ().get(TAG) == tag and _alive(process):
                found.append(process)
    return found


def descendants() -> list[psutil.Process]:
    """All processes below the caller; for a subreaper that includes orphans."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process().children(recursive=True)
    return []


def end_all(
    find: Callable[[], Iterable[psutil.Process]], polite_s: float = POLITE_S, forced_s: float = FORCED_S
) -> bool:
    """Terminate what `find` finds, then kill it, until nothing is found; True when nothing is left.

    `find` is asked again and again, since a dying process may still start others. psutil checks a process's start time
    before it signals, so a reused process id is never hit.
    """
    start = time.monotonic()
    asked: set[psutil.Process] = set()
    while True:
        alive = [p for p in find() if _alive(p)]
        if not alive:
            return True
        waited = time.monotonic() - start
        if waited > polite_s + forced_s:
            return False
        for process in alive:
            with contextlib.suppress(psutil.Error):
                if waited > polite_s:
                    process.kill()
                elif process not in asked:
                    asked.add(process)
                    process.terminate()
        psutil.wait_procs(alive, timeout=_PAUSE_S)


def _alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
