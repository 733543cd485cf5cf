"""JavaScript and TypeScript text in; wait sites, their times, and byte-exact edits out. Nothing here reads or runs anything."""

from __future__ import annotations

from traf.syntax.arithmetic import UNKNOWN
from traf.syntax.blocks import test_blocks, tests_for_line
from traf.syntax.catalogue import config_rows
from traf.syntax.choose import choose_site
from traf.syntax.config import configured_times, exported_value
from traf.syntax.costs import slept_ms
from traf.syntax.diff import unified_diff
from traf.syntax.edits import apply_edits, edits_for
from traf.syntax.limits import fit_limit
from traf.syntax.model import Context, Edit, LimitFit, MsFrom, TestBlock, WaitKind, WaitSite
from traf.syntax.numbers import duration_ms
from traf.syntax.rows import ConfigRow
from traf.syntax.sites import find_sites
from traf.syntax.source import Source, parse
from traf.syntax.tokens import tokens

__all__ = [
    "UNKNOWN",
    "ConfigRow",
    "Context",
    "Edit",
    "LimitFit",
    "MsFrom",
    "Source",
    "TestBlock",
    "WaitKind",
    "WaitSite",
    "apply_edits",
    "choose_site",
    "config_rows",
    "configured_times",
    "duration_ms",
    "edits_for",
    "exported_value",
    "find_sites",
    "fit_limit",
    "parse",
    "slept_ms",
    "test_blocks",
    "tests_for_line",
    "tokens",
    "unified_diff",
]
