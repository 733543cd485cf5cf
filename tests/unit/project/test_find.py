from __future__ import annotations

import os

import pytest

from traf.core.errors import BadInput
from traf.project import context_for, find_project

JEST = {"package.json": {"devDependencies": {"jest": "29"}}}
SPEC = "test('x', () => {})\n"
PLAYWRIGHT_SPEC = "import { test } from '@playwright/test'\n"


def test_a_package_without_git(tree):
    root = tree(JEST | {"src/a.test.js": SPEC})
    project = find_project(root / "src" / "a.test.js")
    assert (project.root, project.package_dir, project.spec) == (root, root, "src/a.test.js")
    assert (project.framework, project.config_file, project.has_git, project.defaults) == ("jest", None, False, {})
    assert project.warnings == ("no git repository: history is not used",)


def test_a_relative_spec_from_anywhere(tree, monkeypatch):
    root = tree(JEST | {"src/deep/a.test.js": SPEC})
    for cwd, spec in (
        (root, "src/deep/a.test.js"),
        (root / "src", "deep/../deep/a.test.js"),
        (root / "src" / "deep", "./a.test.js"),
        (root.parent, "project/src/deep/a.test.js"),
        (root / "src", "../src//deep/a.test.js"),
    ):
        monkeypatch.chdir(cwd)
        project = find_project(type(root)(spec))
        assert (project.root, project.spec) == (root, "src/deep/a.test.js")


def test_git_work_tree_is_the_root_and_its_state_is_told(tree, git, tmp_path):
    root = tree({"web/" + name: content for name, content in (JEST | {"a.test.js": SPEC}).items()})
    git(root, "init", "-b", "main")
    project = find_project(root / "web" / "a.test.js")
    assert (project.root, project.package_dir, project.spec) == (root, root / "web", "web/a.test.js")
    assert project.has_git
    assert project.warnings == ("no commit yet: history is not used",)
    for message in ("one", "two"):
        git(root, "add", ".")
        git(root, "commit", "--allow-empty", "-m", message)
    assert find_project(root / "web" / "a.test.js").warnings == ()
    git(root, "checkout", "--detach")
    (warning,) = find_project(root / "web" / "a.test.js").warnings
    assert warning.startswith("detached HEAD")
    git(tmp_path, "clone", "--depth", "1", "--branch", "main", f"file://{root}", "shallow")
    (warning,) = find_project(tmp_path / "shallow" / "web" / "a.test.js").warnings
    assert warning.startswith("shallow clone")
    git(root, "worktree", "add", "../linked", "main")
    linked = find_project(tmp_path / "linked" / "web" / "a.test.js")
    assert (linked.root, linked.has_git) == (tmp_path / "linked", True)


@pytest.mark.parametrize("marker", [{".git": "gitdir: /nowhere/at/all\n"}, {".git/HEAD": "ref: refs/heads/main\n"}])
def test_what_git_does_not_take_for_a_repository(tree, marker):
    root = tree(JEST | marker | {"a.test.js": SPEC})
    project = find_project(root / "a.test.js")
    assert (project.root, project.has_git) == (root, False)
    assert project.warnings == ("no git repository: history is not used",)


@pytest.mark.parametrize(
    "workspace",
    [
        {"package.json": {"workspaces": ["packages/*"], "devDependencies": {"jest": "29"}}},
        {"package.json": {"devDependencies": {"jest": "29"}}, "pnpm-workspace.yaml": "packages:\n  - packages/*\n"},
        {"package.json": {"devDependencies": {"jest": "29"}}, "lerna.json": {"packages": ["packages/*"]}},
    ],
)
def test_the_workspace_is_the_root_and_its_config_applies(tree, workspace):
    files = {
        "packages/a/package.json": {"name": "a"},
        "packages/a/a.test.js": SPEC,
        "packages/b/package.json": {"name": "b"},
        "packages/b/jest.config.js": "module.exports = { testTimeout: 7000 }",
        "packages/b/b.test.js": SPEC,
        "jest.config.js": "module.exports = { testTimeout: 9000 }",
    }
    root = tree(workspace | files)
    a = find_project(root / "packages/a/a.test.js")
    assert (a.root, a.package_dir, a.spec) == (root, root, "packages/a/a.test.js")
    assert (a.config_file, a.defaults) == (root / "jest.config.js", {"jest.testTimeout": 9000})
    b = find_project(root / "packages/b/b.test.js")
    assert (b.root, b.package_dir, b.defaults) == (root, root / "packages/b", {"jest.testTimeout": 7000})


