"""Reads a manifest of public commits that raised or added a wait time: facts only, one JSON object a line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from traf.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of one wait time. All but `after_ms` and `fix` is what could be seen at `parent`.

    Level 0 replaced the time `before_ms`, which stands on `line`; level 1 added one to, or around, the call on `line`.
    """

    repo: str
    fix: str
    parent: str
    path: str
    line: int
    level: int
    kind: str
    framework: str
    before_ms: float | None
    after_ms: float

    @property
    def above_ms(self) -> float:
        """The time that a candidate must exceed: the written one; where none is written any time counts."""
        return self.before_ms or 0.0

    @property
    def name(self) -> str:
        """A name of the fix in its manifest."""
        return f"{self.repo}@{self.fix}:{self.path}:{self.line}:{self.after_ms:g}"


def read_manifest(path: Path) -> list[Fix]:
    """The fixes of a manifest.

    Raises:
        BadInput: it cannot be read, or a line of it is no fix; the message names the line.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path} cannot be read: {getattr(error, 'strerror', None) or error}", slug="no-manifest"
        ) from None
    fixes = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fixes.append(_fix(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            what = f"no field {error}" if isinstance(error, KeyError) else error
            raise BadInput(f"{path}:{number} is no fix of a manifest: {what}", slug="broken-manifest") from None
    if not fixes:
        raise BadInput(f"{path} holds no fixes", slug="empty-manifest")
    return fixes


def _fix(row: Any) -> Fix:
    if not isinstance(row, dict):
        raise TypeError("no JSON object")
    before = row.get("before_ms")
    level = int(row["level"])
    return Fix(
        repo=str(row["repo"]),
        fix=str(row["fix"]),
        parent=str(row["parent"]),
        path=str(row["path"]),
        line=int(row["line"]),
        level=level,
        kind=str(row.get("kind", "")),
        framework=str(row.get("framework", "")),
        before_ms=float(before) if before is not None and level == 0 else None,
        after_ms=float(row["after_ms"]),
    )
