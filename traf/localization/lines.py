"""Reads the wait times that a single line spells out, without parsing: for histories and whole suites, where speed counts.

It knows words, not APIs: a number beside a name that speaks of waiting. The directory of a flaky wait is parsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from traf.syntax import WaitKind

MAY_WAIT = re.compile(rb"wait|sleep|pause|delay|time|tick|\},\s*\d{4}", re.IGNORECASE)
"""What every line with a wait holds, by bytes."""

_NUMBER = r"(?P<ms>\d[\d_]*(?:\.\d+)?(?:e\d+)?(?:\s*\*\s*\d[\d_]*)*)(?![\w.%])"
_READINGS = (
    # The limit of a test: `jest.setTimeout(9000)`, `this.timeout(9000)`, `testTimeout: 9000`, `}, 9000);`
    (
        WaitKind.TEST_TIMEOUT,
        re.compile(rf"(?:jest|test|vi|context|this|self)\s*\.\s*(?P<name>setTimeout|timeout)\(\s*{_NUMBER}"),
    ),
    (
        WaitKind.TEST_TIMEOUT,
        re.compile(rf"(?i)\b(?P<name>(?:test|hook|default|global)_?Timeout\w*)\s*[:=]\s*{_NUMBER}"),
    ),
    (WaitKind.TEST_TIMEOUT, re.compile(rf"^\s*\}}(?P<name>),\s*{_NUMBER}\s*\)")),
    # A bound: `timeout: 9000`, `const SAVE_TIMEOUT = 9000`, `waitForVisible(x, 9000)`
    (
        WaitKind.POLL_TIMEOUT,
        re.compile(rf"(?i)\b(?P<name>\w*(?:timeout|time_out)\w*)['\"]?\s*[:=]\s*{_NUMBER}"),
    ),
    (
        WaitKind.POLL_TIMEOUT,
        re.compile(rf"\b(?P<name>(?:wait|until)\w*)\([^()]*(?:\([^()]*\)[^()]*)*,\s*{_NUMBER}\s*[,)]"),
    ),
    # A sleep: `cy.wait(900)`, `setTimeout(done, 900)`, `SAVE_DELAY = 900`
    (
        WaitKind.FIXED_SLEEP,
        re.compile(rf"(?i)\b(?P<name>\w*(?:wait|sleep|pause|delay)\w*)\(\s*{_NUMBER}\s*[,)]"),
    ),
    (WaitKind.FIXED_SLEEP, re.compile(rf"(?<![.\w])(?:window\.)?(?P<name>setTimeout)\(.*,\s*{_NUMBER}\s*\)")),
    (
        WaitKind.FIXED_SLEEP,
        re.compile(rf"(?i)\b(?P<name>\w*(?:wait|sleep|pause|delay)\w*)['\"]?\s*[:=]\s*{_NUMBER}"),
    ),
)


@dataclass(frozen=True, slots=True)
class LineWait:
    """A time that a line spells out, with the name beside it."""

    ms: float
    kind: WaitKind
    name: str


@lru_cache(1 << 16)
def waits_of_line(text: str) -> tuple[LineWait, ...]:
    """The wait times that a line spells out, from left to right."""
    found: dict[int, LineWait] = {}
    if len(text) > 400:  # nobody writes such a line by hand
        return ()
    for kind, pattern in _READINGS:
        for match in pattern.finditer(text):
            ms = _product(match["ms"])
            if ms > 0 and match.start("ms") not in found:
                found[match.start("ms")] = LineWait(ms, kind, match["name"])
    return tuple(found[at] for at in sorted(found))


def _product(written: str) -> float:
    product = 1.0
    for factor in written.replace("_", "").split("*"):
        product *= float(factor)
    return product
