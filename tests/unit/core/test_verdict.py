"""What a series of attempts shows."""

from __future__ import annotations

import pytest

from tests.support.attempts import series
from traf.core.verdict import Status, judge


@pytest.mark.parametrize(
    ("outcomes", "status", "runs", "failures"),
    [
        ("ppp", Status.PASSING, 3, 0),
        ("pfp", Status.FLAKY, 3, 1),
        ("ftc", Status.FAILING, 3, 3),
        ("spp", Status.PASSING, 2, 0),
        ("ss", Status.NOT_RUN, 0, 0),
        ("", Status.NOT_RUN, 0, 0),
    ],
)
def test_statuses(outcomes: str, status: Status, runs: int, failures: int) -> None:
    verdict = judge(series(outcomes))
    assert (verdict.status, verdict.runs, verdict.failures) == (status, runs, failures)
    assert 0 < verdict.flake_rate_upper <= 1
