"""The patch of a wait: minimal, applied by git, and with the test's limit raised where it must be."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from traf.repair.strategy import DoesNotFitError, Patcher
from traf.syntax import choose_site, parse
from traf.syntax.model import Context

CONTEXT = Context("playwright", {"playwright.timeout": 5_000})
HEAD = "import { test, expect } from '@playwright/test';\n"


def patcher(body: str, line: int, diff_path: str = "e2e/a.spec.ts") -> Patcher:
    source = parse("e2e/a.spec.ts", (HEAD + body).encode())
    return Patcher(source, choose_site(source, CONTEXT, line), CONTEXT, diff_path)


SLEEP = "test('x', async ({ page }) => {\n  await page.waitForTimeout(200);\n});\n"
CLICK = "test('x', async ({ page }) => {\n  await page.locator('#a').click();\n});\n"
HELPER = "const open = async (page) => {\n  await page.waitForTimeout(200);\n};\n"


def changed(patch_diff: str) -> list[str]:
    return [line for line in patch_diff.splitlines() if line[0] in "+-" and line[:3] not in {"---", "+++"}]


def test_a_patch_changes_the_time_and_nothing_else() -> None:
    patch = patcher(SLEEP, 3)(900)
    assert changed(patch.diff) == ["-  await page.waitForTimeout(200);", "+  await page.waitForTimeout(900);"]
    assert patch.raised_limit_ms is None
    assert patch.allowed_ms >= 5_000


def test_a_time_beyond_the_tests_limit_raises_that_limit_in_the_same_patch() -> None:
    patch = patcher(SLEEP, 3)(6_000)
    assert changed(patch.diff) == [
        "-  await page.waitForTimeout(200);",
        "+  test.setTimeout(8000);",
        "+  await page.waitForTimeout(6000);",
    ]
    assert (patch.raised_limit_ms, patch.allowed_ms) == (8_000, 8_000)


def test_a_call_without_a_bound_needs_only_the_limit() -> None:
    patch = patcher(CLICK, 3)(9_000)
    assert changed(patch.diff) == ["+  test.setTimeout(15000);"]


def test_where_the_limit_cannot_be_raised_the_time_is_refused() -> None:
    with pytest.raises(DoesNotFitError):
        patcher(HELPER, 3)(9_000)


def test_git_takes_the_patch_under_the_files_own_name(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "real.spec.ts").write_text(HEAD + SLEEP)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    diff = patcher(SLEEP, 3, "shared/real.spec.ts")(900).diff
    subprocess.run(["git", "apply", "--check", "-"], cwd=tmp_path, input=diff.encode(), check=True)
