"""Surveys the files of a commit from git objects: the same reading as that of a work tree, without a checkout."""

from __future__ import annotations

import errno
import io
import itertools
import os
from functools import cache
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar, cast

from traf.core.errors import BadInput
from traf.project.places import Place, Surroundings, up
from traf.project.survey import Surveyor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traf.git import Tree
    from traf.project.survey import Survey


class CommitSurveyor(Surveyor):
    """Surveys files as they stand in a commit."""

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._root = _TreePath.top_of(tree)
        self._around = cache(self._look)

    def survey_file(self, file: str) -> Survey:
        """Survey one file by its path below the top.

        Raises:
            BadInput: there is no such file in the commit, or it is no source file.
        """
        return self.survey(cast("Path", self._root / file))

    def close(self) -> None:
        """Forget the commit."""
        self._root.forget()

    def _look(self, folder: Path) -> Surroundings:
        root = cast("Path", self._root)
        packages = tuple(filter(None, map(self._package, up(folder, root))))
        return Surroundings(folder, root, in_git=True, packages=packages, names=self._names)

    def _place(self, path: Path) -> Place:
        if not path.is_file():
            raise BadInput(f"{path.relative_to(self._root)} does not exist in that commit", slug="no-such-file")
        return Place(self._around(path.parent), path)


class _TreePath(PurePosixPath):
    """What the project room asks of a path, answered by a commit. The first part of the path says which commit is meant."""

    _trees: ClassVar[dict[str, Tree]] = {}
    _numbers = itertools.count()

    @classmethod
    def top_of(cls, tree: Tree) -> _TreePath:
        """The top of a commit's files."""
        name = f"commit {next(cls._numbers)}"
        cls._trees[name] = tree
        return cls(f"/{name}")

    def forget(self) -> None:
        """No path of this commit is asked any more."""
        self._trees.pop(self.parts[1], None)

    def is_file(self) -> bool:
        tree, path = self._where()
        return tree is not None and path in tree.ids

    def is_dir(self) -> bool:
        tree, path = self._where()
        return tree is not None and path in tree.names

    def is_symlink(self) -> bool:
        return False

    def iterdir(self) -> Iterator[_TreePath]:
        tree, path = self._where()
        if tree is None or path not in tree.names:
            raise FileNotFoundError(str(self))
        return (self / name for name in sorted(tree.names[path]))

    def read_bytes(self) -> bytes:
        tree, path = self._where()
        content = tree.read(path) if tree is not None else None
        if content is None:
            raise FileNotFoundError(errno.ENOENT, "this clone does not hold its content; a full clone does")
        return content

    def open(self, _mode: str = "rb") -> io.BytesIO:
        return io.BytesIO(self.read_bytes())

    def stat(self) -> SimpleNamespace:
        return SimpleNamespace(st_size=len(self.read_bytes()))

    def resolve(self) -> _TreePath:
        return type(self)(os.path.normpath(self))

    def _where(self) -> tuple[Tree | None, str]:
        parts = self.resolve().parts if ".." in self.parts else self.parts
        return self._trees.get(parts[1]) if len(parts) > 1 else None, "/".join(parts[2:])
