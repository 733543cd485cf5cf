from __future__ import annotations

import subprocess

import pytest

from traf.syntax import unified_diff


def applied(root, path, before, after):
    """What `git apply` makes of the diff."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(before)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    diff = unified_diff(path, before, after).encode()
    subprocess.run(["git", "-c", "core.autocrlf=false", "apply", "--check", "-"], cwd=root, input=diff, check=True)
    subprocess.run(["git", "-c", "core.autocrlf=false", "apply", "-"], cwd=root, input=diff, check=True)
    return target.read_bytes()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\nb", b"a\nB"),
        (b"a\nb", b"a\nb\n"),
        (b"a\nb\n", b"a\nb"),
        (b"a\r\nb\r\n", b"a\r\nB\r\n"),
        (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n"),
        (b"a\x0cb\xe2\x80\xa8c\n", b"a\x0cB\xe2\x80\xa8c\n"),
        (b"a\rb\n", b"a\rB\n"),
        (b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", b"0\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n"),
        (b"a\n", b"x\na\n"),
        (b"x\na\n", b"a\n"),
    ],
)
def test_git_applies_the_diff_byte_for_byte(tmp_path, before, after):
    assert applied(tmp_path, "e2e/a.spec.ts", before, after) == after


@pytest.mark.parametrize(
    "path",
    ["a b.ts", "t/é ü.ts", 'q"uote.ts', "back\\slash.ts", "tab\tname.ts", "[id]/page.spec.ts", "-x.ts", "new\nline.ts"],
)
def test_odd_paths_are_quoted_as_git_does(tmp_path, path):
    assert applied(tmp_path, path, b"a\n", b"b\n") == b"b\n"


def test_equal_texts_have_no_diff():
    assert unified_diff("a.ts", b"a", b"a") == ""


def test_the_text_of_a_diff():
    diff = unified_diff("a.ts", b"1\n2", b"1\n3")
    assert (
        diff
        == "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+3\n\\ No newline at end of file\n"
    )
