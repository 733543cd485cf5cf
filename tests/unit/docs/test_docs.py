"""What the documents say is what the program does."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

from traf.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def options() -> set[str]:
    tops = [importlib.import_module(module).command for module, _help in COMMANDS.values()]
    commands = [*tops, *(below for top in tops if isinstance(top, click.Group) for below in top.commands.values())]
    return {
        name
        for command in commands
        for option in command.params
        if isinstance(option, click.Option)
        for name in option.opts
    }


def test_the_readme_names_every_option_and_no_other() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"--[a-z][a-z-]+", readme))
    assert named == options()


def test_the_commands_shown_exist() -> None:
    for page in PAGES:
        for name in re.findall(r"^(?:\$ )?(?: {4})?traf ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert name in COMMANDS, f"{page.name} shows `traf {name}`"


def test_the_targets_shown_exist() -> None:
    targets = set(re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        for name in re.findall(r"\bmake (demo|test|bench|evidence|help|[a-z]+)`", page.read_text(encoding="utf-8")):
            assert name in targets, f"{page.name} shows `make {name}`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_list_of_wait_apis_is_written_from_the_tables() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "wait_apis_page.py", "--check"], check=False)
    assert done.returncode == 0, "run scripts/wait_apis_page.py"


def test_the_wheel_carries_the_shim_the_tables_and_the_schema(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "traf/_js_runner/host.mjs",
        "traf/_js_runner/adapters/jest.mjs",
        "traf/_js_runner/adapters/playwright/reporter.cjs",
        "traf/syntax/wait_apis/playwright.toml",
        "traf/syntax/blocks.toml",
        "traf/report/schemas/repair.schema.json",
        "traf/report/schemas/waits.schema.json",
    } <= names


def test_no_page_or_source_names_a_machine_or_a_registry() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    suspicious = re.compile(r"(?<![\w.])/(?:work|root|home)/\w|registry\.npm|pypi\.org")
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.is_file() and name != "tests/unit/docs/test_docs.py" and "tests/" not in name:
            found = suspicious.search(path.read_text(encoding="utf-8", errors="replace"))
            assert found is None, f"{name}: {found}"
