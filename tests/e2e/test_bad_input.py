"""Bad input is one clear line on standard error, exit code 2, nothing on standard output, and nothing written."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.support.cli import Done, command, environment, traf
from tests.support.trees import fingerprint

SPEC = """import { test, expect } from '@playwright/test';

const LONG = 4000;

test('shows the file', async ({ page }) => {
  await page.goto('/');
  await page.waitForTimeout(200);
  await page.waitForTimeout(100); await page.waitForTimeout(300);
  // nothing here
  expect(await page.locator('h1').textContent()).toBe('Files');
});
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "e2e").mkdir(parents=True)
    (root / "package.json").write_text(json.dumps({"devDependencies": {"@playwright/test": "1.65.1"}}))
    (root / "e2e" / "a.spec.ts").write_text(SPEC)
    (root / "e2e" / "other.spec.ts").write_text(SPEC.replace("200", "900"))
    (root / "e2e" / "list.vue").write_text("<template/>")
    (root / "e2e" / "steps.feature").write_text("Feature: x")
    (root / "e2e" / "old.coffee").write_text("x = 1")
    (root / "e2e" / "image.spec.ts").write_bytes(b"\x89PNG\0\0")
    (root / "e2e" / "huge.spec.ts").write_text("//" + "x" * 10_000_000)
    (root / "e2e" / "broken.spec.ts").write_text(SPEC.replace("page.waitForTimeout(200);", "page.waitForTimeout(200"))
    (root / "e2e" / "unit.test.js").write_text("import { test } from 'bun:test';\ntest('x', () => {});\n")
    return root


