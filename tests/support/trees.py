"""Tells whether a tree of files has changed by a single byte, mode or link."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path


def fingerprint(root: Path) -> dict[str, str]:
    """Every entry below `root` (also in .git and node_modules) with its mode and content."""
    found = {}
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = Path(folder) / name
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                content = os.readlink(path)
            elif stat.S_ISREG(mode):
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            else:
                content = ""
            found[str(path.relative_to(root))] = f"{mode:o} {content}"
    return found
