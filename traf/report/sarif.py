"""The waits of a suite as SARIF 2.1.0, for code scanning pages (https://docs.oasis-open.org/sarif/sarif/v2.1.0/)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from traf import __version__
from traf.report.printable import number, printable
from traf.report.waits_report import Suite
from traf.syntax.model import WaitKind, WaitSite

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_RULES = {
    WaitKind.FIXED_SLEEP: (
        "fixed-sleep",
        "A fixed sleep is paid in every run, and too short on a slow machine",
        "warning",
    ),
    WaitKind.POLL_TIMEOUT: ("polling-bound", "A polling bound is paid only when the condition is late", "note"),
    WaitKind.TEST_TIMEOUT: ("test-limit", "The limit of a test or hook bounds every wait in it", "note"),
    WaitKind.FAKE_CLOCK: ("fake-clock", "A fake clock's time belongs to a delay of the code under test", "note"),
    WaitKind.NONE: ("no-wait", "A time that does not make the test wait", "note"),
}


def waits_sarif(suite: Suite) -> str:
    """The sites as one SARIF log, ended by a line feed."""
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text, _level in _RULES.values()]
    driver = {"name": "traf", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(site) for site in suite.sites],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=2) + "\n"


def _result(site: WaitSite) -> dict[str, Any]:
    name, _text, level = _RULES[site.kind]
    time = f"{number(site.ms)} ms" if site.ms is not None else f"no known time ({site.ms_from})"
    notes = "".join(f"; {note}" for note in (*([site.reason] if site.reason else []), *site.warnings))
    location = {
        "artifactLocation": {"uri": quote(site.file.encode("utf-8", "surrogateescape")), "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": site.line, "startColumn": site.column},
    }
    return {
        "ruleId": name,
        "ruleIndex": list(_RULES).index(site.kind),
        "level": level,
        "message": {"text": printable(f"{site.api or 'statement'}: {time}, {site.ms_from}{notes}")},
        "locations": [{"physicalLocation": location}],
    }
