"""Finds the programs that a run needs on this machine: Node, and a Chromium for frameworks without one of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from traf.core.errors import BadInput

OLDEST_NODE = 18
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def find_node() -> str:
    """The Node on PATH.

    Raises:
        BadInput: when there is none, or one older than OLDEST_NODE.
    """
    node = shutil.which("node")
    if node is None:
        raise BadInput(f"no `node` on PATH: install Node {OLDEST_NODE} or newer and try again", slug="node-missing")
    try:
        shown = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise BadInput(f"{node} does not start ({error}): repair the Node installation", slug="node-broken") from error
    major = re.match(r"v(\d+)\.", shown)
    if major is None:
        raise BadInput(f"{node} --version printed no version: repair the Node installation", slug="node-broken")
    if int(major[1]) < OLDEST_NODE:
        raise BadInput(f"{node} is {shown.strip()}: traf needs Node {OLDEST_NODE} or newer", slug="node-old")
    return node


def find_chromium() -> str | None:
    """The Chromium named by TRAF_CHROMIUM, else the first on PATH, else None.

    Raises:
        BadInput: when TRAF_CHROMIUM names something that is not an executable file.
    """
    named = os.environ.get("TRAF_CHROMIUM")
    if named:
        if not os.access(named, os.X_OK) or not Path(named).is_file():
            raise BadInput(f"TRAF_CHROMIUM={named} is no executable file: correct or unset it", slug="chromium-missing")
        return named
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def shim_path() -> Path:
    """The Node shim's host: inside an installed wheel, or beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_js_runner" / "host.mjs"
    return installed if installed.is_file() else package.parent / "js_runner" / "host.mjs"
