"""One edit as JSON, by schemas/edit.schema.json."""

from __future__ import annotations

import json
from collections.abc import Sequence

from traf.report.printable import number
from traf.report.waits_report import site_data
from traf.syntax.model import WaitSite

SCHEMA_VERSION = 1


def edit_json(site: WaitSite, ms: float, diff: str, warnings: Sequence[str]) -> str:
    """The site as it was, its new time in ms, the diff ("" where nothing changes) and what a reviewer should know."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "site": site_data(site),
        "ms": number(ms),
        "diff": diff,
        "warnings": list(warnings),
    }
    return json.dumps(data, ensure_ascii=True, indent=2) + "\n"
