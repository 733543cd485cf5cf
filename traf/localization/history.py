"""Past versions of lines that held another wait time (TRaf paper, section IV-A2)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby

from traf.core.errors import BadInput
from traf.git import Repository
from traf.git.history import Change
from traf.git.patches import FileChange
from traf.localization.documents import Document, times_by_line
from traf.localization.files import SUFFIXES
from traf.localization.lineage import hunks_between, predecessor, same_text
from traf.localization.model import Origin
from traf.syntax import Context, Source, parse

_STRING = re.compile(r"""(['"`])(?:\\.|(?!\1).)*\1""")

_WORKING_TREE = ""
"""Stands for a commit: what is not committed yet."""


@dataclass(frozen=True, slots=True)
class _Tracked:
    """A line at some commit: its text, and by index the documents that it has become."""

    text: str
    becomes: frozenset[int]


_Lines = dict[int, _Tracked]


class History:
    """The past of the lines of some files.

    Making one starts git, which reads the log of `files` (as they are today, or in the commit `head`) while the caller goes on.
    """

    def __init__(
        self, repository: Repository, context: Context, files: Iterable[Source], head: str | None = None
    ) -> None:
        self._repository = repository
        self._context = context
        self._files = {file.file: file for file in files}
        with_git = ThreadPoolExecutor(max_workers=1)
        self._changes = with_git.submit(repository.changes, list(self._files), head)
        with_git.shutdown(wait=False)
        self._past = cache(self._read)

    def versions(self, present: Sequence[Document]) -> list[Document]:
        """The past versions of lines that held other times, each text of a line once, newest first.

        A line is followed back through edits, moves within its file, renames and moves of the file, and on all sides of
        a merge that the present state comes from. A version is told by its own text: when a named constant changes
        elsewhere, the line that uses it does not. What this clone does not have (shallow, partial) is left out. The
        commit that a version is found in is the last one before the edit that touched one of the files.

        To read a version its whole file is parsed. So lines that spell out their times and differ only in strings and
        white space are read once, and taken to hold the same times; `holds` is sure.

        Raises:
            BadInput: git cannot be started, or it hangs.
        """
        changes = self._changes.result()
        if not changes:
            return []
        age = {commit: number for number, commit in enumerate(dict.fromkeys(change.commit for change in changes), 1)}
        uncommitted = Change(_WORKING_TREE, changes[0].commit, 0, self._uncommitted(changes[0].commit))
        wordings = {
            _wording(document.text): document.times_ms
            for document in present
            if _spells_out(document.text, document.times_ms)
        }
        seen: set[tuple[int, str]] = set()
        versions = []
        for place, line in _walk([uncommitted, *changes], _start(present)):
            new = [index for index in line.becomes if (index, line.text) not in seen]
            if not new:
                continue
            seen.update((index, line.text) for index in new)
            wording = _wording(line.text)
            times_ms = wordings.get(wording) or self._times_at(place)
            versions += [
                Document(place, line.text, times_ms, present[index].source, age.get(place.commit or "", len(age)))
                for index in new
                if not set(times_ms) <= set(present[index].times_ms)
            ]
            if _spells_out(line.text, times_ms):
                wordings[wording] = times_ms
        return sorted(versions, key=lambda version: version.age)

    def holds(self, document: Document, ms: float) -> bool:
        """Whether a version really holds a time, by a parse of its file."""
        return document.source.commit is None or ms in self._times_at(document.source)

    def _uncommitted(self, tip: str) -> tuple[FileChange, ...]:
        """How the work tree differs from the last commit that touched the files."""
        files = []
        for path, source in self._files.items():
            committed = self._repository.blob(tip, path)
            if committed is None:
                files.append(FileChange(None, path))
            elif committed != source.data:
                hunks = hunks_between(_lines_of(committed), _lines_of(source.data))
                files.append(FileChange(path, path, hunks))
        return tuple(files)

    def _times_at(self, place: Origin) -> tuple[float, ...]:
        return self._past(place.commit or "", place.path).get(place.line, ())

    def _read(self, commit: str, path: str) -> Mapping[int, tuple[float, ...]]:
        source = self._source(commit, path)
        if source is None:
            return {}
        return times_by_line(source, replace(self._context, load_module=partial(self._module, commit)))

    def _module(self, commit: str, importer: str, specifier: str) -> Source | None:
        """A module of the same commit. Only relative specifiers are looked up: configuration is known as of today."""
        if not specifier.startswith("."):
            return None
        name = posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))
        stem, suffix = posixpath.splitext(name)
        names = [name, *(name + end for end in SUFFIXES), *(f"{name}/index{end}" for end in SUFFIXES)]
        if suffix in SUFFIXES:  # TypeScript imports `x.ts` as "./x.js"
            names += [stem + end for end in SUFFIXES]
        found = (self._source(commit, path) for path in names if posixpath.splitext(path)[1] in SUFFIXES)
        return next((source for source in found if source is not None), None)

    def _source(self, commit: str, path: str) -> Source | None:
        data = None if path.startswith("../") else self._repository.blob(commit, path)
        try:
            return None if data is None else parse(path, data)
        except BadInput:
            return None


