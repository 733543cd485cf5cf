"""Builds series of attempts from short strings: p pass, f fail, t timeout, e error, c crash, s skip."""

from __future__ import annotations

from traf.core.attempts import Attempt, AttemptError, Outcome, Series, TestId

TEST = TestId("e2e/upload.spec.ts", ("uploads", "shows the file"))
_OUTCOMES = {o.value[0]: o for o in Outcome}


def series(outcomes: str, *, duration_ms: float = 100.0, message: str = "expected 1 to be 2") -> Series:
    """A series of attempts of TEST with the given outcomes."""
    return Series(
        tuple(
            Attempt(TEST, i, _OUTCOMES[c], duration_ms, AttemptError(message) if _OUTCOMES[c].failed else None)
            for i, c in enumerate(outcomes)
        )
    )
