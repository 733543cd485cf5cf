"""A copy of the user's project in which tests run and patches are tried; the user's own tree is never written.

Copied is what git knows and what it does not ignore (without git: everything but dependencies). `node_modules` folders are
cloned where they are small enough; a large one becomes a real folder with caches of its own whose packages are links.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from traf.core.errors import CannotRun

DEPENDENCIES = "node_modules"
CACHES = frozenset({".cache", ".vite", ".vite-temp", ".vitest"})
CLONE_ENTRIES = 20_000
_LINKED = (
    "some packages are linked, not copied (too many, or above the project): a test that writes into them reaches yours"
)
_SKIPPED = frozenset({DEPENDENCIES, ".git", ".hg", ".svn"})


class Sandbox:
    """The copy, and the files of it that a patch has changed for the moment."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._replaced: dict[str, bytes | None] = {}

    def overlay(self, files: Mapping[str, bytes]) -> None:
        """Make the copy differ from the user's project in exactly these files (paths relative to the root)."""
        for name in [n for n in self._replaced if n not in files]:
            original = self._replaced.pop(name)
            path = self._path(name)
            if original is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(original)
        for name, data in files.items():
            path = self._path(name)
            if name not in self._replaced:
                self._replaced[name] = path.read_bytes() if path.exists() else None
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def _path(self, name: str) -> Path:
        relative = PurePosixPath(name)
        if relative.is_absolute() or ".." in relative.parts:
            raise ValueError(f"{name} does not lie in the sandbox")
        return self.root / relative


def create_sandbox(project_root: Path, target: Path, files: Iterable[str] | None) -> tuple[Sandbox, tuple[str, ...]]:
    """Copy `files` (POSIX, relative; None: all of them) and the dependencies of `project_root` to `target`.

    Gives the sandbox and the remarks that a user should see.

    Raises:
        CannotRun: when the copy cannot be made (a full disk, unreadable files).
    """
    tree = target / "tree"
    warnings: list[str] = []
    try:
        tree.mkdir(parents=True)
        names = [PurePosixPath(name) for name in (files if files is not None else _all_files(project_root))]
        packages = {name.parent for name in names if name.name == "package.json" and DEPENDENCIES not in name.parts}
        placed = {folder / DEPENDENCIES for folder in {PurePosixPath("."), *packages}}
        for name in names:
            if placed.isdisjoint(name.parents):
                _copy_entry(project_root, project_root / name, tree / name, warnings)
        for folder in sorted(placed):
            if (project_root / folder).is_dir():
                _place_dependencies(project_root, tree, folder, warnings)
        _link_outer_dependencies(project_root, target, warnings)
    except OSError as error:
        raise CannotRun(f"the project cannot be copied to {target}: {error}", slug="sandbox-copy") from error
    return Sandbox(tree), tuple(dict.fromkeys(warnings))


def _all_files(root: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - _SKIPPED)
        links = [d for d in folders if (Path(folder) / d).is_symlink()]
        for name in sorted([*files, *links]):
            yield (Path(folder) / name).relative_to(root).as_posix()


def _copy_entry(root: Path, source: Path, target: Path, warnings: list[str]) -> None:
    try:
        mode = source.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return  # known to git, deleted in the working tree
    target.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISLNK(mode):
        _copy_link(root, source, target, warnings)
    elif stat.S_ISREG(mode):
        shutil.copy2(source, target, follow_symlinks=False)
        target.chmod(stat.S_IMODE(mode) | stat.S_IWUSR)  # a patch must be able to change it
    elif stat.S_ISDIR(mode):
        target.mkdir(exist_ok=True)


def _copy_link(root: Path, source: Path, target: Path, warnings: list[str]) -> None:
    """Gives a link of the project its like in the copy, through which nothing outside of the copy can be written.

    What points into the project points to the copy's counterpart, there or not; of what points out of it, files and
    folders of a bounded size are copied. The rest (devices, a folder that holds the project) is left out.
    """
    pointed = source.resolve()
    inside = root.resolve()
    if pointed.is_relative_to(inside):
        target.symlink_to(os.path.relpath(pointed, source.parent.resolve()))
    elif pointed.is_file():
        shutil.copy2(pointed, target)
    elif pointed.is_dir() and not inside.is_relative_to(pointed) and _fewer_entries_than(pointed, CLONE_ENTRIES):
        _clone(pointed, target)
    elif pointed.exists():
        name = source.relative_to(root)
        warnings.append(
            f"{name} points out of the project to what cannot be copied, so it is missing where the tests run"
        )


def _place_dependencies(root: Path, tree: Path, folder: PurePosixPath, warnings: list[str]) -> None:
    source, target = root / folder, tree / folder
    target.parent.mkdir(parents=True, exist_ok=True)
    if _fewer_entries_than(source, CLONE_ENTRIES):
        _clone(source, target)
        _turn_links_inward(root, source, target, warnings)
    else:
        _link_packages(root, source, target)
        warnings.append(_LINKED)


def _fewer_entries_than(folder: Path, limit: int) -> bool:
    count = 0
    for _, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        if count >= limit:
            return False
    return True


def _clone(source: Path, target: Path) -> None:
    """Copy a folder as the system does it fastest (sharing blocks where the file system can)."""
    fast = ["-Rpc"] if sys.platform == "darwin" else ["-a", "--reflink=auto"]
    done = subprocess.run(
        ["cp", *fast, "--", str(source), str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, symlinks=True)


def _turn_links_inward(root: Path, source: Path, target: Path, warnings: list[str]) -> None:
    """Links that are absolute, or that lead out of the project, are made anew: a copied one would lead to the original."""
    for parent, folders, files in os.walk(source):
        for name in [*folders, *files]:
            link = Path(parent) / name
            if link.is_symlink() and (
                link.readlink().is_absolute() or not link.resolve().is_relative_to(root.resolve())
            ):
                copied = target / link.relative_to(source)
                copied.unlink(missing_ok=True)
                _copy_link(root, link, copied, warnings)


def _link_packages(root: Path, source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for entry in sorted(source.iterdir()):
        if entry.name in CACHES:
            continue
        own = target / entry.name
        if entry.name.startswith("@") and entry.is_dir() and not entry.is_symlink():
            _link_packages(root, entry, own)
        elif entry.is_symlink() and _points_into_project(root, entry):
            own.symlink_to(os.path.relpath(entry.resolve(), entry.parent.resolve()))
        else:
            own.symlink_to(entry)


def _points_into_project(root: Path, link: Path) -> bool:
    pointed = link.resolve()
    return pointed.is_relative_to(root.resolve()) and DEPENDENCIES not in pointed.relative_to(root.resolve()).parts


def _link_outer_dependencies(project_root: Path, target: Path, warnings: list[str]) -> None:
    """Packages installed above the project are found by walking up; the copy's parent folder stands in for that."""
    for folder in project_root.parents:
        if (folder / DEPENDENCIES).is_dir():
            (target / DEPENDENCIES).symlink_to(folder / DEPENDENCIES)
            warnings.append(_LINKED)
            return
