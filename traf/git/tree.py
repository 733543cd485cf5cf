"""The files of one commit, read from git objects: nothing is checked out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from traf.git.command import attempt
from traf.git.objects import ObjectReader

_FILE = b"100"
"""How the modes of plain files begin; links and submodules are no files of a commit."""


class Tree:
    """The plain files of a commit by their paths; names that are not UTF-8 are surrogate-escaped."""

    def __init__(self, top: Path, commit: str, objects: ObjectReader) -> None:
        self.commit = commit
        self._top = top
        self._objects = objects

    @cached_property
    def ids(self) -> Mapping[str, str]:
        """The blob of each file. Trees that this clone does not have are left out."""
        printed = attempt(self._top, "ls-tree", "-r", "-z", "--full-tree", self.commit).stdout
        entries = (entry.partition(b"\t") for entry in printed.split(b"\0") if entry.startswith(_FILE))
        return {os.fsdecode(path): about.rsplit(b" ", 1)[-1].decode() for about, _, path in entries}

    @cached_property
    def names(self) -> Mapping[str, frozenset[str]]:
        """What lies in each folder; the top is ""."""
        found: dict[str, set[str]] = {"": set()}
        for path in self.ids:
            folder, _, name = path.rpartition("/")
            while name not in found.setdefault(folder, set()):
                found[folder].add(name)
                if not folder:
                    break
                folder, _, name = folder.rpartition("/")
        return {folder: frozenset(names) for folder, names in found.items()}

    def read(self, path: str) -> bytes | None:
        """The content of a file; None if there is none or its object is not in this clone."""
        return self._objects.read(self.commit, path) if path in self.ids else None
