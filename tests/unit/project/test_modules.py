from __future__ import annotations

import pytest

from traf.project import load_module


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("./plain", "src/plain.ts"),
        ("./plain.js", "src/plain.ts"),
        ("./both.js", "src/both.js"),
        ("./view.jsx", "src/view.tsx"),
        ("./esm.mjs", "src/esm.mts"),
        ("./dotted.helper", "src/dotted.helper.ts"),
        ("./folder", "src/folder/index.tsx"),
        ("./folder/", "src/folder/index.tsx"),
        (".", "src/index.js"),
        ("..", "index.ts"),
        ("../lib/x", "lib/x.cjs"),
        ("./missing", None),
        ("./data.json", "src/data.json.cjs"),
        ("./binary", None),
        ("/etc/passwd", None),
        ("../../outside", None),
        ("./leak", None),
        ("react", None),
        ("", None),
        ("@", None),
        ("./nul\0", None),
        ("./" + "x" * 5000, None),
        ("./loop", None),
    ],
)
def test_resolves_like_node_and_typescript(tree, specifier, expected):
    tree({"outside.ts": "export const secret = 1"}, root=".")
    root = tree(
        {
            "src/spec.ts": "",
            "src/plain.ts": "",
            "src/both.js": "",
            "src/both.ts": "",
            "src/view.tsx": "",
            "src/esm.mts": "",
            "src/dotted.helper.ts": "",
            "src/folder/index.tsx": "",
            "src/index.js": "",
            "src/data.json": "{}",
            "src/binary.ts": b"\0",
            "index.ts": "",
            "lib/x.cjs": "",
            "node_modules/react/package.json": {"name": "react", "main": "index.js"},
            "node_modules/react/index.js": "",
        }
    )
    (root / "src" / "leak.ts").symlink_to(root.parent / "outside.ts")
    (root / "src" / "loop.ts").symlink_to("loop.ts")
    module = load_module(root)("src/spec.ts", specifier)
    assert (module.file if module else None) == expected


def resolved(root, specifier, file="app/e2e/a.spec.ts"):
    module = load_module(root)(file, specifier)
    return module.file if module else None


def test_modules_are_read_once(tree):
    load = load_module(tree({"a.ts": "", "b/c.ts": ""}))
    assert load("x.ts", "./a") is load("b/c.ts", "../a") is load("b/c.ts", "../a.ts")


def test_a_linked_file_imports_from_where_it_lies(tree):
    root = tree({"shared/spec.ts": "", "shared/fixtures.ts": "", "app/x": ""})
    (root / "app" / "spec.ts").symlink_to("../shared/spec.ts")
    assert resolved(root, "./fixtures", "app/spec.ts") == "shared/fixtures.ts"


def test_tsconfig_paths(tree):
    root = tree(
        {
            "app/tsconfig.json": '{\n  // ours\n  "compilerOptions": {"baseUrl": "./src", "paths": {'
            '"@/*": ["*"], "@/special/*": ["../special/*"], "~fixtures": ["../e2e/fixtures.ts"], "bad": "x",},},\n}',
            "app/src/util.ts": "",
            "app/special/x.ts": "",
            "app/e2e/fixtures.ts": "",
            "app/src/folder/thing.ts": "",
        }
    )
    assert resolved(root, "@/util") == "app/src/util.ts"
    assert resolved(root, "@/special/x") == "app/special/x.ts"
    assert resolved(root, "~fixtures") == "app/e2e/fixtures.ts"
    assert resolved(root, "folder/thing") == "app/src/folder/thing.ts"
    assert resolved(root, "bad") is None
    assert resolved(root, "@/../../../../etc/hosts") is None


def test_tsconfig_paths_are_inherited(tree):
    root = tree(
        {
            "tsconfig.base.json": {"compilerOptions": {"paths": {"#lib/*": ["./libs/*/index"]}}},
            "app/tsconfig.json": {"extends": ["../tsconfig.base"], "compilerOptions": {"strict": True}},
            "libs/wait/index.ts": "",
        }
    )
    assert resolved(root, "#lib/wait") == "libs/wait/index.ts"


def test_tsconfig_that_extends_itself(tree):
    assert resolved(tree({"app/tsconfig.json": {"extends": "./tsconfig.json"}, "app/e2e/x.ts": ""}), "y") is None


WORKSPACE = {
    "package.json": {"workspaces": ["libs/*"]},
    "app/package.json": {"name": "app"},
    "libs/main/package.json": {"name": "@acme/main", "main": "lib/main.js"},
    "libs/main/lib/main.ts": "",
    "libs/main/deep/file.ts": "",
    "libs/exports/package.json": {
        "name": "exports",
        "exports": {
            ".": {"types": "./x.d.ts", "import": ["./dist/index.js", "./src/entry.ts"]},
            "./feature/*": "./src/features/*.ts",
            "./private": None,
        },
    },
    "libs/exports/src/entry.ts": "",
    "libs/exports/src/features/wait.ts": "",
    "libs/unbuilt/package.json": {"name": "unbuilt", "main": "dist/index.js"},
    "libs/unbuilt/src/index.ts": "",
    "libs/evil/package.json": {"name": "evil", "main": "../../../outside.ts"},
}


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("@acme/main", "libs/main/lib/main.ts"),
        ("@acme/main/deep/file", "libs/main/deep/file.ts"),
        ("@acme/main/../exports/src/entry", None),
        ("exports", "libs/exports/src/entry.ts"),
        ("exports/feature/wait", "libs/exports/src/features/wait.ts"),
        ("exports/private", None),
        ("unbuilt", "libs/unbuilt/src/index.ts"),
        ("evil", None),
        ("unknown", None),
    ],
)
def test_packages_of_the_workspace(tree, specifier, expected):
    tree({"outside.ts": ""}, root=".")
    assert resolved(tree(WORKSPACE), specifier) == expected


def test_packages_linked_into_node_modules(tree):
    tree({"elsewhere/package.json": {"name": "elsewhere"}, "elsewhere/index.ts": ""}, root=".")
    root = tree({"lib/package.json": {"name": "lib"}, "lib/index.ts": "", "app/node_modules/x/package.json": {}})
    (root / "app" / "node_modules" / "lib").symlink_to("../../lib")
    (root / "app" / "node_modules" / "elsewhere").symlink_to(root.parent / "elsewhere")
    assert resolved(root, "lib") == "lib/index.ts"
    assert resolved(root, "elsewhere") is None
