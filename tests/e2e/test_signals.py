"""A repair that is cut short at any moment: the tree is byte-identical, and no process and no folder is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from tests.e2e.conftest import Bundled
from tests.support.cli import environment, traf
from tests.support.trees import fingerprint
from tests.support.waiting import eventually

# Seconds after the first line of ours. What must hold, holds at any moment: these only have to fall into different phases
# of a repair, from start-up over copying, listing and the first runs to the search.
POINTS_S = (0.0, 0.3, 0.6, 0.9, 1.3, 1.8, 2.5, 3.2, 4.0, 5.5)


# What the interpreter does with a signal before it runs our first line is its own affair: the clock starts after that.
START = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.write(2, b"up\\n")
from traf.cli.entry import main
main()
"""


def start(parcels: Bundled, temp: Path, *, new_session: bool = False) -> subprocess.Popen[bytes]:
    options = ["--mode", "full", "--runs", "40", "--assume-flaky"]
    process = subprocess.Popen(
        [sys.executable, "-c", START, "repair", parcels.place("a"), *options],
        cwd=parcels.project,
        env=environment(parcels.state, TMPDIR=str(temp), TRAF_TEST_MARK=str(temp)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=new_session,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"up\n"
    return process


@pytest.mark.browser
@pytest.mark.xdist_group("signals")
def test_sigint_is_heard_where_a_background_shell_had_it_ignored(parcels: Bundled, temp: Path) -> None:
    ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = start(parcels, temp)
    finally:
        signal.signal(signal.SIGINT, ignored)
    assert process.stderr is not None
    process.stderr.readline()  # the first batch has ended
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    assert left_behind(parcels, temp) == []
    temp.rmdir()


def marked(temp: Path) -> list[psutil.Process]:
    """Living processes of the run that used `temp`."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("TRAF_TEST_MARK") == str(temp) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def left_behind(parcels: Bundled, temp: Path) -> list[str]:
    folders = [*temp.iterdir(), *parcels.state.rglob("traf-*"), *(parcels.state / "runs").glob("*")]
    return [*map(str, folders), *map(str, marked(temp))]


@pytest.fixture
def temp() -> Path:
    """A short folder for temporary files: a browser's socket must fit into 107 bytes."""
    return Path(tempfile.mkdtemp(prefix="t-"))


@pytest.mark.browser
@pytest.mark.xdist_group("signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_ends_a_repair_in_good_order(parcels: Bundled, temp: Path, number: signal.Signals) -> None:
    before = fingerprint(parcels.project)
    for after_s in POINTS_S:
        process = start(parcels, temp)
        time.sleep(after_s)
        process.send_signal(number)
        out, err = process.communicate()
        # Before the handlers stand, the signal itself ends the process; a shell shows the same status for both.
        assert process.returncode in {128 + number, -number}, err.decode()
        assert out == b""
        assert b"Traceback" not in err
        assert left_behind(parcels, temp) == [], f"after {after_s} s"
    assert fingerprint(parcels.project) == before
    temp.rmdir()


@pytest.mark.browser
@pytest.mark.xdist_group("signals")
def test_after_a_kill_the_next_start_leaves_nothing(parcels: Bundled, temp: Path) -> None:
    before = fingerprint(parcels.project)
    for after_s in POINTS_S[1::2]:
        process = start(parcels, temp)
        time.sleep(after_s)
        process.kill()
        process.communicate()
    done = traf(parcels.project, parcels.state, "repair", parcels.place("a"), "--dry-run", TMPDIR=str(temp))
    assert done.code == 0, done.err
    # Supervisors that are still clearing up by themselves may take their time.
    eventually(lambda: left_behind(parcels, temp) == [])
    assert fingerprint(parcels.project) == before
    temp.rmdir()


@pytest.mark.browser
@pytest.mark.xdist_group("signals")
def test_ctrl_c_at_the_terminal_reaches_the_whole_group_and_ends_once(parcels: Bundled, temp: Path) -> None:
    process = start(parcels, temp, new_session=True)
    assert process.stderr is not None
    process.stderr.readline()  # the first batch has ended, so the shim is at work
    for _ in range(3):
        os.killpg(process.pid, signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    assert left_behind(parcels, temp) == []
    temp.rmdir()
