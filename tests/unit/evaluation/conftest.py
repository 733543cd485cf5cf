"""A mirror with one repository in which a wait was raised, and its manifest."""

from __future__ import annotations

import json

import pytest

from tests.unit.git.history_maker import HistoryMaker
from tests.unit.localization.conftest import spec_of


@pytest.fixture
def mirrored(tmp_path, monkeypatch):
    """The manifest's path and that of the mirrors."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TRAF_STATE_DIR", str(tmp_path / "state"))
    maker = HistoryMaker(tmp_path / "work")
    package = {"package.json": '{"devDependencies": {"@playwright/test": "1"}}'}
    other = spec_of(
        "await page.waitForTimeout(800);", "await page.waitForTimeout(900);", "await page.waitForTimeout(900);"
    )
    parent = maker.commit(
        {**package, "e2e/a.spec.ts": spec_of("await page.waitForTimeout(500);"), "e2e/b.spec.ts": other}
    )
    fix = maker.commit({"e2e/a.spec.ts": spec_of("await page.waitForTimeout(900);")})
    maker.commit({"e2e/b.spec.ts": spec_of("await page.waitForTimeout(7777);")})
    (tmp_path / "mirrors" / "o+r").mkdir(parents=True)
    maker.git("clone", "--quiet", "--bare", str(maker.top), str(tmp_path / "mirrors" / "o+r" / "repo"))
    row = {
        "repo": "o/r", "fix": fix, "parent": parent, "path": "e2e/a.spec.ts", "line": 4, "level": 0,
        "kind": "waitForTimeout", "framework": "playwright", "before_ms": 500, "after_ms": 900,
    }  # fmt: skip
    rows = [row, {**row, "repo": "o/absent"}, {**row, "path": "e2e/none.spec.ts"}]
    manifest = tmp_path / "fixes.jsonl"
    manifest.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return manifest, tmp_path / "mirrors"
