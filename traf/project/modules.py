"""Finds the module that a specifier means, as Node and TypeScript do, without ever leaving the project."""

from __future__ import annotations

import codecs
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traf.core.errors import BadInput
from traf.project.files import read_bytes, read_json_object, shown
from traf.project.packages import Package, read_package
from traf.syntax import parse
from traf.syntax.source import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from traf.project.places import Place
    from traf.syntax import Source

_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_WRITTEN_FOR = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_CONDITIONS = ("source", "import", "module", "node", "require", "default")
_MOST_EXTENDS = 8
_LARGEST_JSON = 100_000  # larger ones are data of tests, not settings


def load_module(root: Path) -> Callable[[str, str], Source | None]:
    """A loader of the project's modules, for `syntax.Context`.

    Called with a file (relative to `root`, POSIX) and a specifier in it, it gives the parsed module: relative paths,
    tsconfig `paths` and `baseUrl`, and packages of the same workspace are followed, a JSON file exports what it
    holds; installed packages, and whatever lies outside `root` or cannot be read are None. Modules are read once.
    """
    root = root.resolve()
    resolver = _Resolver(root)

    @cache
    def parsed(path: Path) -> Source | None:
        content = read_bytes(path)
        if content is None:
            return None
        file = path.relative_to(root).as_posix()
        if path.suffix == ".json":
            if len(content) > _LARGEST_JSON:
                return None
            file, content = f"{file}.cjs", b"module.exports = " + content.removeprefix(codecs.BOM_UTF8)
        try:
            return parse(file, content)
        except BadInput:
            return None

    @cache  # asked again for every call of an imported name
    def load(file: str, specifier: str) -> Source | None:
        try:
            found = resolver.resolve((root / file).resolve().parent, specifier)
        except (OSError, RuntimeError, ValueError):  # a name too long or with a NUL in it, a loop of links
            return None
        return parsed(found) if found is not None else None

    return load


def read_source(place: Place) -> Source:
    """The parsed file of a place.

    Raises:
        BadInput: it cannot be read, is no source file, or too large.
    """
    try:
        with place.spec.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{shown(place.file)} cannot be read: {error.strerror}", slug="no-such-file") from None
    return parse(place.file, content)


class _Resolver:
    """Where specifiers lead below one root."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.resolve = lru_cache(maxsize=None)(self._resolve)
        self._paths = lru_cache(maxsize=None)(self._read_paths)
        self._workspace = lru_cache(maxsize=None)(self._read_workspace)

    def _resolve(self, folder: Path, specifier: str) -> Path | None:
        if specifier.startswith("/"):
            return None
        if specifier in {".", ".."} or specifier.startswith(("./", "../")):
            return self._inside(_file_at(folder / specifier))
        for target in self._mapped(folder, specifier):
            found = self._inside(_file_at(target))
            if found is not None:
                return found
        return self._in_package(folder, specifier)

    def _inside(self, path: Path | None) -> Path | None:
        """The real path of a file if that is the project's own."""
        if path is None:
            return None
        real = path.resolve()
        own = real.is_relative_to(self._root) and not {"node_modules", ".git"} & set(real.relative_to(self._root).parts)
        return real if own else None

    def _up(self, folder: Path) -> Iterator[Path]:
        """The folder and those above it, as far as the root."""
        folder = type(folder)(os.path.normpath(folder))
        while folder.is_relative_to(self._root):
            yield folder
            folder = folder.parent

    # tsconfig paths

    def _mapped(self, folder: Path, specifier: str) -> Iterator[Path]:
        for above in self._up(folder):
            config = next((above / n for n in ("tsconfig.json", "jsconfig.json") if (above / n).is_file()), None)
            if config is None:
                continue
            base, base_url, paths = self._paths(config)
            # TypeScript takes the pattern with the longest fixed beginning.
            for pattern, targets in sorted(paths.items(), key=lambda item: -len(item[0].partition("*")[0])):
                filling = _filling(pattern, specifier)
                if filling is not None and isinstance(targets, list):
                    yield from (base / t.replace("*", filling, 1) for t in targets if isinstance(t, str))
                    break
            if base_url is not None:
                yield base_url / specifier
            return

    def _read_paths(self, config: Path) -> tuple[Path, Path | None, Mapping[str, Any]]:
        """The folder that `paths` are relative to, the `baseUrl`, and the `paths` of a tsconfig and what it extends."""
        base_url: Path | None = None
        paths: tuple[Path, dict[str, Any]] | None = None
        queue = [config]
        for _ in range(_MOST_EXTENDS):
            if not queue:
                break
            here = queue.pop()
            data = read_json_object(here)
            options = data.get("compilerOptions")
            options = options if isinstance(options, dict) else {}
            url, own = options.get("baseUrl"), options.get("paths")
            if base_url is None and isinstance(url, str):
                base_url = here.parent / url
            if paths is None and isinstance(own, dict):
                paths = here.parent, own
            extended = data.get("extends", [])
            for name in extended if isinstance(extended, list) else [extended]:
                if isinstance(name, str) and name.startswith("."):
                    target = here.parent / name
                    queue.append(target if target.suffix == ".json" else target.with_name(target.name + ".json"))
        folder, mapping = paths or (config.parent, {})
        return base_url or folder, base_url, mapping

    # packages of the workspace

    def _in_package(self, folder: Path, specifier: str) -> Path | None:
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        if not name or ".." in parts:
            return None
        for above in self._up(folder):
            linked = above / "node_modules" / name
            package = _readable(linked.resolve()) if linked.is_dir() else self._workspace(above).get(name)
            if package is not None and package.folder.is_relative_to(self._root):
                return next(filter(None, map(self._inside, _entries(package, rest))), None)
        return None

    def _read_workspace(self, folder: Path) -> Mapping[str, Package]:
        root = _readable(folder)
        if root is None:
            return {}
        return {str(package.data.get("name")): package for package in root.workspace_packages()}