def test_a_package_without_config_is_started_in_itself(tree):
    root = tree(JEST | {"packages/a/package.json": {}, "packages/a/a.test.js": SPEC, ".git/HEAD": "ref: refs/heads/x"})
    assert find_project(root / "packages/a/a.test.js").package_dir == root / "packages/a"


def test_folders_that_are_no_workspace_do_not_become_the_root(tree):
    outer = tree({"package.json": {"workspaces": ["packages/*"]}} | {"other/" + n: c for n, c in JEST.items()})
    tree({"other/a.test.js": SPEC})
    assert find_project(outer / "other" / "a.test.js").root == outer / "other"


def test_the_playwright_config_that_claims_the_spec_applies(tree):
    root = tree(
        {
            "package.json": {"devDependencies": {"@playwright/test": "1"}},
            "playwright.config.ts": "export default { testDir: './e2e' }",
            "app/playwright.config.ts": "export default { testDir: './visual' }",
            "app/other.spec.ts": PLAYWRIGHT_SPEC,
            "e2e/a.spec.ts": PLAYWRIGHT_SPEC,
            "app/visual/b.spec.ts": PLAYWRIGHT_SPEC,
        }
    )
    assert find_project(root / "e2e/a.spec.ts").config_file == root / "playwright.config.ts"
    assert find_project(root / "app/visual/b.spec.ts").package_dir == root / "app"
    # Nobody claims it; the nearest is the better guess.
    assert find_project(root / "app/other.spec.ts").package_dir == root / "app"


def test_a_config_that_a_script_names_applies_where_the_others_do_not_claim_the_spec(tree):
    root = tree(
        {
            "package.json": {
                "jest": {"rootDir": "src", "testRegex": r".*\.spec\.ts$", "testTimeout": 1000},
                "scripts": {"e2e": "jest --runInBand --config ./test/jest-e2e.json", "odd": "jest -c 'unclosed"},
            },
            "test/jest-e2e.json": {"rootDir": ".", "testRegex": ".e2e-spec.ts$", "testTimeout": 60000},
            "test/app.e2e-spec.ts": SPEC,
            "src/app.spec.ts": SPEC,
        }
    )
    e2e, unit = find_project(root / "test/app.e2e-spec.ts"), find_project(root / "src/app.spec.ts")
    assert (e2e.config_file, e2e.package_dir, e2e.defaults) == (
        root / "test/jest-e2e.json",
        root,
        {"jest.testTimeout": 60000},
    )
    assert (unit.config_file, unit.package_dir, unit.defaults) == (
        root / "package.json",
        root,
        {"jest.testTimeout": 1000},
    )


@pytest.mark.parametrize("regex", ["(", "[[a]", "a{99999999999}", "(" * 5000, r"(?<year>\d)"])
def test_a_regex_that_python_does_not_share_leaves_the_claim_open(tree, regex):
    root = tree({"package.json": {"jest": {"testRegex": regex, "testTimeout": 5}}, "a.test.js": SPEC})
    assert find_project(root / "a.test.js").defaults == {"jest.testTimeout": 5}


def test_scripts_cannot_name_a_config_outside_the_project(tree):
    tree({"evil.js": "module.exports = { testTimeout: 1 }"}, root=".")
    root = tree({"package.json": {"scripts": {"test": "jest --config=../evil.js"}}, "a.test.js": SPEC})
    assert find_project(root / "a.test.js").config_file is None


def test_a_spec_behind_a_link_belongs_to_where_it_is_reached(tree):
    root = tree(
        {
            "package.json": {},
            "app/package.json": {"devDependencies": {"jest": "29"}},
            "shared/a.test.js": SPEC,
            ".git/HEAD": "ref: refs/heads/main",
        }
    )
    (root / "app" / "tests").symlink_to("../shared")
    (root / "app" / "b.test.js").symlink_to("../shared/a.test.js")
    for spec in ("app/tests/a.test.js", "app/b.test.js"):
        project = find_project(root / spec)
        assert (project.root, project.package_dir, project.spec) == (root, root / "app", spec)


def test_a_project_behind_a_link_is_where_the_link_leads(tree):
    root = tree({"apps/web/" + n: c for n, c in (JEST | {"a.test.js": SPEC}).items()} | {".git/HEAD": "ref: x"})
    (root.parent / "link").symlink_to(root)
    (root.parent / "web").symlink_to(root / "apps" / "web")
    (root.parent / "spec.test.js").symlink_to(root / "apps/web/a.test.js")
    for spec in ("link/apps/web/a.test.js", "web/a.test.js", "spec.test.js"):
        project = find_project(root.parent / spec)
        assert (project.root, project.spec) == (root, "apps/web/a.test.js")


