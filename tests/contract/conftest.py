"""Generated lab projects with the real frameworks, whose packages come from the fixtures' install cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fixtures.replay import replay
from tests.contract.client import Host
from traf.rerun.node import find_chromium


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The `node_modules` of a fixture project, by the fixture's name."""
    found: dict[str, Path] = {}

    def of(fixture: str) -> Path:
        if fixture not in found:
            target = tmp_path_factory.mktemp(fixture) / "project"
            found[fixture] = replay(fixture, target) / "node_modules"
        return found[fixture]

    return of


@pytest.fixture(scope="session")
def chromium() -> str:
    """A Chromium executable."""
    found = find_chromium()
    assert found is not None, "no Chromium on PATH: `make setup` installs one"
    return found


@pytest.fixture(scope="module")
def start_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Host]]:
    """A function that starts a host for a package directory (and the project root, where that is another)."""
    hosts: list[Host] = []

    def start(package: Path, root: Path | None = None) -> Host:
        hosts.append(Host(package, root or package, tmp_path_factory.mktemp("tmp")))
        return hosts[-1]

    yield start
    for host in hosts:
        if host.process.poll() is None:
            host.close()


def write_tree(root: Path, files: dict[str, str]) -> Path:
    """Write files, given by their path below `root`."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def tree(root: Path) -> set[str]:
    """The paths of all files below `root` that are no packages and no framework's output."""
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if not {"node_modules", "test-results", "counters"} & set(path.relative_to(root).parts)
    }
