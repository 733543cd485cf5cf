"""Reads the small files that describe a project, trusting neither their size nor their content."""

from __future__ import annotations

import itertools
import json
import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from traf.project.globs import matches

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 1_000_000
"""A config file or module beyond this size is not read; none that a person wrote comes near it."""

_MOST_FOLDERS = 500
_MAGIC = frozenset("*?{[!")
_STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def shown(path: str | Path) -> str:
    """A path as it may stand in a message: control characters and undecodable bytes are escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(path))


def resolved(folder: Path, name: str) -> Path | None:
    """Where a path written in a file leads, seen from a folder; None for what can be no path."""
    try:
        return (folder / name).resolve()
    except (OSError, RuntimeError, ValueError):  # too long, a loop of links, a NUL
        return None


def read_bytes(path: Path) -> bytes | None:
    """The content of a text file, or None if it is no regular file, unreadable, binary or larger than MAX_BYTES."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        content = path.read_bytes()
    except OSError:
        return None
    return None if b"\0" in content else content


def matching_files(folder: Path, pattern: str) -> Iterator[Path]:
    """The files below a folder that a glob means; links and installed packages are not entered, nor very many folders."""
    parts = PurePosixPath(pattern).parts
    fixed = tuple(itertools.takewhile(lambda part: not _MAGIC.intersection(part), parts[:-1]))
    walked = os.walk(folder.joinpath(*fixed))
    for here, folders, names in itertools.islice(walked, _MOST_FOLDERS):
        folders[:] = sorted(set(folders) - {"node_modules", ".git"})
        for name in sorted(names):
            path = Path(here, name)
            if matches("/".join(parts), path.relative_to(folder).as_posix()):
                yield path


def is_glob(name: str) -> bool:
    """Whether the name of a file stands for several."""
    return not _MAGIC.isdisjoint(name)


def parse_json(content: bytes, *, comments: bool = False) -> Any:
    """The value of a JSON text; a byte order mark is skipped and, if asked, so are comments and trailing commas.

    Raises:
        ValueError: it is not JSON; the message names the position where one is known.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text at byte {error.start}") from None
    if comments:
        text = _STRING_OR_COMMENT.sub(lambda match: match[1] or " ", text)
        text = _STRING_OR_TRAILING_COMMA.sub(lambda match: match[1] or "", text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_json_object(path: Path) -> dict[str, Any]:
    """The JSON object, comments allowed, that a file holds; an empty one if there is no such file or object."""
    content = read_bytes(path)
    if content is None:
        return {}
    try:
        value = parse_json(content, comments=True)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
