"""The copy in which tests run: complete, independent of the user's tree, and never a way back into it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from traf.core.errors import CannotRun
from traf.rerun import sandbox as module
from traf.rerun.sandbox import create_sandbox


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "user" / "project"
    (root / "e2e").mkdir(parents=True)
    (root / "package.json").write_text("{}")
    (root / "e2e" / "a.spec.ts").write_text("test")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    packages = root / "node_modules"
    (packages / "left" / "lib").mkdir(parents=True)
    (packages / "left" / "lib" / "index.js").write_text("left")
    (packages / "@scope" / "right").mkdir(parents=True)
    (packages / "@scope" / "right" / "index.js").write_text("right")
    (packages / ".cache").mkdir()
    (packages / ".cache" / "entry").write_text("warm")
    (root / "packages" / "own").mkdir(parents=True)
    (root / "packages" / "own" / "package.json").write_text("{}")
    (root / "packages" / "own" / "index.js").write_text("own")
    (packages / "own").symlink_to("../packages/own")
    return root


FILES = ["package.json", "e2e/a.spec.ts", "run.sh", "packages/own/package.json", "packages/own/index.js"]


def snapshot(root: Path) -> dict[str, tuple[int, bytes | str]]:
    return {
        str(p.relative_to(root)): (p.lstat().st_mode, os.readlink(p) if p.is_symlink() else p.read_bytes())
        for p in sorted(root.rglob("*"))
        if p.is_symlink() or p.is_file()
    }


def scribble(copy: Path) -> None:
    """Write through every path of the copy that can be written."""
    for path in sorted(copy.rglob("*")):
        if path.is_file():
            path.write_text("scribbled")
    (copy / "node_modules" / ".vite").mkdir(exist_ok=True)
    (copy / "node_modules" / ".vite" / "deps").write_text("scribbled")


def test_a_copy_is_complete_and_writes_never_reach_the_project(project: Path, tmp_path: Path) -> None:
    before = snapshot(project)
    box, warnings = create_sandbox(project, tmp_path / "box", FILES)
    assert warnings == ()
    assert (box.root / "e2e" / "a.spec.ts").read_text() == "test"
    assert (box.root / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (box.root / "node_modules" / "left" / "lib" / "index.js").read_text() == "left"
    assert (box.root / "node_modules" / "own").resolve() == (box.root / "packages" / "own").resolve()
    scribble(box.root)
    assert snapshot(project) == before


def test_large_dependencies_are_linked_with_caches_of_their_own(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CLONE_ENTRIES", 3)
    before = snapshot(project)
    box, warnings = create_sandbox(project, tmp_path / "box", FILES)
    packages = box.root / "node_modules"
    assert len(warnings) == 1
    assert not packages.is_symlink()
    assert (packages / "left").is_symlink()
    assert (packages / "@scope" / "right").is_symlink()
    assert not (packages / "@scope").is_symlink()
    assert not (packages / ".cache").exists()
    assert (packages / "own").resolve() == (box.root / "packages" / "own").resolve()
    (packages / ".cache").mkdir()
    (packages / ".cache" / "entry").write_text("ours")
    (packages / "own" / "index.js").write_text("scribbled")
    assert snapshot(project) == before


def test_links_out_of_the_project_are_copied_and_links_inside_stay_inside(project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "shared"
    outside.mkdir()
    (outside / "data.json").write_text("outside")
    (project / "data").symlink_to(outside)
    (project / "one.json").symlink_to(outside / "data.json")
    (project / "again.ts").symlink_to(project / "e2e" / "a.spec.ts")
    (project / "dangling").symlink_to("nowhere")
    (project / "node_modules" / "absolute").symlink_to(project / "packages" / "own")
    names = [*FILES, "data", "one.json", "again.ts", "dangling"]
    before = snapshot(project.parent), snapshot(outside)
    box, _ = create_sandbox(project, tmp_path / "box", names)
    assert (box.root / "data" / "data.json").read_text() == "outside"
    assert (box.root / "again.ts").resolve() == (box.root / "e2e" / "a.spec.ts").resolve()
    assert os.readlink(box.root / "dangling") == "nowhere"
    scribble(box.root)
    assert (snapshot(project.parent), snapshot(outside)) == before


def test_without_git_all_but_dependencies_is_copied(project: Path, tmp_path: Path) -> None:
    (project / "ignored.env").write_text("kept")
    box, _ = create_sandbox(project, tmp_path / "box", None)
    assert (box.root / "ignored.env").read_text() == "kept"
    assert (box.root / "node_modules" / "left" / "lib" / "index.js").is_file()


def test_files_that_git_knows_but_are_gone_are_left_out(project: Path, tmp_path: Path) -> None:
    box, _ = create_sandbox(project, tmp_path / "box", [*FILES, "gone.ts", "run.sh/below"])
    assert not (box.root / "gone.ts").exists()


def test_dependencies_above_the_project_are_found(project: Path, tmp_path: Path) -> None:
    (project.parent / "node_modules" / "outer").mkdir(parents=True)
    box, warnings = create_sandbox(project, tmp_path / "box", FILES)
    assert (box.root.parent / "node_modules" / "outer").is_dir()
    assert len(warnings) == 1


def test_an_overlay_differs_in_just_its_files(project: Path, tmp_path: Path) -> None:
    box, _ = create_sandbox(project, tmp_path / "box", FILES)
    clean = snapshot(box.root)
    box.overlay({"e2e/a.spec.ts": b"patched", "e2e/new.ts": b"new"})
    assert (box.root / "e2e" / "a.spec.ts").read_bytes() == b"patched"
    box.overlay({"run.sh": b"other"})
    assert (box.root / "e2e" / "a.spec.ts").read_bytes() == b"test"
    assert not (box.root / "e2e" / "new.ts").exists()
    box.overlay({})
    assert snapshot(box.root) == clean


@pytest.mark.parametrize("name", ["../escape.ts", "/absolute.ts", "e2e/../../escape.ts"])
def test_an_overlay_cannot_leave_the_sandbox(project: Path, tmp_path: Path, name: str) -> None:
    box, _ = create_sandbox(project, tmp_path / "box", FILES)
    with pytest.raises(ValueError, match="does not lie in the sandbox"):
        box.overlay({name: b""})


def test_a_read_only_file_can_be_patched_in_the_copy(project: Path, tmp_path: Path) -> None:
    (project / "e2e" / "a.spec.ts").chmod(0o444)
    box, _ = create_sandbox(project, tmp_path / "box", FILES)
    assert (box.root / "e2e" / "a.spec.ts").stat().st_mode & 0o200


def test_a_copy_that_cannot_be_made_is_one_clear_error(project: Path, tmp_path: Path) -> None:
    (tmp_path / "box").write_text("a file stands where the folder should go")
    with pytest.raises(CannotRun, match="cannot be copied"):
        create_sandbox(project, tmp_path / "box", FILES)


def test_no_link_leads_out_of_the_copy(project: Path, tmp_path: Path) -> None:
    outer = tmp_path / "extlib"
    (outer / "lib").mkdir(parents=True)
    (outer / "lib" / "index.js").write_text("outer")
    alias = tmp_path / "alias"
    alias.symlink_to(project.parent)
    packages = project / "node_modules"
    (packages / "absolute").symlink_to(outer)
    (packages / "relative").symlink_to("../../../extlib")
    (packages / "aliased").symlink_to(alias / "project" / "packages" / "own")
    (packages / "nowhere").symlink_to(tmp_path / "none")
    (project / "out.log").symlink_to(project / "logs" / "out.txt")
    before = snapshot(tmp_path)
    box, warnings = create_sandbox(project, tmp_path / "box", [*FILES, "out.log"])
    assert warnings == ()
    copied = box.root / "node_modules"
    assert (copied / "absolute" / "lib" / "index.js").read_text() == "outer"
    assert (copied / "relative" / "lib" / "index.js").read_text() == "outer"
    assert (copied / "aliased").resolve() == (box.root / "packages" / "own").resolve()
    assert not (copied / "nowhere").is_symlink()
    (box.root / "logs").mkdir()
    (box.root / "out.log").write_text("scribbled")
    scribble(box.root)
    after = {name: entry for name, entry in snapshot(tmp_path).items() if not name.startswith("box")}
    assert after == before


@pytest.mark.parametrize("pointed", ["..", "/dev/zero"])
def test_a_link_that_cannot_be_copied_is_left_out_with_a_warning(project: Path, tmp_path: Path, pointed: str) -> None:
    (project / "odd").symlink_to(pointed)
    box, warnings = create_sandbox(project, tmp_path / "box", [*FILES, "odd"])
    assert not (box.root / "odd").exists()
    assert len(warnings) == 1
    assert "odd" in warnings[0]


def test_packages_kept_in_git_below_a_test_are_copied(project: Path, tmp_path: Path) -> None:
    fake = project / "e2e" / "fixtures" / "node_modules" / "fake"
    fake.mkdir(parents=True)
    (fake / "index.js").write_text("fake")
    box, _ = create_sandbox(project, tmp_path / "box", [*FILES, "e2e/fixtures/node_modules/fake/index.js"])
    assert (box.root / "e2e" / "fixtures" / "node_modules" / "fake" / "index.js").read_text() == "fake"


def test_a_package_in_a_folder_called_tree(project: Path, tmp_path: Path) -> None:
    own = project / "packages" / "tree"
    (own / "node_modules").mkdir(parents=True)
    (own / "package.json").write_text("{}")
    (own / "node_modules" / "lib").symlink_to(project / "packages" / "own")
    box, _ = create_sandbox(project, tmp_path / "box", [*FILES, "packages/tree/package.json"])
    linked = box.root / "packages" / "tree" / "node_modules" / "lib"
    assert linked.resolve() == (box.root / "packages" / "own").resolve()
