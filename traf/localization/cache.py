"""Remembers which times stand in a file, by its content: a folder's files are the same over many commits."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import suppress
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path

from traf import __version__, syntax
from traf.localization.documents import Spot, spots_of
from traf.syntax import Context, Source, WaitKind

_LAYOUT = "1"
_BUSY_S = 10


class Cache:
    """Values by keys in one SQLite file. Where that cannot be used, nothing is remembered."""

    def __init__(self, path: Path | None) -> None:
        self._rows: dict[str, str] = {}
        self._database: sqlite3.Connection | None = None
        if path is not None:
            with suppress(sqlite3.Error):
                self._database = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
                self._database.execute("PRAGMA journal_mode=WAL")
                self._database.execute("PRAGMA synchronous=OFF")
                self._database.execute("CREATE TABLE IF NOT EXISTS remembered (key TEXT PRIMARY KEY, value TEXT)")

    def get(self, key: str) -> str | None:
        """What is remembered under a key."""
        if key not in self._rows and self._database is not None:
            with suppress(sqlite3.Error):
                row = self._database.execute("SELECT value FROM remembered WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    self._rows[key] = row[0]
        return self._rows.get(key)

    def put(self, key: str, value: str) -> None:
        """Remember a value."""
        self._rows[key] = value
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?)", (key, value))

    def close(self) -> None:
        """End the connection."""
        if self._database is not None:
            self._database.close()


def cached_spots(memory: Cache, content_key: str, source: Source, context: Context) -> tuple[Spot, ...]:
    """The times that stand in a file, read again only if it, its modules or what its project says have changed.

    `content_key` names the file's content. Which modules the reading asked for is remembered with the result.
    """
    key = _digest(_reader(), content_key, source.file, context.framework, sorted(context.dependencies),
                  sorted(context.defaults.items()), [_content(each) for each in context.ambient])  # fmt: skip
    known = memory.get(key)
    if known is not None:
        remembered = json.loads(known)
        if all(_content(context.load_module(*asked)) == was for *asked, was in remembered["modules"]):
            return tuple(Spot(line, ms, WaitKind(kind), api) for line, ms, kind, api in remembered["spots"])
    modules: dict[tuple[str, str], str] = {}

    def load(importer: str, specifier: str) -> Source | None:
        module = context.load_module(importer, specifier)
        modules[importer, specifier] = _content(module)
        return module

    spots = spots_of(source, replace(context, load_module=load))
    asked = [(*names, was) for names, was in modules.items()]
    memory.put(key, json.dumps({"spots": [astuple(spot) for spot in spots], "modules": asked}))
    return spots


@cache
def _reader() -> str:
    """What tells this reader of waits from another one: the version, and the state of its tables and modules."""
    folder = Path(syntax.__file__).parent
    parts = sorted(
        (path.name, path.stat().st_mtime_ns) for path in folder.rglob("*.*") if path.suffix in {".py", ".toml"}
    )
    return _digest(_LAYOUT, __version__, parts)


def _content(source: Source | None) -> str:
    return "" if source is None else hashlib.sha1(source.data, usedforsecurity=False).hexdigest()


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
