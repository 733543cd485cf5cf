"""The bundled projects, replayed once a session, with a check that no repair changed them or left anything behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fixtures.replay import FIXTURES, replay
from tests.support.trees import fingerprint


class Bundled:
    """A replayed project: where it is, a state folder beside it, and the truth about its tests."""

    def __init__(self, name: str, folder: Path) -> None:
        self.project = replay(name, folder / name)
        self.state = folder / "state"
        truth = json.loads((FIXTURES / name / "truth.json").read_text(encoding="utf-8"))
        self.tests: dict[str, dict[str, Any]] = {test["key"]: test for test in truth["tests"]}

    def place(self, key: str) -> str:
        """SPEC:LINE of a test's wait."""
        return f"{self.tests[key]['file']}:{self.tests[key]['line']}"


def _bundled(name: str, factory: pytest.TempPathFactory) -> Iterator[Bundled]:
    bundled = Bundled(name, factory.mktemp(name))
    before = fingerprint(bundled.project)
    yield bundled
    assert fingerprint(bundled.project) == before, "a repair changed the user's tree"
    assert not list(bundled.state.rglob("traf-*")), "a repair left a sandbox behind"
    assert not list((bundled.state / "runs").glob("*")), "a repair left its record behind"


@pytest.fixture(scope="session")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundled]:
    """The Playwright project."""
    yield from _bundled("playwright-parcels", tmp_path_factory)


@pytest.fixture(scope="session")
def notices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundled]:
    """The Jest project."""
    yield from _bundled("jest-notices", tmp_path_factory)


@pytest.fixture(scope="session")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundled]:
    """The Vitest project."""
    yield from _bundled("vitest-seats", tmp_path_factory)
