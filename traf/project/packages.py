"""package.json files and the workspaces that they form, read as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from traf.core.errors import BadInput
from traf.project.files import parse_json, read_bytes, read_json_object, shown
from traf.project.globs import matches
from traf.project.yaml import flat_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DEPENDENCY_KEYS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_NEVER_ENTERED = frozenset({"node_modules", ".git"})


@dataclass(frozen=True, slots=True, eq=False)
class Package:
    """A folder with a package.json, and what that says."""

    folder: Path
    data: Mapping[str, Any]

    @property
    def dependencies(self) -> frozenset[str]:
        """The names of all packages that it asks for."""
        tables = (self.data.get(key) for key in _DEPENDENCY_KEYS)
        return frozenset(name for table in tables if isinstance(table, dict) for name in table)

    @property
    def scripts(self) -> Mapping[str, str]:
        """The command lines of its scripts by name."""
        table = self.data.get("scripts")
        return {n: line for n, line in table.items() if isinstance(line, str)} if isinstance(table, dict) else {}

    @property
    def workspaces(self) -> tuple[str, ...]:
        """The globs of the workspace packages that npm, yarn, pnpm or lerna find below it; empty if it is no workspace root."""
        declared = self.data.get("workspaces")
        if isinstance(declared, dict):
            declared = declared.get("packages")
        if declared is None:
            declared = flat_yaml(read_bytes(self.folder / "pnpm-workspace.yaml") or b"").get("packages")
        if declared is None:
            declared = read_json_object(self.folder / "lerna.json").get("packages")
        return tuple(glob for glob in declared if isinstance(glob, str)) if isinstance(declared, list) else ()

    def has_workspace(self, folder: Path) -> bool:
        """Whether a folder is one of this workspace root's packages."""
        if not folder.is_relative_to(self.folder):
            return False
        path = folder.relative_to(self.folder).as_posix()
        globs = [(glob.startswith("!"), _normal(glob.lstrip("!"))) for glob in self.workspaces]
        return any(not excluded and matches(glob, path) for excluded, glob in globs) and not any(
            excluded and matches(glob, path) for excluded, glob in globs
        )

    def workspace_packages(self) -> Iterator[Package]:
        """The packages of this workspace root that can be read."""
        for glob in self.workspaces:
            if glob.startswith("!"):
                continue
            for folder in _folders(self.folder, PurePosixPath(_normal(glob)).parts):
                data = read_json_object(folder / "package.json")
                if data and self.has_workspace(folder):
                    yield Package(folder, data)


def read_package(folder: Path) -> Package | None:
    """The package of a folder, None if it has no package.json.

    Raises:
        BadInput: the package.json is not a JSON object; the message says where it is broken.
    """
    path = folder / "package.json"
    if not path.is_file():
        return None
    content = read_bytes(path)
    if content is None:
        raise BadInput(f"{shown(path)} cannot be read as text: repair it and start again", slug="broken-package-json")
    try:
        data = parse_json(content)
    except ValueError as error:
        raise BadInput(f"{shown(path)} is not valid JSON: {error}", slug="broken-package-json") from None
    if not isinstance(data, dict):
        raise BadInput(f"{shown(path)} is not valid: it must hold a JSON object", slug="broken-package-json")
    return Package(folder, data)


def _normal(glob: str) -> str:
    return glob.removeprefix("./").rstrip("/")


def _folders(base: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    """The folders below `base` that the parts of a glob name; links and installed packages are not entered."""
    if not parts:
        yield base
        return
    head, rest = parts[0], parts[1:]
    if head == "**":
        yield from _folders(base, rest)
    try:
        children = [child for child in base.iterdir() if child.is_dir() and not child.is_symlink()]
    except OSError:
        return
    for child in sorted(children):
        if child.name in _NEVER_ENTERED:
            continue
        if head == "**":
            yield from _folders(child, parts)
        elif matches(head, child.name):
            yield from _folders(child, rest)
