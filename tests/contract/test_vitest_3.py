"""The Vitest adapter against the real Vitest 3, whose pools are others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.suite import Lab
from tests.contract.test_vitest import PACKAGE, VitestContract, lab_in, project

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("lab-vitest-3")]


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return project(tmp_path_factory, "vitest-3", PACKAGE)


@pytest.fixture(scope="module")
def lab(root, start_host) -> Lab:
    return lab_in(root, start_host)


class TestVitest3(VitestContract):
    # This takes its time, and is the host's work.
    test_a_hang_is_ended_and_the_rest_goes_on = None