def _start(present: Sequence[Document]) -> dict[str, _Lines]:
    start: dict[str, _Lines] = {}
    for index, document in enumerate(present):
        line = {document.source.line: _Tracked(document.text, frozenset({index}))}
        start[document.source.path] = _merged(start.get(document.source.path, {}), line)
    return start


def _walk(changes: Iterable[Change], start: dict[str, _Lines]) -> Iterator[tuple[Origin, _Tracked]]:
    """Carries the lines from children to parents; gives every earlier version of a line, and where it stood."""
    pending = {_WORKING_TREE: start}
    for commit, to_parents in groupby(changes, key=lambda change: change.commit):
        here = pending.pop(commit, {})
        for change in to_parents:
            if change.parent is None:
                continue
            touched = {file.new_path: file for file in change.files if file.new_path in here}
            before = {path: lines for path, lines in here.items() if path not in touched}
            for path, file in touched.items():
                if path is None or file.old_path is None:  # the file is new
                    continue
                older: _Lines = {}
                for line, (number, text) in _older(file, here[path]):
                    earlier = line if text is None else replace(line, text=text)
                    older = _merged(older, {number: earlier})
                    if not same_text(earlier.text, line.text):
                        yield Origin(file.old_path, number, change.parent), earlier
                before[file.old_path] = _merged(before.get(file.old_path, {}), older)
            known = pending.get(change.parent, {})
            for path in before.keys() & known.keys():
                before[path] = _merged(before[path], known[path])
            pending[change.parent] = known | before


def _older(file: FileChange, lines: _Lines) -> Iterator[tuple[_Tracked, tuple[int, str | None]]]:
    """The lines with what they were before a file changed; without those that are new."""
    for number, line in lines.items():
        found = predecessor(file.hunks, number)
        if found is not None:
            yield line, found


def _merged(one: _Lines, other: _Lines) -> _Lines:
    """Both, where a line of both has become the documents of either."""
    merged = dict(one)
    for number, line in other.items():
        known = merged.get(number)
        merged[number] = line if known is None else replace(line, becomes=line.becomes | known.becomes)
    return merged


def _lines_of(data: bytes) -> list[bytes]:
    return [line.rstrip(b"\r") for line in data.split(b"\n")]


def _wording(text: str) -> str:
    """A line without what strings say and without white space."""
    return "".join(_STRING.sub('""', text).split())


def _spells_out(text: str, times_ms: Iterable[float]) -> bool:
    """Whether the times stand in the line as numbers of milliseconds."""
    numbers = re.findall(r"\d+", text.replace("_", ""))
    return all(f"{ms:g}" in numbers for ms in times_ms)
