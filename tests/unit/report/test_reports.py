"""Golden reports, one for each outcome; `pytest --update-golden` writes them anew."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from tests.support.attempts import TEST
from tests.support.fake_engine import FakeEngine, Silent, plan, wait_site
from traf.core.attempts import Level, TestId
from traf.repair.model import Mode, Patch, Policy, RepairOutcome, RepairResult, Settings
from traf.repair.repair import repair
from traf.report.json_report import repair_json, repair_schema
from traf.report.text_report import repair_text
from traf.syntax import unified_diff

BEFORE = b"test('shows the file', async ({ page }) => {\n  await page.waitForTimeout(200);\n});\n"


class PatchingEngine(FakeEngine):
    """A fake engine whose patches have a real diff."""

    def patching(self, ms: float) -> Patch:
        after = BEFORE.replace(b"200", f"{ms:g}".encode())
        return replace(super().patching(ms), data=after, diff=unified_diff(TEST.file, BEFORE, after))


def result_of(outcome: str) -> RepairResult:
    latencies, site, times, settings = {
        "repaired": ((100, 433), wait_site(), (300, 900), Settings(Mode.FULL, Policy.SAFE, 20)),
        "not_flaky": ((100,), wait_site(), (900,), Settings()),
        "broken": ((5000,), wait_site(), (900,), Settings()),
        "not_applicable": ((100, 1500), wait_site(), (), Settings()),
        "not_repairable": ((100, 1e9), wait_site(), (900, 500), Settings()),
        "inserted": ((10, 130), replace(wait_site(level=1, action="insert"), ms=None), (400,), Settings(runs=20)),
    }[outcome]
    engine = PatchingEngine.of(*latencies, in_force_ms=50 if outcome == "inserted" else 200)
    result = repair(plan(site, *times), settings, engine.patching, engine.run, Silent())
    return replace(result, wall_s=61.5, level=Level.WORKER, machine="Linux x86_64, 2 cores, playwright 1.65.1")


def dry_run() -> RepairResult:
    found = plan(wait_site(), 900, 500)
    return RepairResult(
        None, "2 times above 200 ms found; no test was run", None, found.site, Settings(), candidates=found.candidates
    )


RESULTS = {
    **{
        name: lambda name=name: result_of(name)
        for name in ("repaired", "not_flaky", "broken", "not_applicable", "not_repairable", "inserted")
    },
    "cannot_run": lambda: RepairResult(
        RepairOutcome.CANNOT_RUN, "@playwright/test is not installed: run npm ci", None, None, Settings()
    ),
    "dry_run": dry_run,
    "hostile_names": lambda: replace(
        result_of("not_flaky"),
        test=TestId("e2e/\x1b[2J.spec.ts", ("::set-output name=x::y", "a\n+b")),
        warnings=("\x1b]0;title\x07",),
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_golden(name: str, golden: Path, update_golden: bool) -> None:
    result = RESULTS[name]()
    for suffix, text in ((".txt", repair_text(result)), (".json", repair_json(result))):
        path = golden / f"repair_{name}{suffix}"
        if update_golden:
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RESULTS)
def test_json_keeps_to_its_schema(name: str) -> None:
    data = json.loads(repair_json(RESULTS[name]()))
    jsonschema.validate(data, repair_schema())


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(repair_schema())


def test_the_schema_refuses_what_is_not_a_report() -> None:
    data = json.loads(repair_json(result_of("repaired")))
    data["outcome"] = "fixed"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, repair_schema())
