"""The folder in which traf keeps what it must remember about a repository: never in the user's tree."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from traf.core.errors import BadInput
from traf.project.files import shown


def state_dir(root: Path) -> Path:
    """The state folder of the repository at `root`; it and its missing parents are made, for this user only (mode 0700).

    It lies below the user's state folder, or below `TRAF_STATE_DIR` if that is set, under a readable name and a hash of the
    resolved root.

    Raises:
        BadInput: the folder cannot be made, or `TRAF_STATE_DIR` lies inside the repository.
    """
    root = root.resolve()
    base = _base()
    if base.is_relative_to(root):
        raise BadInput(
            f"TRAF_STATE_DIR ({shown(base)}) lies inside the repository {shown(root)}: choose a folder outside of it",
            slug="state-in-repository",
        )
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name).strip("-.")[:40] or "root"
    folder = base / f"{readable}-{hashlib.sha256(os.fsencode(root)).hexdigest()[:12]}"
    try:
        _make_private(folder)
    except OSError as error:
        raise BadInput(
            f"cannot make the state folder {shown(folder)} ({error.strerror}): set TRAF_STATE_DIR to a folder you can write",
            slug="state-not-writable",
        ) from None
    return folder


def runs_dir() -> Path:
    """Where runs in progress are written down, for all repositories together; it need not exist yet."""
    return _base() / "runs"


def _base() -> Path:
    override = os.environ.get("TRAF_STATE_DIR")
    if override:
        return Path(override).resolve()
    from platformdirs import user_state_path  # noqa: PLC0415 - only the commands that keep state pay for it

    return user_state_path("traf").resolve()


def _make_private(folder: Path) -> None:
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make_private(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
