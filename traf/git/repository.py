"""A git repository as traf sees it: read, never written."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import Self

from traf.core.errors import BadInput
from traf.git.additions import Addition, additions_in
from traf.git.command import attempt, failure, output
from traf.git.history import Change, changes_of, moves_of
from traf.git.objects import ObjectReader
from traf.git.tree import Tree

_SUBMODULE = b"160000"


class Repository:
    """A work tree and its history. Paths are relative to `top`, POSIX; names that are not UTF-8 are surrogate-escaped.

    Use it as a context manager, or call `close`: reading blobs keeps a process.
    """

    def __init__(self, top: Path, *, is_shallow: bool = False, is_bare: bool = False) -> None:
        self.top = top
        self.is_shallow = is_shallow
        self.is_bare = is_bare
        self._objects = ObjectReader(top)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads blobs."""
        self._objects.close()

    @cached_property
    def head(self) -> str | None:
        """The commit that is checked out; None if there is no commit yet."""
        done = attempt(self.top, "rev-parse", "--quiet", "--verify", "HEAD^{commit}")
        return done.stdout.decode().strip() or None

    @cached_property
    def is_detached(self) -> bool:
        """Whether HEAD is a commit and not a branch."""
        return attempt(self.top, "symbolic-ref", "--quiet", "HEAD").returncode == 1

    def listed_files(self) -> list[str]:
        """Paths of the tracked files and of the untracked ones that are not ignored, those of submodules too.

        Tracked files that were deleted from the work tree are still listed.

        Raises:
            BadInput: the repository is damaged.
        """
        listed: dict[str, None] = {}
        for entry in _fields(output(self.top, "ls-files", "-z", "--stage")):
            mode, _, path = entry.partition(b" ")
            listed.update(self._files_of(path.partition(b"\t")[2], nested=mode == _SUBMODULE))
        for path in _fields(output(self.top, "ls-files", "-z", "--others", "--exclude-standard")):
            listed.update(self._files_of(path.rstrip(b"/"), nested=path.endswith(b"/")))
        return list(listed)

    def blob(self, commit: str, path: str) -> bytes | None:
        """The file as it stands in the commit; None if it is no file there or its object is not in this clone."""
        return self._objects.read(commit, path)

    def commit(self, revision: str) -> str:
        """The full name of the commit that a revision means.

        Raises:
            BadInput: there is no such commit in this clone.
        """
        done = attempt(self.top, "rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
        if done.returncode or not done.stdout.strip():
            clone = "shallow clone" if self.is_shallow else "clone"
            raise BadInput(f"{revision}: no such commit in this {clone} ({self.top})", slug="no-such-commit")
        return done.stdout.decode().strip()

    @cached_property
    def is_partial(self) -> bool:
        """Whether some objects were left out when this repository was cloned; they are never fetched."""
        done = attempt(self.top, "config", "--get-regexp", r"^remote\..*\.promisor$", "true")
        return done.returncode == 0

    def tree(self, commit: str) -> Tree:
        """The files of a commit."""
        return Tree(self.top, commit, self._objects)

    def changes(self, paths: Collection[str], head: str | None = None) -> list[Change]:
        """The commits that touched the files, under their earlier names and places too, children before parents.

        `head` is the commit to start from, by default the one that is checked out.
        """
        head = head or self.head
        return changes_of(self.top, head, paths) if head else []

    def additions(self, paths: Collection[str], head: str, wanted: Callable[[bytes], object]) -> Iterator[Addition]:
        """What the commits before `head` (and itself) put into files or folders, newest first; see `additions_in`."""
        return additions_in(self.top, head, paths, wanted)

    def moves(self, commits: Collection[str]) -> dict[str, list[tuple[str, str]]]:
        """From where to where commits moved files."""
        return moves_of(self.top, commits)

    def time_s(self, commit: str) -> int:
        """The committer's time of a commit; 0 if it is not in this clone."""
        printed = attempt(self.top, "show", "--no-patch", "--format=%ct", commit).stdout.strip()
        return int(printed) if printed.isdigit() else 0

    def _files_of(self, path: bytes, *, nested: bool) -> dict[str, None]:
        """The path itself or, where it is another repository that is checked out, that one's files."""
        name = os.fsdecode(path)
        if not nested:
            return {name: None}
        directory = self.top / name
        inner = None if directory.is_symlink() or not directory.is_dir() else open_repository(directory)
        if inner is None or inner.top != directory:  # not checked out: git answers for the outer repository
            return {}
        return {f"{name}/{file}": None for file in inner.listed_files()}


def open_repository(path: Path) -> Repository | None:
    """The repository in whose work tree the file or directory lies; None if it lies in none.

    A repository of another user is left to git's own rule (`safe.directory`).

    Raises:
        BadInput: git refuses the repository, is not installed, or the repository is damaged.
    """
    places = [place for place in (path.resolve(), *path.resolve().parents) if place.is_dir()]
    if not any(os.path.lexists(place / ".git") for place in places):
        return None
    directory = places[0]
    asked = ("rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--show-cdup")
    done = attempt(directory, *asked)
    if done.returncode and b"not a git repository" in done.stderr:
        return None
    inside, _, rest = done.stdout.decode(errors="surrogateescape").partition("\n")
    if inside == "false":
        return None
    if done.returncode:
        raise failure(directory, asked[0], done.stderr)
    shallow, _, up = rest.partition("\n")
    top = (directory / up.removesuffix("\n")).resolve()
    return Repository(top, is_shallow=shallow == "true") if directory.is_relative_to(top) else None


def open_objects(path: Path) -> Repository:
    """The repository of a directory, bare or with a work tree, for reading commits; `top` of a bare one is its git directory.

    Raises:
        BadInput: there is none, or git refuses it.
    """
    found = open_repository(path) if path.is_dir() else None
    if found is not None:
        return found
    if not path.is_dir():
        raise BadInput(f"{path} is no directory: give that of a git repository", slug="no-repository")
    done = attempt(path, "rev-parse", "--is-shallow-repository", "--absolute-git-dir")
    if done.returncode:
        if b"not a git repository" in done.stderr:
            raise BadInput(f"{path} is no git repository", slug="no-repository")
        raise failure(path, "rev-parse", done.stderr)
    shallow, _, directory = os.fsdecode(done.stdout).partition("\n")
    return Repository(Path(directory.removesuffix("\n")), is_shallow=shallow == "true", is_bare=True)


def _fields(printed: bytes) -> list[bytes]:
    return [field for field in printed.split(b"\0") if field]
