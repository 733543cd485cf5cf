"""Writes docs/wait-apis.md, the list of wait APIs that traf knows, from its tables; `--check` tells whether it is current."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from traf.syntax.catalogue import tables  # noqa: E402 - the path is set just above
from traf.syntax.rows import Row  # noqa: E402
from traf.syntax.tables import Table  # noqa: E402

PAGE = ROOT / "docs" / "wait-apis.md"
HEAD = """# Wait APIs

What traf knows of each framework's waits, written from `traf/syntax/wait_apis/*.toml` by `scripts/wait_apis_page.py`. The
time stands in an argument (counted from 0) or under a key of one. A default of 0 means no bound where the framework says
so; a key beside the default is the setting that changes it. Local and imported functions that wrap one of these are waits
as well.
"""


def page() -> str:
    """The page as the tables have it."""
    return HEAD + "".join(section(table) for table in tables())


def section(table: Table) -> str:
    """The table of one framework."""
    head = f"\n## {table.framework}\n\n| call | kind | time | default |\n|---|---|---|---|\n"
    return head + "".join(line(row) for row in table.rows)


def line(row: Row) -> str:
    """One API."""
    names = ", ".join(f"`{name}`" for name in row.names)
    on = " or ".join(f"`{name}`" for name in row.on if name not in {"", "**"})
    default = "" if row.default is None else f"{row.default:g} ms"
    keys = ", ".join(f"`{key}`" for key in row.default_keys)
    cells = [
        names + (f" on {on}" if on else ""),
        row.kind.replace("_", " "),
        ", ".join(f"`{place}`" for place in row.time) + (f" ({row.unit})" if row.unit != "ms" else ""),
        " ".join(filter(None, [default, f"({keys})" if keys else ""])),
    ]
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |\n"


def main() -> int:
    """Write the page, or check it."""
    if "--check" in sys.argv[1:]:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
