from __future__ import annotations

import pytest

from traf.core.errors import BadInput
from traf.project.packages import read_package


def names(package):
    return sorted(each.data["name"] for each in package.workspace_packages())


MEMBERS = {
    "packages/a/package.json": {"name": "a"},
    "packages/b/package.json": {"name": "b"},
    "packages/b/node_modules/c/package.json": {"name": "c"},
    "apps/deep/web/package.json": {"name": "web"},
    "apps/deep/web/test/package.json": {"name": "web-test"},
    "other/package.json": {"name": "other"},
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"package.json": {"workspaces": ["packages/*"]}}, ["a", "b"]),
        ({"package.json": {"workspaces": {"packages": ["./packages/*/", "other"]}}}, ["a", "b", "other"]),
        ({"package.json": {"workspaces": ["apps/**"]}}, ["web", "web-test"]),
        ({"package.json": {"workspaces": ["apps/**", "!**/test"]}}, ["web"]),
        ({"package.json": {"workspaces": ["{packages,apps}/*", "../*"]}}, ["a", "b"]),
        ({"package.json": {}, "lerna.json": {"packages": ["packages/*"]}}, ["a", "b"]),
        ({"package.json": {}, "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n"}, ["a", "b"]),
        (
            {
                "package.json": {},
                "pnpm-workspace.yaml": 'catalog:\n  x: 1\npackages: # ours\r\n# all\r\n- "packages/*" # a, b\n'
                "- other\n\n  - '!packages/b'\nonlyBuiltDependencies:\n  - esbuild\n",
            },
            ["a", "other"],
        ),
        ({"package.json": {}, "pnpm-workspace.yaml": "packages: ['packages/*', other]\n"}, ["a", "b", "other"]),
        ({"package.json": {}, "pnpm-workspace.yaml": "packages:\n  - packages/a"}, ["a"]),
        ({"package.json": {}, "pnpm-workspace.yaml": "onlyBuiltDependencies: [x]\n"}, []),
        ({"package.json": {"workspaces": [1, None]}}, []),
        ({"package.json": {"workspaces": "packages/*"}}, []),
        ({"package.json": {"workspaces": [""]}}, []),
        ({"package.json": {}}, []),
    ],
)
def test_workspace_packages(tree, files, expected):
    assert names(read_package(tree(MEMBERS | files))) == expected


def test_workspaces_do_not_follow_links_or_need_readable_members(tree):
    root = tree({"package.json": {"workspaces": ["packages/*"]}, "packages/a/package.json": "{broken"})
    (root / "packages" / "loop").symlink_to(root)
    assert names(read_package(root)) == []


def test_tables_of_the_wrong_kind_are_empty(tree):
    package = read_package(
        tree({"package.json": {"dependencies": ["jest"], "scripts": {"a": 1}, "devDependencies": None}})
    )
    assert package.dependencies == frozenset()
    assert package.scripts == {}


def test_a_byte_order_mark_is_no_fault(tree):
    assert read_package(tree({"package.json": b'\xef\xbb\xbf{"name": "x"}'})).data == {"name": "x"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n  "name": "x",\n}', r"package\.json is not valid JSON: .* at line [23], column \d+"),
        (b"\xff\xfe{\x00}\x00", r"package\.json cannot be read as text"),
        (b'{"a": "\xe9"}', r"package\.json is not valid JSON: not UTF-8 text at byte 7"),
        (b"[]", r"package\.json is not valid: it must hold a JSON object"),
        (b" " * 1_000_001, r"package\.json cannot be read as text"),
    ],
)
def test_a_broken_package_json_is_told_in_one_line(tree, content, message):
    with pytest.raises(BadInput, match=message) as caught:
        read_package(tree({"package.json": content}))
    assert caught.value.slug == "broken-package-json"
    assert "\n" not in str(caught.value)