def test_a_link_out_of_the_repository_is_refused(tree):
    tree({"elsewhere/a.test.js": SPEC}, root=".")
    root = tree(JEST)
    (root / "a.test.js").symlink_to("../elsewhere/a.test.js")
    with pytest.raises(
        BadInput, match=r"is a link that leads out of .*: name the file itself, .*/elsewhere/a\.test\.js"
    ):
        find_project(root / "a.test.js")


@pytest.mark.parametrize(
    ("spec", "message", "slug"),
    [
        ("missing.test.js", "does not exist", "no-such-file"),
        ("a.test.js/x.js", "does not exist", "no-such-file"),
        ("src", "is a folder", "spec-is-a-folder"),
        ("..", "is a folder", "spec-is-a-folder"),
        ("loop.test.js", "is no file that can be read", "no-such-file"),
        ("dangling.test.js", "is no file that can be read", "no-such-file"),
        ("pipe.test.js", "is no file that can be read", "no-such-file"),
        ("nul\0.test.js", "does not exist", "no-such-file"),
        ("x" * 5000, "does not exist", "no-such-file"),
        ("line\nbreak.test.js", r"line\\nbreak.test.js does not exist", "no-such-file"),
        ("page.vue", "not supported", "unsupported-file"),
        ("binary.test.js", "is not UTF-8 text", "binary-file"),
        ("huge.test.js", "10 MB", "file-too-large"),
    ],
)
def test_bad_specs(tree, spec, message, slug):
    root = tree(JEST | {"a.test.js": SPEC, "src/x.js": "", "page.vue": "", "binary.test.js": b"\0\1"})
    (root / "loop.test.js").symlink_to("loop.test.js")
    (root / "dangling.test.js").symlink_to("nowhere")
    os.mkfifo(root / "pipe.test.js")
    with (root / "huge.test.js").open("wb") as stream:
        stream.truncate(20_000_000)
    with pytest.raises(BadInput, match=message) as caught:
        find_project(root / spec)
    assert caught.value.slug == slug
    assert "\n" not in str(caught.value)


def test_outside_any_project(tree):
    root = tree({"repo/.git/HEAD": "ref: x", "repo/a.test.js": SPEC, "package.json": {}})
    with pytest.raises(BadInput, match=r"lies outside any project: there is no package\.json") as caught:
        find_project(root / "repo" / "a.test.js")
    assert caught.value.slug == "outside-any-project"


def test_a_broken_package_json_above_is_told_with_its_position(tree):
    root = tree({"package.json": '{"name": "x"\n "jest": {}}', "sub/package.json": {}, "sub/a.test.js": SPEC})
    with pytest.raises(BadInput, match=r"project/package\.json is not valid JSON: .* line 2, column 2"):
        find_project(root / "sub" / "a.test.js")


@pytest.mark.parametrize(
    "name", ["a b;$(x)`.test.js", "line\nbreak.test.js", "-rf.test.js", "日本.test.js", "[id]*?.test.js"]
)
def test_hostile_names(tree, name):
    root = tree(JEST | {f"di'r\"/{name}": SPEC, "jest.config.js": "module.exports = {testTimeout: 3}"})
    project = find_project(root / "di'r\"" / name)
    assert project.spec == f"di'r\"/{name}"
    assert project.defaults == {"jest.testTimeout": 3}


def test_a_name_that_is_not_utf8(tree):
    root = tree(JEST)
    spec = os.fsdecode(b"caf\xe9.test.js")
    (root / spec).write_text(SPEC)
    assert find_project(root / spec).spec == spec


def test_a_byte_order_mark_in_package_json(tree):
    root = tree({"package.json": b'\xef\xbb\xbf{"jest": {"testTimeout": 12}}', "a.test.js": SPEC})
    assert find_project(root / "a.test.js").defaults == {"jest.testTimeout": 12}


def test_context_for_gives_what_syntax_asks_for(tree):
    root = tree({"package.json": {"jest": {"testTimeout": 12}}, "src/a.test.js": SPEC, "src/b.js": ""})
    context = context_for(find_project(root / "src" / "a.test.js"))
    assert (context.framework, context.defaults) == ("jest", {"jest.testTimeout": 12})
    assert context.load_module("src/a.test.js", "./b").file == "src/b.js"
