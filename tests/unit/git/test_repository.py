"""What a repository says about itself and its files."""

from __future__ import annotations

import os

import pytest

from tests.unit.git.history_maker import HOSTILE, HistoryMaker
from traf.core.errors import BadInput
from traf.git import open_repository


def test_no_repository(tmp_path):
    assert open_repository(tmp_path) is None


def test_a_folder_that_does_not_exist_is_looked_up_by_its_parent(maker):
    maker.commit({"a.js": "1"})
    with open_repository(maker.top / "no" / "such.js") as repository:
        assert repository.top == maker.top


def test_inside_the_git_folder_is_not_in_a_work_tree(maker):
    assert open_repository(maker.top / ".git") is None


def test_bare_repository_is_no_work_tree(maker, tmp_path):
    maker.commit({"a.js": "1"})
    maker.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    assert open_repository(tmp_path / "bare") is None


def test_a_git_file_that_means_nothing(tmp_path):
    (tmp_path / ".git").write_text("hello")
    with pytest.raises(BadInput, match=r"git rev-parse failed in .*invalid gitfile"):
        open_repository(tmp_path)


def test_state_of_a_branch(maker):
    head = maker.commit({"e2e/a.js": "1"})
    with open_repository(maker.top / "e2e" / "a.js") as repository:
        assert (repository.top, repository.head) == (maker.top, head)
        assert not repository.is_detached
        assert not repository.is_shallow


def test_no_commit_yet(maker):
    maker.write_all({"a.js": "1"})
    with open_repository(maker.top) as repository:
        assert repository.head is None
        assert not repository.is_detached
        assert repository.listed_files() == ["a.js"]
        assert repository.changes(["a.js"]) == []


def test_detached_head(maker):
    first = maker.commit({"a.js": "1"})
    maker.commit({"a.js": "2"})
    maker.git("checkout", "--quiet", first)
    with open_repository(maker.top) as repository:
        assert repository.is_detached
        assert repository.head == first


def test_shallow_clone(maker, tmp_path):
    maker.commit({"a.js": "1\n"})
    maker.commit({"a.js": "2\n"})
    clone = tmp_path / "clone"
    maker.git("clone", "--quiet", "--depth=1", f"file://{maker.top}", str(clone))
    with open_repository(clone) as repository:
        assert repository.is_shallow
        assert [(change.parent, change.files) for change in repository.changes(["a.js"])] == [(None, ())]


def test_top_with_a_newline_in_its_name(tmp_path):
    maker = HistoryMaker(tmp_path / "two\nlines\n")
    maker.commit({"e2e/a.js": "1"})
    with open_repository(maker.top / "e2e") as repository:
        assert repository.top == maker.top


def test_listed_are_tracked_and_untracked_but_not_ignored_files(maker):
    maker.commit({"a.js": "1", "gone.js": "1", "tracked.log": "1"})
    maker.write_all({"new/b.js": "1", ".gitignore": "*.log\nnode_modules\n", "x.log": "1", "node_modules/c.js": "1"})
    (maker.top / "gone.js").unlink()
    with open_repository(maker.top) as repository:
        assert sorted(repository.listed_files()) == [".gitignore", "a.js", "gone.js", "new/b.js", "tracked.log"]


def test_unmerged_files_are_listed_once(maker):
    maker.commit({"a.js": "1"})
    maker.git("checkout", "--quiet", "-b", "side")
    maker.commit({"a.js": "2"})
    maker.git("checkout", "--quiet", "main")
    maker.commit({"a.js": "3"})
    with pytest.raises(Exception, match="merge"):
        maker.git("merge", "side")
    with open_repository(maker.top) as repository:
        assert repository.listed_files() == ["a.js"]


def test_hostile_names_are_listed_and_read(maker):
    commit = maker.commit({name: name for name in HOSTILE})
    with open_repository(maker.top) as repository:
        assert sorted(repository.listed_files()) == sorted(HOSTILE)
        assert [repository.blob(commit, name) for name in HOSTILE] == [name.encode() for name in HOSTILE]


def test_names_that_are_not_utf_8_survive(maker):
    name = os.fsdecode(b"caf\xe9.js")
    commit = maker.commit({name: "1"})
    with open_repository(maker.top) as repository:
        assert repository.listed_files() == [name]
        assert repository.blob(commit, name) == b"1"


def test_files_of_submodules_are_listed(maker, tmp_path):
    inner = HistoryMaker(tmp_path / "inner")
    inner.commit({"lib/x.js": "1", ".gitignore": "out\n"})
    maker.git("submodule", "--quiet", "add", str(inner.top), "vendor/inner")
    maker.git("submodule", "--quiet", "add", str(inner.top), "vendor/empty")
    maker.commit()
    maker.git("submodule", "--quiet", "deinit", "vendor/empty")
    maker.write_all({"vendor/inner/new.js": "1", "vendor/inner/out": "1"})
    with open_repository(maker.top) as repository:
        assert sorted(repository.listed_files()) == [
            ".gitmodules",
            "vendor/inner/.gitignore",
            "vendor/inner/lib/x.js",
            "vendor/inner/new.js",
        ]
    with open_repository(maker.top / "vendor" / "inner") as repository:
        assert repository.top == maker.top / "vendor" / "inner"


def test_files_of_an_untracked_repository_inside_are_listed(maker):
    maker.commit({"a.js": "1"})
    HistoryMaker(maker.top / "nested").commit({"x.js": "1"})
    with open_repository(maker.top) as repository:
        assert repository.listed_files() == ["a.js", "nested/x.js"]


def test_blob_of_what_is_not_there(maker):
    commit = maker.commit({"dir/a.js": "1"})
    with open_repository(maker.top) as repository:
        assert repository.blob(commit, "dir") is None
        assert repository.blob(commit, "no.js") is None
        assert repository.blob(commit, "no\n.js") is None
        assert repository.blob("f" * 40, "dir/a.js") is None
        assert repository.blob(commit, "dir/a.js") == b"1"


def test_blob_after_git_gave_up(maker):
    commit = maker.commit({"a.js": "1"})
    with open_repository(maker.top) as repository:
        assert repository.blob(commit, "a.js") == b"1"
        repository._objects._process.kill()
        repository._objects._process.wait()
        assert repository.blob(commit, "a.js") is None
        assert repository.blob(commit, "a.js") == b"1"


def test_closing_ends_the_process(maker):
    commit = maker.commit({"a.js": "1"})
    with open_repository(maker.top) as repository:
        repository.blob(commit, "a.js")
        process = repository._objects._process
        assert process.poll() is None
    assert process.poll() is not None
    repository.close()


def test_objects_that_a_partial_clone_lacks_are_not_fetched(maker, tmp_path):
    maker.git("config", "uploadpack.allowFilter", "true")
    old = maker.commit({"a.js": "1\n"})
    new = maker.commit({"a.js": "2\n"})
    clone = tmp_path / "clone"
    maker.git("clone", "--quiet", "--filter=blob:none", f"file://{maker.top}", str(clone))
    with open_repository(clone) as repository:
        assert repository.blob(old, "a.js") is None
        assert repository.blob(new, "a.js") == b"2\n"
        repository.changes(["a.js"])
        assert repository.blob(old, "a.js") is None
