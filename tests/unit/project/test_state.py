from __future__ import annotations

import stat

import pytest

from traf.core.errors import BadInput
from traf.project import state_dir


@pytest.fixture(autouse=True)
def base(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAF_STATE_DIR", str(tmp_path / "outer" / "state"))
    return tmp_path / "outer" / "state"


def test_is_private_from_the_first_missing_parent_on(tmp_path, base):
    folder = state_dir(tmp_path / "repo")
    assert folder.parent == base
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, base, base.parent)] == [0o700] * 3


def test_is_the_same_for_the_same_repository_however_it_is_reached(tmp_path):
    (tmp_path / "repo").mkdir()
    (tmp_path / "link").symlink_to("repo")
    assert state_dir(tmp_path / "repo") == state_dir(tmp_path / "link") == state_dir(tmp_path / "x" / ".." / "repo")


def test_differs_between_repositories_of_the_same_name(tmp_path):
    one, two = state_dir(tmp_path / "a" / "repo"), state_dir(tmp_path / "b" / "repo")
    assert one != two
    assert one.name.startswith("repo-")
    assert two.name.startswith("repo-")


@pytest.mark.parametrize("name", ["..hidden", "a b\n$(c)", "-rf", "日本", "x" * 200])
def test_hostile_names_become_plain_ones(tmp_path, base, name):
    folder = state_dir(tmp_path / name)
    assert folder.parent == base
    assert folder.name[0].isalnum()
    assert folder.name.isascii()
    assert len(folder.name) < 60
    assert not set(folder.name) & set(" \n$()")


def test_defaults_to_the_users_state_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("TRAF_STATE_DIR")
    monkeypatch.setattr("platformdirs.user_state_path", lambda name: tmp_path / "home" / name)
    assert state_dir(tmp_path / "repo").parent == tmp_path / "home" / "traf"


def test_never_lies_in_the_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAF_STATE_DIR", str(tmp_path / "repo" / ".traf"))
    with pytest.raises(BadInput, match="lies inside the repository") as caught:
        state_dir(tmp_path / "repo")
    assert caught.value.slug == "state-in-repository"
    assert not (tmp_path / "repo").exists()


def test_says_when_it_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRAF_STATE_DIR", str(tmp_path / "file" / "state"))
    with pytest.raises(BadInput, match=r"cannot make the state folder .* set TRAF_STATE_DIR"):
        state_dir(tmp_path / "repo")
