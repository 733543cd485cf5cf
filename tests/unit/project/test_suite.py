"""Which files below a folder belong to its tests."""

from __future__ import annotations

import pytest

from traf.project import suite_files


def listed(root, folder=""):
    return [path.relative_to(root).as_posix() for path in suite_files(root / folder)]


@pytest.fixture
def root(tmp_path):
    def write(name, text="export const a = 1;\n"):
        path = tmp_path / "app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    for name in (
        "src/list.ts",
        "src/list.test.ts",
        "src/list_spec.js",
        "src/ListTest.jsx",
        "src/__tests__/helpers.ts",
        "src/types.d.ts",
        "e2e/pages/login.ts",
        "e2e/dist/bundle.js",
        "cypress/e2e/a.cy.ts",
        "cypress/fixtures/a.json",
        "node_modules/x/x.test.js",
        ".cache/y.test.js",
        "public/app.min.js",
    ):
        write(name)
    write("src/untold.js", "it('works', () => {});\n")
    return tmp_path / "app"


def test_tests_and_what_stands_among_them(root):
    assert listed(root) == [
        "cypress/e2e/a.cy.ts",
        "e2e/pages/login.ts",
        "src/ListTest.jsx",
        "src/list.test.ts",
        "src/list_spec.js",
        "src/untold.js",
        "src/__tests__/helpers.ts",
    ]


def test_a_folder_of_tests_counts_as_such_when_it_is_named_itself(root):
    assert listed(root, "e2e/pages") == ["e2e/pages/login.ts"]
    assert listed(root, "src/__tests__") == ["src/__tests__/helpers.ts"]


def test_links_are_not_followed(root):
    (root / "src" / "loop").symlink_to(root / "src", target_is_directory=True)
    (root / "src" / "linked.test.ts").symlink_to(root / "src" / "list.test.ts")
    assert "src/linked.test.ts" not in listed(root)
    assert not any("loop" in name for name in listed(root))
