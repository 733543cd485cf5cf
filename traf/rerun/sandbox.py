"""A copy of the user's project in which tests run and patches are tried; the user's own tree is never written.

Copied is what git knows and what it does not ignore (without git: everything but dependencies). `node_modules` folders are
cloned where they are small enough; a large one becomes a real folder with caches of its own whose packages are links.
"""

from __future__ import annotations

import contextlib
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
        folders = {PurePosixPath(".")}
        for name in files if files is not None else _all_files(project_root):
            relative = PurePosixPath(name)
            if DEPENDENCIES not in relative.parts:
                _copy_entry(project_root, project_root / relative, tree / relative)
            if relative.name == "package.json":
                folders.add(relative.parent)
        for folder in sorted(folders):
            source = project_root / folder / DEPENDENCIES
            if source.is_dir():
                _place_dependencies(project_root, source, tree / folder / DEPENDENCIES, warnings)
        _link_outer_dependencies(project_root, target)
    except OSError as error:
        raise CannotRun(f"the project cannot be copied to {target}: {error}", slug="sandbox-copy") from error
    return Sandbox(tree), tuple(warnings)


def _all_files(root: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - _SKIPPED)
        links = [d for d in folders if (Path(folder) / d).is_symlink()]
        for name in sorted([*files, *links]):
            yield (Path(folder) / name).relative_to(root).as_posix()


def _copy_entry(root: Path, source: Path, target: Path) -> None:
    try:
        mode = source.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return  # known to git, deleted in the working tree
    target.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISLNK(mode):
        _copy_link(root, source, target)
    elif stat.S_ISREG(mode):
        shutil.copy2(source, target, follow_symlinks=False)
        target.chmod(stat.S_IMODE(mode) | stat.S_IWUSR)  # a patch must be able to change it
    elif stat.S_ISDIR(mode):
        target.mkdir(exist_ok=True)


def _copy_link(root: Path, source: Path, target: Path) -> None:
    """A link inside the project points to the copy's counterpart; what lies outside is copied, so it cannot be written."""
    with contextlib.suppress(OSError):
        pointed = source.resolve(strict=True)
        if pointed.is_relative_to(root.resolve()):
            inside = root / pointed.relative_to(root.resolve())
            text = os.path.relpath(inside, source.parent.resolve())
            target.symlink_to(text)
        elif pointed.is_dir():
            shutil.copytree(pointed, target, symlinks=False, ignore_dangling_symlinks=True)
        else:
            shutil.copy2(pointed, target)
        return
    target.symlink_to(os.readlink(source))  # noqa: PTH115 - the text of a dangling link, as it is


def _place_dependencies(root: Path, source: Path, target: Path, warnings: list[str]) -> None:
    if _fewer_entries_than(source, CLONE_ENTRIES):
        _clone(source, target)
        _turn_links_inward(root, target)
        return
    _link_packages(root, source, target)
    note = "node_modules is large, so its packages are linked, not copied: a test that writes into a package would reach yours"
    if note not in warnings:
        warnings.append(note)


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


def _turn_links_inward(root: Path, target: Path) -> None:
    """Absolute links into the user's tree would lead writes there; relative ones already point into the copy."""
    tree = target
    while tree.name != "tree":
        tree = tree.parent
    for folder, folders, files in os.walk(target):
        for name in [*folders, *files]:
            link = Path(folder) / name
            if link.is_symlink():
                pointed = Path(os.readlink(link))  # noqa: PTH115 - the text itself is meant
                if pointed.is_absolute() and pointed.is_relative_to(root):
                    link.unlink()
                    link.symlink_to(tree / pointed.relative_to(root))


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


def _link_outer_dependencies(project_root: Path, target: Path) -> None:
    """Packages installed above the project are found by walking up; the copy's parent folder stands in for that."""
    for folder in project_root.parents:
        if (folder / DEPENDENCIES).is_dir():
            (target / DEPENDENCIES).symlink_to(folder / DEPENDENCIES)
            return
