"""A project with a history, and the ranked times of one of its lines."""

from __future__ import annotations

import pytest

from tests.unit.git.history_maker import HistoryMaker
from traf.git import open_repository
from traf.localization.candidates import find_candidates
from traf.syntax import Context, find_sites, parse

CONTEXT = Context("playwright")


@pytest.fixture
def maker(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return HistoryMaker(tmp_path / "project")


def spec_of(*lines: str) -> str:
    """A spec with one test around the lines; the first of them is line 4."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"import {{ test, expect }} from '@playwright/test';\n\ntest('works', async ({{ page }}) => {{\n{body}}});\n"


def ranked(root, spec, line, *, history=True, above_ms=None, context=CONTEXT):
    """The candidates of the wait whose call stands on a line."""
    source = parse(spec, (root / spec).read_bytes())
    site = next(site for site in find_sites(source, context) if site.line == line)
    repository = open_repository(root)
    try:
        above_ms = site.ms or 0.0 if above_ms is None else above_ms
        return find_candidates(root, spec, source, site, context, repository, history=history, above_ms=above_ms)
    finally:
        if repository is not None:
            repository.close()


def places(candidates):
    """What most tests look at: ms, path, line, commit."""
    return [(c.ms, c.source.path, c.source.line, c.source.commit) for c in candidates]
