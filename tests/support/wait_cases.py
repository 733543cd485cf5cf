"""The cases of tests/cases/waits: small projects, and what is right for one line of each."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "cases" / "waits"


def wait_cases() -> dict[str, dict[str, Any]]:
    """The cases by "topic: name".

    Raises:
        ValueError: two cases of one name.
    """
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            name = f"{file.stem}: {case['name']}"
            if name in found:
                raise ValueError(f"two cases are called {name!r}")
            found[name] = case
    return found


def lay_out(case: dict[str, Any], folder: Path) -> Path:
    """Write the project of a case. Its top looks like a git work tree, so that nothing above it counts."""
    root = folder / "project"
    own = {"package.json": '{"name": "case"}', ".git/HEAD": "ref: refs/heads/main\n", case["file"]: case["code"]}
    for name, text in {**own, **case.get("files", {})}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return root
