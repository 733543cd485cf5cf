"""`traf waits` and `traf edit` on the cases of tests/cases/waits: small projects, and what is right for one line of each."""

from __future__ import annotations

import difflib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from traf.cli.main import run

FOLDER = Path(__file__).parents[2] / "cases" / "waits"


def cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{file.stem}: {case['name']}")
        for file in sorted(FOLDER.glob("*.toml"))
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
    ]


def test_the_names_of_cases_are_unique():
    names = [case.id for case in cases()]
    assert len(set(names)) == len(names) >= 150


@pytest.mark.parametrize("case", cases())
def test_case(case, tmp_path, monkeypatch, capfd):
    root = lay_out(case, tmp_path)
    monkeypatch.chdir(root)
    spot = ":".join(str(part) for part in (case["file"], case["line"], case.get("column")) if part is not None)
    if "kind" in case:
        assert run(["waits", spot, "--format", "json"]) == 0, capfd.readouterr().err
        site = json.loads(capfd.readouterr().out)["sites"][0]
        told = {"framework": "framework", "kind": "kind", "from": "ms_from"}
        expected = {field: case[key] for key, field in told.items() if key in case} | {"ms": case.get("ms")}
        assert {field: site[field] for field in expected} == expected
    status = run(["edit", spot, "--ms", str(case.get("edit_ms", 9000))])
    out, err = capfd.readouterr()
    if "refuse" in case:
        assert (status, out) == (2, "")
        assert case["refuse"] in err
        assert err.count("\n") == 1
        return
    assert status == 0, err
    assert changed_lines(out) == case["edit"]
    if "warn" in case:
        assert case["warn"] in err
    else:
        assert err == ""


def lay_out(case: dict[str, Any], folder: Path) -> Path:
    """The project of a case. Its top looks like a git work tree, so that nothing above it counts."""
    root = folder / "project"
    own = {"package.json": '{"name": "case"}', ".git/HEAD": "ref: refs/heads/main\n", case["file"]: case["code"]}
    for name, text in {**own, **case.get("files", {})}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return root


def changed_lines(diff: str) -> list[str]:
    return [line for line in diff.split("\n")[2:] if line[:1] in {"-", "+"}]


def test_what_counts_as_changed():
    diff = "".join(difflib.unified_diff(["a\n", "b\n"], ["a\n", "c\n"], "a/f", "b/f"))
    assert changed_lines(diff) == ["-b", "+c"]
