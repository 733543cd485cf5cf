"""Nothing of a run outlives it, whoever is killed: real processes that fork twice and ignore signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.support.waiting import eventually
from traf.core.errors import InternalError
from traf.rerun.processes import TAG, tagged
from traf.rerun.records import folder_name, remove_folder, sweep, write_record
from traf.rerun.shim import Shim

ROOT = Path(__file__).resolve().parents[2]

# A shim that answers, and starts what Chromium and bad tests start: a daemon that forked twice, left the session, ignores TERM.
SHIM = """
import json, os, signal, sys, time

def daemon(ready):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for fd in range(4):
                os.close(fd)
            open(ready, "w").write(str(os.getpid()))
            time.sleep(600)
        os._exit(0)

for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "daemon":
        daemon(request["ready"])
        os.wait()
        while not os.path.exists(request["ready"]) or not open(request["ready"]).read():
            time.sleep(0.01)
    if request["op"] == "die":
        print("the shim's last words", file=sys.stderr, flush=True)
        os._exit(7)
    if request["op"] == "garbage":
        os.write(3, b"no event at all\\n")
    if request["op"] == "hush":
        time.sleep(600)
    os.write(3, (json.dumps({"id": request["id"], "event": "done", "pid": os.getpid()}) + "\\n").encode())
"""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[tuple[Path, str, Path]]:
    """A record, its tag, and its folder."""
    tag = os.urandom(8).hex()
    folder = tmp_path / folder_name(tag)
    folder.mkdir()
    record = write_record(tmp_path / "runs", tag, [folder])
    yield record, tag, folder
    for process in tagged(tag):
        process.kill()


def start(run: tuple[Path, str, Path]) -> Shim:
    record, tag, folder = run
    return Shim(record, tag, [sys.executable, "-c", SHIM], folder, os.environ, folder / "shim.log")


def test_requests_and_events_go_through(run: tuple[Path, str, Path]) -> None:
    with start(run) as shim:
        (first,) = shim.ask({"op": "hello"}, 30)
        (second,) = shim.ask({"op": "hello"}, 30)
    assert (first["event"], second["event"]) == ("done", "done")
    assert second["id"] == first["id"] + 1


def test_closing_ends_a_daemon_that_left_and_ignores_signals(run: tuple[Path, str, Path]) -> None:
    record, tag, folder = run
    with start(run) as shim:
        list(shim.ask({"op": "daemon", "ready": str(folder / "pid")}, 30))
        daemon = int((folder / "pid").read_text())
        assert psutil.pid_exists(daemon)
    assert not psutil.pid_exists(daemon)
    assert tagged(tag) == []
    assert not folder.exists()
    assert not record.exists()


def test_a_dead_shim_is_an_error_that_quotes_its_last_words(run: tuple[Path, str, Path]) -> None:
    with start(run) as shim, pytest.raises(InternalError, match="last words"):
        list(shim.ask({"op": "die"}, 30))


def test_what_is_no_event_is_an_error(run: tuple[Path, str, Path]) -> None:
    with start(run) as shim, pytest.raises(InternalError, match="no event"):
        list(shim.ask({"op": "garbage"}, 30))


def test_a_silent_shim_is_an_error_and_is_ended(run: tuple[Path, str, Path]) -> None:
    with start(run) as shim, pytest.raises(InternalError, match="said nothing"):
        list(shim.ask({"op": "hush"}, 0.2))
    assert tagged(run[1]) == []


HOLDER = f"""
import os, sys, time
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from traf.rerun.records import write_record
from traf.rerun.shim import Shim
tag, folder, runs = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
record = write_record(runs, tag, [folder])
shim = Shim(record, tag, [sys.executable, "-c", {SHIM!r}], folder, os.environ, folder / "shim.log")
list(shim.ask({{"op": "daemon", "ready": str(folder / "pid")}}, 30))
print("ready", flush=True)
time.sleep(600)
"""


def hold(tmp_path: Path) -> tuple[subprocess.Popen[bytes], str, Path, Path]:
    """A process in the place of traf that holds a running shim."""
    tag = os.urandom(8).hex()
    folder = tmp_path / folder_name(tag)
    folder.mkdir()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, tag, str(folder), str(tmp_path / "runs")], stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"ready\n"
    holder.stdout.close()
    return holder, tag, folder, tmp_path / "runs" / f"{tag}.json"


def test_when_traf_is_killed_the_supervisor_ends_everything(tmp_path: Path) -> None:
    holder, tag, folder, record = hold(tmp_path)
    holder.kill()
    holder.wait()
    eventually(lambda: not record.exists() and not tagged(tag))  # the supervisor goes last
    assert not folder.exists()


def test_when_both_are_killed_the_next_start_ends_everything(tmp_path: Path) -> None:
    holder, tag, folder, record = hold(tmp_path)
    (supervisor,) = psutil.Process(holder.pid).children()
    supervisor.kill()
    holder.kill()
    holder.wait()
    daemon = int((folder / "pid").read_text())
    assert psutil.pid_exists(daemon)
    assert sweep(tmp_path / "runs") == 1
    assert tagged(tag) == []
    assert not psutil.pid_exists(daemon) or psutil.Process(daemon).status() == psutil.STATUS_ZOMBIE
    assert not folder.exists()
    assert not record.exists()


def test_a_sweep_leaves_living_runs_alone(run: tuple[Path, str, Path]) -> None:
    record, _, folder = run
    with start(run) as shim:
        list(shim.ask({"op": "hello"}, 30))
        assert sweep(record.parent) == 0
        assert folder.exists()
        list(shim.ask({"op": "hello"}, 30))


def test_a_sweep_knows_a_reused_process_id(run: tuple[Path, str, Path]) -> None:
    record, _, folder = run
    data = json.loads(record.read_text())
    record.write_text(json.dumps({**data, "owner_started": data["owner_started"] - 1000}))
    assert sweep(record.parent) == 1
    assert not folder.exists()


def test_a_damaged_record_removes_nothing_else(run: tuple[Path, str, Path], tmp_path: Path) -> None:
    record, _, _ = run
    precious = tmp_path / "precious"
    precious.mkdir()
    data = json.loads(record.read_text())
    record.write_text(json.dumps({**data, "owner_started": 0, "folders": [str(precious)]}))
    (record.parent / "torn.json").write_text('{"tag": ')
    sweep(record.parent)
    assert precious.is_dir()


def test_folders_without_permissions_go_and_links_are_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    folder = tmp_path / "folder"
    (folder / "locked" / "deep").mkdir(parents=True)
    (folder / "link").symlink_to(kept)
    (folder / "locked").chmod(0)
    remove_folder(folder)
    assert not folder.exists()
    assert kept.is_dir()


def test_the_tag_names_only_our_processes(run: tuple[Path, str, Path]) -> None:
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], env={**os.environ, TAG: "other"})
    try:
        with start(run) as shim:
            list(shim.ask({"op": "hello"}, 30))
        assert other.poll() is None
    finally:
        other.send_signal(signal.SIGKILL)
        other.wait()
