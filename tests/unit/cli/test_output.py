"""What is written is written whole or not at all, and never over something else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from traf.cli.output import ApplyRefused, apply_patch, check_output, replace_file
from traf.core.errors import BadInput


def test_a_patch_replaces_the_file_and_keeps_its_mode(tmp_path: Path) -> None:
    spec = tmp_path / "a.spec.ts"
    spec.write_bytes(b"before")
    spec.chmod(0o640)
    apply_patch(spec, b"before", b"after")
    assert spec.read_bytes() == b"after"
    assert spec.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [spec]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    spec = tmp_path / "a.spec.ts"
    spec.write_bytes(b"edited by hand")
    with pytest.raises(ApplyRefused, match="changed while traf was running"):
        apply_patch(spec, b"before", b"after")
    assert spec.read_bytes() == b"edited by hand"


def test_a_file_that_is_gone_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ApplyRefused):
        apply_patch(tmp_path / "a.spec.ts", b"before", b"after")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real.ts"
    real.write_bytes(b"before")
    link = tmp_path / "link.ts"
    link.symlink_to(real)
    apply_patch(link, b"before", b"after")
    assert link.is_symlink()
    assert real.read_bytes() == b"after"


def test_a_read_only_spec_is_left_alone(tmp_path: Path) -> None:
    spec = tmp_path / "a.spec.ts"
    spec.write_bytes(b"before")
    spec.chmod(0o444)
    with pytest.raises(ApplyRefused, match="read-only"):
        apply_patch(spec, b"before", b"after")
    assert spec.read_bytes() == b"before"


def test_what_is_no_regular_file_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        replace_file(pipe, b"report")
        assert os.read(reader, 100) == b"report"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_where_nothing_can_be_written_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        replace_file(tmp_path / "none" / "report.txt", b"x")


def test_an_output_is_checked_before_anything_runs(tmp_path: Path) -> None:
    spec = tmp_path / "a.spec.ts"
    spec.write_text("x")
    check_output(tmp_path / "report.txt", spec)
    for wrong in (tmp_path, tmp_path / "none" / "report.txt", spec):
        with pytest.raises(BadInput, match="--output"):
            check_output(wrong, spec)
