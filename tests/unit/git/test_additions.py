"""What commits put into files, read from one log; trees of commits."""

from __future__ import annotations

import pytest

from tests.unit.git.history_maker import HOSTILE, HistoryMaker
from traf.core.errors import BadInput
from traf.git import open_objects


@pytest.fixture
def maker(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return HistoryMaker(tmp_path / "project")


def added(maker, *paths):
    with open_objects(maker.top) as repository:
        return [
            (a.path, a.line, a.old, a.new, a.new_file)
            for a in repository.additions(paths, "HEAD", lambda line: b"w" in line)
        ]


def test_wanted_lines_of_hunks_newest_first(maker):
    maker.commit({"d/a.js": "x\nw 1\ny\n"})
    maker.commit({"d/a.js": "x\nw 2\ny\nz\n", "e/b.js": "w\n"})
    assert added(maker, "d") == [("d/a.js", 2, ("w 1",), ("w 2",), False), ("d/a.js", 2, (), ("w 1",), True)]


def test_content_that_looks_like_a_header(maker):
    maker.commit({"d/a.js": "w\n"})
    maker.commit({"d/a.js": "w\n++ b/w.js\n@@ -1 +1 @@ w\ndiff --git w\nno end w"})
    (found, _) = added(maker, "d")
    assert found[3] == ("++ b/w.js", "@@ -1 +1 @@ w", "diff --git w", "no end w")


def test_hostile_names_and_bytes(maker):
    names = {f"d/{name}": "w 1\n" for name in HOSTILE}
    maker.commit({**names, "d/latin.js": b"w \xe4\n"})
    assert {path for path, *_ in added(maker, "d")} == {*names, "d/latin.js"}


def test_nothing_of_other_folders_or_of_paths_that_are_not_there(maker):
    maker.commit({"d/a.js": "w\n"})
    assert added(maker, "none") == []


def test_a_tree_holds_the_plain_files_of_a_commit(maker):
    maker.write_all({"d/a.js": "one\n", "b.js": "two\n"})
    (maker.top / "link.js").symlink_to("b.js")
    maker.commit()
    maker.commit({"d/a.js": "three\n"})
    with open_objects(maker.top) as repository:
        tree = repository.tree(repository.commit("HEAD~1"))
        assert set(tree.ids) == {"d/a.js", "b.js"}
        assert tree.names == {"": {"d", "b.js"}, "d": {"a.js"}}
        assert tree.read("d/a.js") == b"one\n"
        assert tree.read("link.js") is None


def test_no_repository(tmp_path):
    for place in (tmp_path, tmp_path / "none"):
        with pytest.raises(BadInput):
            open_objects(place)
