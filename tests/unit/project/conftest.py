"""Small trees of files, made in the test's own folder."""

from __future__ import annotations

import json
import os
import subprocess

import pytest


@pytest.fixture
def tree(tmp_path):
    """Write files given as {path: text, bytes, or a value for JSON} below a folder of their own, and give that folder."""

    def write(files, root="project"):
        base = tmp_path / root
        for name, content in files.items():
            path = base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return base

    return write


@pytest.fixture
def git():
    """Run git in a folder, apart from the configuration of whoever runs the tests."""
    identity = {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    outside = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}

    def run(folder, *arguments):
        subprocess.run(["git", *arguments], cwd=folder, env=kept | identity | outside, check=True, capture_output=True)

    return run
