"""The nouns of the project room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Project:
    """What a spec belongs to.

    `root` is what a sandbox copies: the git work tree's top, else the workspace root, else the package. `package_dir` is
    where the framework is started (its config lies there). `spec` is the spec's path relative to `root`, POSIX.
    `defaults` are configured times in ms by key ("playwright.expect.timeout"), for syntax.Context.
    `warnings` are one-line remarks a user should see (no repository, shallow clone, detached HEAD).
    """

    root: Path
    package_dir: Path
    spec: str
    framework: str
    config_file: Path | None
    has_git: bool
    defaults: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
