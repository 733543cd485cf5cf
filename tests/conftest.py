"""Options and fixtures that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` writes the golden reports anew instead of comparing."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def golden() -> Path:
    """Where the golden files lie."""
    return Path(__file__).parent / "golden"