def assert_complains(done: Done, *words: str, code: int = 2) -> None:
    assert done.code == code, done.err
    assert done.out == ""
    lines = done.err.splitlines()
    assert len(lines) == 1, done.err
    assert lines[0].startswith("traf: ")
    assert "Traceback" not in done.err
    for word in words:
        assert word in lines[0], lines[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["e2e/none.spec.ts:7"], ["e2e/none.spec.ts"]),
        (["e2e:7"], ["e2e"]),
        (["e2e/a.spec.ts:99"], ["99", "11"]),
        (["e2e/a.spec.ts:0"], ["count from 1"]),
        (["e2e/a.spec.ts:9"], ["a.spec.ts:9"]),
        (["e2e/a.spec.ts:8"], ["columns 9 and 41", "e2e/a.spec.ts:8:9"]),
        (["e2e/a.spec.ts:7", "--line", "6"], ["7", "6"]),
        (["e2e/list.vue:1"], [".vue"]),
        (["e2e/steps.feature:1"], [".feature"]),
        (["e2e/old.coffee:1"], [".coffee"]),
        (["e2e/image.spec.ts:1"], ["image.spec.ts", "UTF-8"]),
        (["e2e/huge.spec.ts:1"], ["huge.spec.ts", "10 MB"]),
        (["e2e/broken.spec.ts:7"], ["broken.spec.ts"]),
        (["e2e/unit.test.js:2"], ["bun:test", "jest", "playwright"]),
        (["e2e/a.spec.ts:7", "--runs", "0"], ["--runs"]),
        (["e2e/a.spec.ts:7", "--mode", "magic"], ["magic", "static"]),
        (["e2e/a.spec.ts:7", "--threshold-ms", "x"], ["--threshold-ms"]),
        (["e2e/a.spec.ts:7", "--attempt-timeout", "0"], ["--attempt-timeout"]),
        (["e2e/a.spec.ts:7", "--attempt-timeout", "nan"], ["--attempt-timeout"]),
        (["e2e/a.spec.ts:7", "--attempt-timeout", "inf"], ["--attempt-timeout"]),
        (["e2e/a.spec.ts:7", "--threshold-ms", "nan"], ["--threshold-ms"]),
        (["e2e/a.spec.ts:7", "--output", "e2e"], ["--output"]),
        (["e2e/a.spec.ts:7", "--output", "none/report.txt"], ["--output"]),
        (["e2e/a.spec.ts:7", "--output", "e2e/a.spec.ts"], ["--output"]),
        (["e2e/a.spec.ts", "--dry-run"], ["SPEC:LINE"]),
        ([], ["SPEC"]),
    ],
)
def test_bad_input(project: Path, tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    before = fingerprint(project)
    assert_complains(traf(project, tmp_path / "state", "repair", *arguments), *words)
    assert fingerprint(project) == before


def test_a_spec_outside_any_project(tmp_path: Path) -> None:
    (tmp_path / "lost.spec.ts").write_text(SPEC)
    assert_complains(traf(tmp_path, tmp_path / "state", "repair", "lost.spec.ts:7"), "package.json")


def test_an_unknown_command_and_an_unknown_option(tmp_path: Path) -> None:
    assert_complains(traf(tmp_path, tmp_path / "state", "mend"), "mend")
    assert_complains(traf(tmp_path, tmp_path / "state", "repair", "--quickly"), "--quickly")


def fake_node(folder: Path, version: str) -> str:
    """A PATH whose node prints `version`, and has git."""
    folder.mkdir()
    node = folder / "node"
    node.write_text(f"#!/bin/sh\necho {version}\n")
    node.chmod(0o755)
    return f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin"


def test_node_too_old(project: Path, tmp_path: Path) -> None:
    path = fake_node(tmp_path / "bin", "v16.20.2")
    assert_complains(traf(project, tmp_path / "state", "repair", "e2e/a.spec.ts:7", PATH=path), "v16.20.2", "18")


def test_node_missing(project: Path, tmp_path: Path) -> None:
    assert_complains(traf(project, tmp_path / "state", "repair", "e2e/a.spec.ts:7", PATH=str(tmp_path)), "node", "18")


def test_a_chromium_that_is_none(project: Path, tmp_path: Path) -> None:
    wrong = str(project / "package.json")
    assert_complains(
        traf(project, tmp_path / "state", "repair", "e2e/a.spec.ts:7", TRAF_CHROMIUM=wrong), "TRAF_CHROMIUM"
    )


def test_temporary_files_in_the_repository(project: Path, tmp_path: Path) -> None:
    (project / "tmp").mkdir()
    assert_complains(
        traf(project, tmp_path / "state", "repair", "e2e/a.spec.ts:7", TMPDIR=str(project / "tmp")), "TMPDIR"
    )


@pytest.mark.parametrize(("shell", "code"), [("| true", 0), (">/dev/full", 2), (">&-", 2), ("2>&1 | true", 0)])
def test_output_that_goes_nowhere(project: Path, tmp_path: Path, shell: str, code: int) -> None:
    line = shlex.join(command("repair", "e2e/a.spec.ts:7", "--dry-run"))
    script = f"{line} {shell}; exit ${{PIPESTATUS[0]}}"
    env = environment(tmp_path / "state")
    done = subprocess.run(["bash", "-c", script], cwd=project, env=env, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_framework_that_is_not_installed_cannot_be_run(project: Path, tmp_path: Path) -> None:
    done = traf(project, tmp_path / "state", "repair", "e2e/a.spec.ts:7", "--format", "json")
    assert done.code == 3
    assert done.data["outcome"] == "cannot_run"
    assert "npm" in done.data["reason"]
    assert done.err.startswith("traf: ")
    assert "Traceback" not in done.err
    assert not list((tmp_path / "state").rglob("traf-*"))


def test_without_a_repository_it_works_with_a_warning(project: Path, tmp_path: Path) -> None:
    done = traf(project, tmp_path / "state", "repair", "e2e/a.spec.ts:7", "--dry-run", "--format", "json")
    assert done.code == 0, done.err
    assert 900 in [c["ms"] for c in done.data["candidates"]]
    assert any("git" in w for w in done.data["warnings"])


def git(project: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)


def test_shallow_clones_and_detached_heads_work_with_a_warning(project: Path, tmp_path: Path) -> None:
    git(project, "init", "-q", "-b", "main")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "one")
    git(project, "commit", "-qm", "two", "--allow-empty")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{project}", "shallow")
    shallow = tmp_path / "shallow"
    git(shallow, "checkout", "-q", "--detach")
    done = traf(shallow, tmp_path / "state", "repair", "e2e/a.spec.ts:7", "--dry-run", "--format", "json")
    assert done.code == 0, done.err
    warnings = " ".join(done.data["warnings"])
    assert "shallow" in warnings
    assert "detached" in warnings


def test_the_spec_may_be_named_from_anywhere(project: Path, tmp_path: Path) -> None:
    done = traf(tmp_path, tmp_path / "state", "repair", str(project / "e2e" / "a.spec.ts"), "--line", "7", "--dry-run")
    assert done.code == 0, done.err
    assert "e2e/a.spec.ts:7" in done.out


def test_hostile_names_are_printed_harmlessly(project: Path, tmp_path: Path) -> None:
    name = "e2e/\x1b[31mé$(touch owned)\n.spec.ts"
    (project / name).write_text(SPEC)
    done = traf(project, tmp_path / "state", "repair", f"{name}:7", "--dry-run")
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err
    assert_complains(traf(project, tmp_path / "state", "repair", f"{name}:99"), "99")
    assert not list(project.rglob("owned"))


def test_help_and_version_print_to_standard_output(tmp_path: Path) -> None:
    for arguments in (["--help"], ["repair", "--help"], ["--version"]):
        done = traf(tmp_path, tmp_path / "state", *arguments)
        assert (done.code, done.err) == (0, "")
        assert "traf" in done.out
