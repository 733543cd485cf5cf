"""What is searched: the files of the working tree or of a commit, and the history behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from traf.git import Repository
from traf.localization.cache import Cache, cached_spots
from traf.localization.documents import Document, Spot, documents_of, read_test_files
from traf.localization.files import CommitFiles, Files, WorkTree
from traf.localization.history import History
from traf.syntax import Context, Source


@dataclass(eq=False)
class Ground:
    """The files around a wait, with what the project says about them.

    `head` is the commit that is looked at, or the one that the working tree is based on; None without a repository.
    """

    files: Files
    source: Source
    context: Context
    repository: Repository | None
    head: str | None
    in_commit: bool = False
    cache: Cache = field(default_factory=lambda: Cache(None))

    @cached_property
    def sources(self) -> list[Source]:
        """The spec and the other test files of its directory."""
        return read_test_files(self.files, self.source)

    @cached_property
    def spots(self) -> Mapping[str, tuple[Spot, ...]]:
        """The times that are written in each of them."""
        return {source.file: self._spots(source) for source in self.sources}

    def _spots(self, source: Source) -> tuple[Spot, ...]:
        return cached_spots(self.cache, self.files.key(source.file, source.data), source, self.context)

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The lines of the directory's test files that hold a time."""
        return tuple(document for source in self.sources for document in documents_of(source, self.spots[source.file]))

    def history(self) -> History | None:
        """The past of the lines; git is started."""
        if self.repository is None:
            return None
        return History(self.repository, self.context, self.sources, self.head if self.in_commit else None)


def work_tree(
    root: Path, source: Source, context: Context, repository: Repository | None, cache: Cache | None = None
) -> Ground:
    """The ground of a spec in the working tree; `root` is the repository's top where there is a repository."""
    head = repository.head if repository is not None else None
    return Ground(WorkTree(root, repository), source, context, repository, head, cache=cache or Cache(None))


def commit_ground(repository: Repository, commit: str, source: Source, context: Context, cache: Cache) -> Ground:
    """The ground of a spec in a commit."""
    return Ground(
        CommitFiles(repository.tree(commit)), source, context, repository, commit, in_commit=True, cache=cache
    )