def _file_at(path: Path) -> Path | None:
    """The file that a path without, or with the wrong, ending means."""
    if path.suffix in {*_ENDINGS, ".json"} and path.is_file():
        return path
    stem_path = path.with_suffix("") if path.suffix in _WRITTEN_FOR else None
    choices = [stem_path.with_name(stem_path.name + e) for e in _WRITTEN_FOR[path.suffix]] if stem_path else []
    if path.name not in {"", ".", ".."}:
        choices += [path.with_name(path.name + ending) for ending in _ENDINGS]
    choices += [path / f"index{ending}" for ending in _ENDINGS]
    return next((choice for choice in choices if choice.is_file()), None)


def _filling(pattern: str, specifier: str) -> str | None:
    """What the `*` of a pattern stands for in a specifier that matches it."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if specifier == pattern else None
    fits = len(specifier) >= len(before) + len(after) and specifier.startswith(before) and specifier.endswith(after)
    return specifier[len(before) : len(specifier) - len(after)] if fits else None


def _readable(folder: Path) -> Package | None:
    try:
        return read_package(folder)
    except BadInput:
        return None


def _entries(package: Package, subpath: str) -> Iterator[Path | None]:
    """The files that a package's name, or a path in it, may mean: as exported, else as Node found them before exports."""
    exports = package.data.get("exports")
    key = f"./{subpath}" if subpath else "."
    table = exports if isinstance(exports, dict) and any(k.startswith(".") for k in exports) else {".": exports}
    for pattern, target in table.items():
        filling = _filling(pattern, key)
        if filling is not None:
            for choice in _targets(target):
                yield _file_at(package.folder / choice.replace("*", filling))
    if subpath:
        yield _file_at(package.folder / subpath)
        return
    for field in ("source", "module", "main"):
        value = package.data.get(field)
        if isinstance(value, str):
            yield _file_at(package.folder / value)
    # What is exported is often not built yet; its source is where everybody keeps it.
    yield _file_at(package.folder / "index")
    yield _file_at(package.folder / "src" / "index")


def _targets(target: Any) -> Iterator[str]:
    if isinstance(target, str):
        yield target
    elif isinstance(target, dict):
        for condition in _CONDITIONS:
            yield from _targets(target.get(condition))
    elif isinstance(target, list):
        for choice in target:
            yield from _targets(choice)
