from __future__ import annotations

import pytest

from traf.project.globs import matches


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("packages/*", "packages/a"),
        ("packages/**", "packages/a/b"),
        ("**/a.spec.ts", "a.spec.ts"),
        ("**/a.spec.ts", "x/y/a.spec.ts"),
        ("**/*.{test,spec}.ts", "x/a.spec.ts"),
        ("**/?(*.)+(spec|test).[jt]s?(x)", "src/spec.js"),
        ("**/?(*.)+(spec|test).[jt]s?(x)", "src/a.test.tsx"),
        ("@(a|b)", "b"),
        ("*(ab)", "abab"),
        ("!(a|b)", "c"),
        ("[!a]", "b"),
        ("[[a]", "["),
        ("[a-c^]", "b"),
        ("[a--]", "-"),
        ("file?.js", "file1.js"),
        (r"\*", "*"),
        ("a(b)", "a(b)"),
        ("a,b|c", "a,b|c"),
        ("new\nline", "new\nline"),
    ],
)
def test_matches(pattern, path):
    assert matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("packages/*", "packages/a/b"),
        ("packages/*", "packages"),
        ("*.ts", "a/b.ts"),
        ("**/*.{test,spec}.ts", "a.tests.ts"),
        ("!(a|b)", "a"),
        ("[!a]", "a"),
        ("a.b", "axb"),
        ("", "a"),
        ("{a", "a"),
        ("[z-a]", "b"),
        ("+(" * 5000 + "a" + ")" * 5000, "b"),
    ],
)
def test_does_not_match(pattern, path):
    assert not matches(pattern, path)
