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
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What lies around a folder.

    `root` is resolved: the git work tree's top, else the workspace root, else the package, else the folder itself. `folder` is
    the absolute path below it by which the folder was reached. `packages` are those around it, innermost first, none outside
    `root`. `names` gives what lies in a folder.
    """

    folder: Path
    root: Path
    in_git: bool
    packages: tuple[Package, ...]
    names: Callable[[Path], frozenset[str]]

    def file(self, folder: Path, name: str) -> Path | None:
        """The file of a name, which may have folders in it, below one of the folders; None if there is none."""
        path = folder / name if name.partition("/")[0] in self.names(folder) else None
        return path if path is not None and path.is_file() else None

    @property
    def folders(self) -> Iterator[Path]:
        """The folders from this one up to the root."""
        return up(self.folder, self.root)


@dataclass(frozen=True, slots=True)
class Place:
    """A spec in its project."""

    around: Surroundings
    spec: Path

    @property
    def root(self) -> Path:
        """The root of the project."""
        return self.around.root

    @property
    def packages(self) -> tuple[Package, ...]:
        """The packages around the spec, innermost first."""
        return self.around.packages

    @property
    def file(self) -> str:
        """The spec relative to the root, POSIX."""
        return self.spec.relative_to(self.root).as_posix()


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
    reached = existing_file(spec)
    around = look_around(reached.parent)
    if not around.packages:
        reached = reached.resolve()
        around = look_around(reached.parent)
    if not around.packages:
        raise BadInput(
            f"{shown(spec)} lies outside any project: there is no package.json in the folders above it",
            slug="outside-any-project",
        )
    place = Place(around, around.folder / reached.name)
    real = place.spec.resolve()
    if not real.is_relative_to(place.root):
        raise BadInput(
            f"{shown(spec)} is a link that leads out of {shown(place.root)}: name the file itself, {shown(real)}",
            slug="outside-repository",
        )
    return place


def names_in(folder: Path) -> frozenset[str]:
    """The names of what lies in a folder; none if it cannot be read."""
    try:
        return frozenset(path.name for path in folder.iterdir())
    except OSError:
        return frozenset()


def look_around(
    folder: Path,
    read: Callable[[Path], Package | None] = read_package,
    names: Callable[[Path], frozenset[str]] = names_in,
) -> Surroundings:
    """What lies around a folder, with `read` to read the package and `names` to list the content of each folder above."""
    package = _package_folder(folder)
    # A package that is itself reached through a link is where the link leads; the links inside it are its own.
    home = (package or folder).resolve()
    folder = home / folder.relative_to(package or folder)
    top = git_top(home)
    packages = tuple(filter(None, map(read, up(home, top or Path(home.anchor))))) if package is not None else ()
    root = top or next((above.folder for above in packages if above.folder != home and above.has_workspace(home)), home)
    return Surroundings(
        folder, root, top is not None, tuple(p for p in packages if p.folder.is_relative_to(root)), names
    )


def git_top(folder: Path) -> Path | None:
    """The top of the git work tree that a folder lies in: a clone, a linked work tree or a submodule."""
    return next((above for above in up(folder, Path(folder.anchor)) if _is_git_top(above)), None)


def _is_git_top(folder: Path) -> bool:
    marker = folder / ".git"
    return marker.is_file() or os.path.lexists(marker / "HEAD")


def existing_file(spec: Path) -> Path:
    """The absolute path of a file, with its links left as they are.

    `..` after a link leads to the parent of the link's target, so such a path is resolved.

    Raises:
        BadInput: no such file, or no file.
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
