"""Nothing that a repository or the environment says runs a program."""

from __future__ import annotations

import pytest

from traf.core.errors import BadInput
from traf.git import command, open_repository


@pytest.fixture
def marker(maker, tmp_path):
    """A history whose repository asks for a program that leaves a marker, in every way that git knows."""
    marker = tmp_path / "marker"
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{marker}'\ncat\n")
    trap.chmod(0o755)
    maker.commit({"a.js": "1\n", "moved.js": "1\n2\n3\n"})
    maker.commit({"a.js": "2\n", "moved.js": None, "b.js": "1\n2\n3\n"})
    hooks = maker.top / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"):
        (hooks / hook).symlink_to(trap)
    maker.write_all({".gitattributes": "* diff=evil filter=evil\n"})
    for setting in (
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "core.sshCommand",
        "core.editor",
        "core.askPass",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "gpg.program",
        "credential.helper",
    ):
        maker.git("config", setting, str(trap))
    for alias in ("log", "ls-files", "cat-file", "rev-parse", "symbolic-ref", "diff-tree"):
        maker.git("config", f"alias.{alias}", f"!{trap}")
    maker.git("config", "log.showSignature", "true")
    maker.git("config", "diff.evil.cachetextconv", "true")
    marker.unlink(missing_ok=True)
    return marker


def use_everything(top):
    with open_repository(top) as repository:
        assert repository.head
        assert not repository.is_detached
        assert "b.js" in repository.listed_files()
        assert repository.blob(repository.head, "a.js") == b"2\n"
        history = repository.changes(["a.js", "b.js"])
    assert [(f.old_path, f.new_path) for f in history[0].files] == [("a.js", "a.js"), ("moved.js", "b.js")]


def test_a_malicious_repository_runs_nothing(maker, marker):
    index = (maker.top / ".git" / "index").read_bytes()
    use_everything(maker.top)
    assert not marker.exists()
    assert (maker.top / ".git" / "index").read_bytes() == index


def test_the_trap_works(maker, marker):
    maker.git("--paginate", "log", "-p", "--ext-diff")
    assert marker.exists()


def test_inherited_variables_are_not_heard(maker, marker, monkeypatch, tmp_path):
    trap = str(tmp_path / "trap")
    for name, value in {
        "GIT_DIR": "/nonexistent",
        "GIT_WORK_TREE": "/nonexistent",
        "GIT_INDEX_FILE": "/nonexistent",
        "GIT_OBJECT_DIRECTORY": "/nonexistent",
        "GIT_NAMESPACE": "x",
        "GIT_EXTERNAL_DIFF": trap,
        "GIT_PAGER": trap,
        "GIT_SSH_COMMAND": trap,
        "GIT_ASKPASS": trap,
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_TRACE": "1",
        "GIT_DIFF_OPTS": "-u5",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    }.items():
        monkeypatch.setenv(name, value)
    use_everything(maker.top)
    assert not marker.exists()


def test_a_repository_that_points_elsewhere_is_none(maker, tmp_path):
    maker.commit({"a.js": "1"})
    (tmp_path / "victim").mkdir()
    maker.git("config", "core.worktree", str(tmp_path / "victim"))
    assert open_repository(maker.top) is None


def test_replaced_objects_are_seen_as_they_were(maker):
    old = maker.commit({"a.js": "1\n"})
    new = maker.commit({"a.js": "2\n"})
    maker.git("replace", f"{new}:a.js", f"{old}:a.js")
    with open_repository(maker.top) as repository:
        assert repository.blob(new, "a.js") == b"2\n"


def test_a_repository_of_another_user(maker, monkeypatch):
    maker.commit({"a.js": "1"})
    monkeypatch.setitem(command._ENVIRONMENT, "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(BadInput, match=r"another user owns it; if you trust it: git config") as caught:
        open_repository(maker.top)
    assert caught.value.slug == "git-owner"


def test_git_is_not_installed(maker, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="is git installed") as caught:
        open_repository(maker.top)
    assert caught.value.slug == "git-missing"
    assert open_repository(tmp_path) is None


def test_git_hangs(maker, monkeypatch):
    monkeypatch.setattr(command, "TIME_LIMIT_S", 0)
    with pytest.raises(BadInput, match="git rev-parse did not end within 0 s") as caught:
        open_repository(maker.top)
    assert caught.value.slug == "git-hangs"


def test_a_damaged_repository_is_one_line(maker):
    maker.commit({"a.js": "1"})
    with open_repository(maker.top) as repository:
        (maker.top / ".git" / "index").write_bytes(b"broken")
        with pytest.raises(BadInput, match=r"^git ls-files failed in .*: (fatal|error): .*$") as caught:
            repository.listed_files()
    assert "\n" not in str(caught.value)
