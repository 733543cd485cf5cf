"""`traf waits` and `traf edit` on the cases of tests/cases/waits: small projects, and what is right for one line of each."""

from __future__ import annotations

import difflib
import json

import pytest

from tests.support.wait_cases import lay_out, wait_cases
from traf.cli.main import run


def test_there_are_many():
    assert len(wait_cases()) >= 500


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in wait_cases().items()])
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


def changed_lines(diff: str) -> list[str]:
    return [line for line in diff.split("\n")[2:] if line[:1] in {"-", "+"}]


def test_what_counts_as_changed():
    diff = "".join(difflib.unified_diff(["a\n", "b\n"], ["a\n", "c\n"], "a/f", "b/f"))
    assert changed_lines(diff) == ["-b", "+c"]
