"""`traf waits` and `traf edit` as they are typed: folders, lines, formats, applying, and what is refused."""

from __future__ import annotations

import json
import subprocess

import pytest

from traf.cli.main import run

SPEC = """import { test, expect } from '@playwright/test';

test.beforeEach(async ({ page }) => {
  await page.waitForTimeout(200);
});

test('a', async ({ page }) => {
  await page.waitForTimeout(500);
  await expect(page.locator('.a')).toBeVisible();
});

test('b', async ({ page }) => {
  await page.goto('/'); await page.goto('/b');
});
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    (root / "e2e").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "package.json").write_text('{"devDependencies": {"@playwright/test": "1"}}', encoding="utf-8")
    (root / "e2e" / "a.spec.ts").write_text(SPEC, encoding="utf-8")
    monkeypatch.chdir(root)
    return root


def test_a_folder(project, capfd):
    assert run(["waits", "e2e"]) == 0
    out = capfd.readouterr().out
    assert "e2e/a.spec.ts\n" in out
    assert "2 fixed sleeps" in out
    assert "sleeps at least 0.9 s" in out  # 2 x 200 ms of the hook and 500 ms


def test_a_folder_and_a_file_in_it_are_counted_once(project, capfd):
    assert run(["waits", "e2e", "e2e/a.spec.ts", "--format", "json"]) == 0
    data = json.loads(capfd.readouterr().out)
    places = [(site["line"], site["column"], site["api"]) for site in data["sites"]]
    assert len(places) == len(set(places))
    assert data["summary"] == {"files": 1, "sites": len(places), "fixed_sleep_ms_per_run": 900}


def test_a_file_of_a_folder_that_cannot_be_read_is_left_out_with_a_word(project, capfd):
    (project / "e2e" / "b.spec.ts").write_bytes(b"\0\1")
    assert run(["waits", "e2e"]) == 0
    assert "b.spec.ts: is not UTF-8 text; give a source file; it is left out" in capfd.readouterr().err


def test_the_wait_of_a_line_comes_first(project, capfd):
    assert run(["waits", "e2e/a.spec.ts:13", "--format", "json"]) == 2
    assert run(["waits", "e2e/a.spec.ts:13:30", "--format", "json"]) == 0
    sites = json.loads(capfd.readouterr().out)["sites"]
    assert [site["column"] for site in sites] == [31, 9]


def test_a_line_where_a_wait_would_be_put_in(project, capfd):
    (project / "e2e" / "c.spec.ts").write_text(
        "import { test } from '@playwright/test';\ntest('c', async () => {\n  open();\n});\n"
    )
    assert run(["waits", "e2e/c.spec.ts:3"]) == 0
    assert "3:3  a wait can be put in before this" in capfd.readouterr().out


def test_an_edit_is_a_diff_that_git_takes(project, capfd):
    assert run(["edit", "e2e/a.spec.ts:8", "--ms", "900"]) == 0
    diff = capfd.readouterr().out
    subprocess.run(["git", "apply", "-"], input=diff.encode(), cwd=project, check=True)
    assert "waitForTimeout(900)" in (project / "e2e" / "a.spec.ts").read_text(encoding="utf-8")


def test_the_same_value_is_the_empty_diff(project, capfd):
    assert run(["edit", "e2e/a.spec.ts:8", "--ms", "500", "--apply"]) == 0
    assert capfd.readouterr() == ("", "traf: e2e/a.spec.ts:8 waits 500 ms already\n")


def test_apply_writes_the_file(project, capfd):
    assert run(["edit", "e2e/a.spec.ts:9", "--ms", "8000", "--apply", "--format", "json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert (data["ms"], data["site"]["ms"], data["site"]["ms_from"]) == (8000, 5000, "default")
    assert "toBeVisible({ timeout: 8000 });" in (project / "e2e" / "a.spec.ts").read_text(encoding="utf-8")


def test_a_file_that_may_not_be_written_stays(project, capfd):
    spec = project / "e2e" / "a.spec.ts"
    spec.chmod(0o444)
    assert run(["edit", "e2e/a.spec.ts:8", "--ms", "900", "--apply"]) == 1
    out, err = capfd.readouterr()
    assert "is read-only, so the diff in the output was not applied to it" in err
    assert "page.waitForTimeout(900)" in out
    assert spec.read_text(encoding="utf-8") == SPEC


def test_a_bound_beyond_the_limit_of_the_test_is_said(project, capfd):
    assert run(["edit", "e2e/a.spec.ts:9", "--ms", "40000"]) == 0
    assert "40000 ms do not fit into the limit of 30000 ms" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["edit", "e2e/a.spec.ts", "--ms", "5"], "give a line, as in e2e/a.spec.ts:12"),
        (["edit", "e2e/a.spec.ts:8", "--ms", "-5"], "--ms -5: give a whole number of milliseconds, 0 or more"),
        (["edit", "e2e/a.spec.ts:8", "--ms", "0.5"], "--ms 0.5: give a whole number of milliseconds, 0 or more"),
        (["edit", "e2e/a.spec.ts:8", "--ms", "nan"], "give a whole number of milliseconds"),
        (["edit", "e2e/a.spec.ts:8", "--ms", "inf"], "give a whole number of milliseconds"),
        (["edit", "e2e/a.spec.ts:13", "--ms", "5"], "2 waits on this line, in columns 9 and 31"),
        (["edit", "e2e/none.ts:8", "--ms", "5"], "does not exist"),
        (["edit", "package.json:1", "--ms", "5"], ".json files are not supported"),
        (["waits", "none"], "does not exist"),
        (["waits"], "Missing argument"),
        (["waits", "e2e/a.spec.ts:99"], "the file has 14 lines"),
    ],
)
def test_bad_input_is_one_line(project, capfd, arguments, message):
    assert run(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
