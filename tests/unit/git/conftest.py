"""A repository to commit into."""

from __future__ import annotations

import pytest

from tests.unit.git.history_maker import HistoryMaker


@pytest.fixture
def maker(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return HistoryMaker(tmp_path / "project")
