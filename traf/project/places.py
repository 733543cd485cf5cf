"""Where a spec lies: its repository, its workspace and the packages around it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from traf.core.errors import BadInput
from traf.project.files import shown
from traf.project.packages import Package, read_package

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Place:
    """A spec in its project.

    `root` is resolved: the git work tree's top, else the workspace root, else the package. `spec` is the absolute path below
    it by which the spec was reached. `packages` are those around the spec, innermost first, none outside `root`.
    """

    root: Path
    spec: Path
    in_git: bool
    packages: tuple[Package, ...]

    @property
    def file(self) -> str:
        """The spec relative to the root, POSIX."""
        return self.spec.relative_to(self.root).as_posix()

    @property
    def folders(self) -> Iterator[Path]:
        """The folders from the spec's own up to the root."""
        return up(self.spec.parent, self.root)


def up(folder: Path, top: Path) -> Iterator[Path]:
    """The folder and those above it, as far as `top`; nothing for a folder elsewhere."""
    while folder.is_relative_to(top):
        yield folder
        if folder == folder.parent:
            return
        folder = folder.parent


def locate(spec: Path) -> Place:
    """Find the project of a spec: the one in which the file is reached, or, if there is none, the one where a link leads.

    Raises:
        BadInput: no such file, no file, outside any project, a link that leads out of the repository, a broken package.json.
    """
    reached = _existing_file(spec)
    package = _package_folder(reached.parent)
    if package is None:
        reached = reached.resolve()
        package = _package_folder(reached.parent)
    if package is None:
        raise BadInput(
            f"{shown(spec)} lies outside any project: there is no package.json in the folders above it",
            slug="outside-any-project",
        )
    # A package that is itself reached through a link is where the link leads; the links inside it are its own.
    reached = package.resolve() / reached.relative_to(package)
    package = package.resolve()
    top = git_top(package)
    packages = tuple(filter(None, (read_package(folder) for folder in up(package, top or Path(package.anchor)))))
    root = top or next((above.folder for above in packages[1:] if above.has_workspace(package)), package)
    if not reached.resolve().is_relative_to(root):
        raise BadInput(
            f"{shown(spec)} is a link that leads out of {shown(root)}: name the file itself, {shown(reached.resolve())}",
            slug="outside-repository",
        )
    return Place(root, reached, top is not None, tuple(p for p in packages if p.folder.is_relative_to(root)))


def git_top(folder: Path) -> Path | None:
    """The top of the git work tree that a folder lies in: a clone, a linked work tree or a submodule."""
    return next((above for above in up(folder, Path(folder.anchor)) if _is_git_top(above)), None)


def _is_git_top(folder: Path) -> bool:
    marker = folder / ".git"
    return marker.is_file() or os.path.lexists(marker / "HEAD")


def _existing_file(spec: Path) -> Path:
    """The absolute path of a file, with its links left as they are.

    `..` after a link leads to the parent of the link's target, so such a path is resolved.
    """
    path = Path.cwd() / spec
    try:
        if ".." in path.parts:
            path = path.parent.resolve() / path.name if path.name != ".." else path.resolve()
        if path.is_file():
            return path
        if path.is_dir():
            raise BadInput(f"{shown(spec)} is a folder: name one test file in it", slug="spec-is-a-folder")
        exists = os.path.lexists(path)
    except (OSError, RuntimeError, ValueError):  # no permission, a loop of links, a NUL in the name
        exists = False
    problem = "is no file that can be read" if exists else "does not exist"
    raise BadInput(f"{shown(spec)} {problem}: name a test file", slug="no-such-file")


def _package_folder(folder: Path) -> Path | None:
    """The nearest folder with a package.json, not looking above the git work tree."""
    for above in up(folder, Path(folder.anchor)):
        if (above / "package.json").is_file():
            return above
        if _is_git_top(above):
            return None
    return None
