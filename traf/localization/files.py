"""Where files are read from: the working tree or a commit. All that localisation reads comes through here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Protocol

from traf.git import Repository, Tree
from traf.syntax.source import MAX_BYTES


class Files(Protocol):
    """The files of a project by their paths below its top, POSIX."""

    def names_in(self, folder: str) -> list[str]:
        """The names of the files that lie in a folder ("" is the top), sorted."""

    def all(self) -> Iterable[str]:
        """The paths of all files."""

    def read(self, path: str) -> bytes | None:
        """The content of a file, None if it cannot be read or is too large to be a source."""

    def key(self, path: str, data: bytes) -> str:
        """A name for the content."""


class WorkTree:
    """The files as they are now."""

    def __init__(self, root: Path, repository: Repository | None = None) -> None:
        self._root = root
        self._repository = repository

    def names_in(self, folder: str) -> list[str]:
        """The names in a folder; a file and a folder look alike until they are read."""
        try:
            return sorted(path.name for path in (self._root / folder).iterdir())
        except OSError:
            return []

    def all(self) -> Iterable[str]:
        """The tracked files, and the untracked ones that are not ignored."""
        return self._listed

    @cached_property
    def _listed(self) -> list[str]:
        return self._repository.listed_files() if self._repository is not None else []

    def read(self, path: str) -> bytes | None:
        """The content of a file."""
        place = self._root / path
        try:
            if not place.is_file() or place.stat().st_size >= MAX_BYTES:
                return None
            return place.read_bytes()
        except OSError:
            return None

    def key(self, path: str, data: bytes) -> str:  # noqa: ARG002 - a commit knows it from the path
        """The name that git gives the content."""
        return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


class CommitFiles:
    """The files of a commit."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def names_in(self, folder: str) -> list[str]:
        """The names of the files in a folder."""
        prefix = f"{folder}/" if folder else ""
        return sorted(n for n in self._tree.names.get(folder, ()) if f"{prefix}{n}" in self._tree.ids)

    def all(self) -> Iterable[str]:
        """The files of the commit."""
        return self._tree.ids

    def read(self, path: str) -> bytes | None:
        """The content of a file."""
        data = self._tree.read(path)
        return data if data is not None and len(data) < MAX_BYTES else None

    def key(self, path: str, data: bytes) -> str:  # noqa: ARG002 - the working tree knows it from the content
        """The name that git gives the content."""
        return self._tree.ids[path]


SUFFIXES = (".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs")
"""The kinds of files that are read."""


def is_source(path: str) -> bool:
    """Whether a path is that of a JavaScript or TypeScript file."""
    return path.lower().endswith(SUFFIXES)
