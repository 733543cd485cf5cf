"""What a run may leave behind is written down before it exists, so that the next start can remove it.

One JSON file a run in `<state>/runs`: the run's tag, who owns it, and the folders that belong to it. The file goes last.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from traf.rerun.processes import end_all, tagged

_TORN_AFTER_S = 60


@dataclass(frozen=True, slots=True)
class Record:
    """A run: its tag, the process that owns it (id and start time, against reuse), its machine and its folders."""

    tag: str
    owner: int
    owner_started: float
    machine: str
    folders: tuple[str, ...]


def folder_name(tag: str) -> str:
    """The name that every folder of the run `tag` bears."""
    return f"traf-{tag}"


def write_record(runs_dir: Path, tag: str, folders: Iterable[Path]) -> Path:
    """Write down that this process owns the run `tag` and the `folders`; gives the record's path."""
    me = psutil.Process()
    record = Record(tag, me.pid, me.create_time(), platform.node(), tuple(str(f) for f in folders))
    runs_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = runs_dir / f"{tag}.json"
    path.write_text(json.dumps(asdict(record)), encoding="utf-8")
    return path


def sweep(runs_dir: Path) -> int:
    """End and remove what runs whose owner is gone left behind; gives how many such runs there were."""
    if not runs_dir.is_dir():
        return 0
    gone = 0
    for path in sorted(runs_dir.glob("*.json")):
        record = _read(path)
        if record is None and time.time() - path.stat().st_mtime > _TORN_AFTER_S:
            path.unlink(missing_ok=True)  # it was never finished, so nothing was made after it
        if record is None or record.machine != platform.node() or _owner_lives(record):
            continue
        clear(path, record)
        gone += 1
    return gone


def clear(path: Path, record: Record | None = None) -> None:
    """End the run's processes, remove its folders, then its record."""
    record = record or _read(path)
    if record is not None:
        end_all(lambda: tagged(record.tag))
        for folder in map(Path, record.folders):
            if folder.name == folder_name(record.tag):  # a damaged record must not remove anything else
                remove_folder(folder)
    path.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Remove a folder of ours and all below it, also where a test took permissions away; never follows a link."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.is_dir():
        for parent, folders, _ in os.walk(folder):
            for path in (Path(parent), *(Path(parent) / name for name in folders)):
                if not path.is_symlink():
                    path.chmod(stat.S_IRWXU)
        shutil.rmtree(folder, ignore_errors=True)


def _read(path: Path) -> Record | None:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return Record(
            str(raw["tag"]), int(raw["owner"]), float(raw["owner_started"]), str(raw["machine"]), tuple(raw["folders"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _owner_lives(record: Record) -> bool:
    try:
        return abs(psutil.Process(record.owner).create_time() - record.owner_started) < 1
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return os.path.exists(f"/proc/{record.owner}")  # noqa: PTH110 - a process, not a file of ours
