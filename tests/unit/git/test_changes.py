"""History as data."""

from __future__ import annotations

import os

import pytest

from tests.unit.git.history_maker import HOSTILE
from traf.git import open_repository
from traf.git.patches import FileChange, Hunk


def changes(maker, *paths):
    with open_repository(maker.top) as repository:
        return repository.changes(paths)


def lines(*numbers):
    return "".join(f"{number}\n" for number in numbers)


def test_edits_newest_first(maker):
    first = maker.commit({"a.js": lines(1, 2, 3, 4), "b.js": "x\n"})
    second = maker.commit({"a.js": lines(1, 20, 21, 3, 4)})
    maker.commit({"b.js": "y\n"})
    third = maker.commit({"a.js": lines(1, 20, 21, 4, 5)})
    newest, middle, oldest = changes(maker, "a.js")
    assert (newest.commit, newest.parent) == (third, second)
    assert newest.files == (FileChange("a.js", "a.js", (Hunk(4, (b"3",), 3, ()), Hunk(5, (), 5, (b"5",)))),)
    assert (middle.commit, middle.parent) == (second, first)
    assert middle.files == (FileChange("a.js", "a.js", (Hunk(2, (b"2",), 2, (b"20", b"21")),)),)
    assert (oldest.commit, oldest.parent, oldest.files) == (first, None, ())
    assert newest.time_s - middle.time_s == 120


def test_no_paths_no_history(maker):
    maker.commit({"a.js": "1\n"})
    assert changes(maker) == []


def test_missing_newline_and_carriage_returns(maker):
    maker.commit({"a.js": "1\r\n2"})
    maker.commit({"a.js": "1\r\n3\n"})
    assert changes(maker, "a.js")[0].files[0].hunks == (Hunk(2, (b"2",), 2, (b"3",)),)


def test_content_that_looks_like_a_patch(maker):
    before = "-- a/x\n++ b/x\n@@ -1 +1 @@\ndiff --git a/x b/x\n"
    maker.commit({"a.js": before})
    maker.commit({"a.js": before.replace("x", "y") + "\0 1 2\n"})
    (edit, _) = changes(maker, "a.js")
    assert len(edit.files) == 1
    assert b"\n".join(edit.files[0].hunks[0].old).startswith(b"-- a/x\n++ b/x")


def test_a_rename_is_followed(maker):
    maker.commit({"old.js": lines(*range(20))})
    second = maker.commit({"old.js": lines(*range(19), "x")})
    third = maker.commit({"old.js": None, "new.js": lines(*range(18), "y", "x")})
    rename, edit, _ = changes(maker, "new.js")
    assert rename.commit == third
    assert rename.files == (FileChange("old.js", "new.js", (Hunk(19, (b"18",), 19, (b"y",)),)),)
    assert edit.commit == second
    assert [(f.old_path, f.new_path) for f in edit.files] == [("old.js", "old.js")]


def test_moves_between_folders_are_followed_again_and_again(maker):
    text = lines(*range(20))
    first = maker.commit({"deep/er/one.js": text, "README": "x"})
    maker.commit({"deep/er/one.js": None, "two.js": text})
    maker.commit({"README": "y"})
    maker.commit({"two.js": None, "e2e/three.js": text, "e2e/other.js": "new\n"})
    history = changes(maker, "e2e/three.js", "e2e/other.js")
    assert [(f.old_path, f.new_path) for c in history for f in c.files] == [
        (None, "e2e/other.js"),
        ("two.js", "e2e/three.js"),
        ("deep/er/one.js", "two.js"),
    ]
    assert history[-1].commit == first


def test_a_merge_has_a_change_for_each_parent(maker):
    base = maker.commit({"a.js": lines(*range(9))})
    maker.git("checkout", "--quiet", "-b", "side")
    side = maker.commit({"a.js": lines("side", *range(1, 9))})
    maker.git("checkout", "--quiet", "main")
    main = maker.commit({"a.js": lines(*range(8), "main")})
    maker.minute += 1
    maker.git("merge", "--quiet", "--no-edit", "side")
    history = changes(maker, "a.js")
    merge = history[0].commit
    pairs = {(change.commit, change.parent): change.files for change in history}
    assert set(pairs) == {(merge, main), (merge, side), (main, base), (side, base), (base, None)}
    assert pairs[merge, side][0].hunks == (Hunk(9, (b"8",), 9, (b"main",)),)


def test_what_a_merge_threw_away_is_no_history(maker):
    maker.commit({"a.js": "1\n"})
    maker.git("checkout", "--quiet", "-b", "side")
    side = maker.commit({"a.js": "2\n"})
    maker.git("checkout", "--quiet", "main")
    maker.commit({"b.js": "1\n"})
    maker.git("merge", "--quiet", "--no-edit", "--strategy=ours", "side")
    assert side not in {change.commit for change in changes(maker, "a.js")}


@pytest.mark.parametrize("name", [*HOSTILE[:-1], os.fsdecode(b"caf\xe9.js")])
def test_hostile_names(maker, name):
    text = lines(*range(20))
    maker.commit({name: text})
    maker.commit({name: text + "x\n"})
    maker.commit({name: None, f"dir/{name}": text + "y\n"})
    paths = [(f.old_path, f.new_path) for c in changes(maker, f"dir/{name}") for f in c.files]
    assert paths == [(name, f"dir/{name}"), (name, name)]


def test_configuration_does_not_change_what_is_read(maker):
    maker.commit({"a.js": lines(*range(9)), ".gitattributes": "*.js -diff\n"})
    maker.commit({"a.js": lines(*range(8), "x")})
    plain = changes(maker, "a.js")
    for setting in (
        "color.ui=always",
        "diff.noprefix=true",
        "diff.mnemonicPrefix=true",
        "diff.context=5",
        "diff.interHunkContext=9",
        "diff.renames=false",
        "diff.orderFile=no-such-file",
        "log.showSignature=true",
        "log.follow=true",
        "log.showRoot=true",
        "log.diffMerges=off",
        "log.decorate=full",
        "log.date=relative",
        "format.pretty=fuller",
        "core.quotePath=true",
        "i18n.logOutputEncoding=utf-16",
        "notes.displayRef=*",
    ):
        maker.git("config", *setting.split("="))
    assert plain[0].files
    assert changes(maker, "a.js") == plain


def test_a_partial_clone_gives_what_it_has(maker, tmp_path):
    maker.git("config", "uploadpack.allowFilter", "true")
    maker.commit({"a.js": "1\n"})
    maker.commit({"a.js": "2\n"})
    clone = tmp_path / "clone"
    maker.git("clone", "--quiet", "--filter=blob:none", f"file://{maker.top}", str(clone))
    with open_repository(clone) as repository:
        assert all(not change.files for change in repository.changes(["a.js"]))
