from __future__ import annotations

import pytest

from traf.core.errors import BadInput
from traf.project import Surveyor

TEST = "it('works', async () => {});\n"
CY = "it('works', () => { cy.get('a'); });\n"


def survey(root, file):
    return Surveyor().survey(root / file)


def defaults(tree, files, file="src/a.test.js", text=TEST):
    return dict(survey(tree({".git/HEAD": "ref: x", file: text} | files), file).context.defaults)


def deps(*names, **more):
    return {"package.json": {"devDependencies": dict.fromkeys(names, "*")} | more}


# Where a file lies


def test_a_file_needs_no_package(tree):
    root = tree({"a/b.test.js": TEST})
    found = survey(root, "a/b.test.js")
    assert (found.root, found.file) == (root / "a", "b.test.js")
    assert (found.context.framework, found.context.dependencies, found.warnings) == (None, frozenset(), ())


def test_the_git_work_tree_is_the_root_of_a_file_without_a_package(tree):
    root = tree({".git/HEAD": "ref: x", "a/b.test.js": TEST})
    found = survey(root, "a/b.test.js")
    assert (found.root, found.file) == (root, "a/b.test.js")


def test_the_workspace_and_its_hoisted_dependencies(tree):
    root = tree(
        {
            "package.json": {"workspaces": ["packages/*"], "devDependencies": {"vitest": "1"}},
            "packages/a/package.json": {"dependencies": {"react": "18"}},
            "packages/a/src/b.test.js": TEST,
        }
    )
    found = survey(root, "packages/a/src/b.test.js")
    assert (found.root, found.file) == (root, "packages/a/src/b.test.js")
    assert found.context.dependencies == {"vitest", "react"}
    assert found.context.framework == "vitest"


def test_links_lead_where_the_project_is(tree):
    root = tree(deps("jest") | {"src/a.test.js": TEST, ".git/HEAD": "ref: x"})
    tree({"elsewhere/b.test.js": TEST}, root=".")
    (root / "src/out.test.js").symlink_to(root.parent / "elsewhere/b.test.js")
    (root / "src/in.test.js").symlink_to("a.test.js")
    (root.parent / "link").symlink_to(root)
    assert survey(root, "src/in.test.js").file == "src/in.test.js"
    assert survey(root.parent, "link/src/a.test.js").root == root
    out = survey(root, "src/out.test.js")
    assert (out.root, out.file) == (root.parent / "elsewhere", "b.test.js")


def test_a_broken_package_json_is_a_remark(tree):
    root = tree({".git/HEAD": "ref: x", "package.json": "{", "jest.config.js": "module.exports = { testTimeout: 7 }"})
    tree({"web/package.json": b"\xff", "web/a.test.js": TEST})
    found = survey(root, "web/a.test.js")
    assert found.root == root
    assert found.context.framework == "jest"
    assert found.context.defaults == {"jest.testTimeout": 7}
    assert sorted(warning.split("project/")[1] for warning in found.warnings) == [
        "package.json cannot be read: what it says is not used",
        "web/package.json cannot be read: what it says is not used",
    ]


def test_a_broken_config_is_a_remark(tree):
    found = survey(tree(deps("jest") | {"jest.config.json": "{", "a.test.js": TEST}), "a.test.js")
    (warning,) = found.warnings
    assert warning.startswith("jest.config.json cannot be read")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("gone.js", "no-such-file"),
        ("src", "spec-is-a-folder"),
        ("page.vue", "unsupported-file"),
        ("loop.js", "no-such-file"),
        ("huge.js", "file-too-large"),
    ],
)
def test_only_a_file_that_is_none_is_refused(tree, name, slug):
    root = tree({"src/a.js": "", "page.vue": ""})
    (root / "loop.js").symlink_to("loop.js")
    with (root / "huge.js").open("wb") as stream:
        stream.truncate(20_000_000)
    with pytest.raises(BadInput) as caught:
        survey(root, name)
    assert caught.value.slug == slug


# Which framework


@pytest.mark.parametrize(
    ("files", "file", "text", "framework"),
    [
        (deps("detox", "jest"), "e2e/a.js", TEST, "detox"),
        (deps("detox", "jest"), "src/a.test.js", TEST, "jest"),
        (deps("cypress", "jest"), "cypress/e2e/a.cy.js", CY, "cypress"),
        (deps("cypress", "jest"), "src/B.cy.jsx", CY, "cypress"),
        (
            deps("cypress", "@playwright/test"),
            "cypress/support/pages.js",
            "export const open = () => cy.visit('/');",
            "cypress",
        ),
        (deps("protractor", "karma"), "e2e/app.e2e-spec.ts", TEST, "protractor"),
        (
            deps("storybook", "@playwright/test"),
            "src/B.stories.tsx",
            "export const A = { play: async () => {} };",
            "storybook",
        ),
        (
            deps("@playwright/test"),
            "features/steps.js",
            "import { Given } from '@cucumber/cucumber';\nimport { expect } from '@playwright/test';",
            "cucumber",
        ),
        (deps("jest-puppeteer"), "a.test.js", TEST, "jest"),
        (deps("codeceptjs"), "a_test.js", "Feature('a'); Scenario('b', ({ I }) => { I.wait(1); });", "codeceptjs"),
        ({"package.json": {}, "test/wdio.conf.js": "exports.config = {}"}, "test/specs/a.js", TEST, "webdriverio"),
        ({"package.json": {}, "web-test-runner.config.mjs": ""}, "a.test.js", TEST, "web-test-runner"),
        ({"package.json": {}, "spec/support/jasmine.json": "{}"}, "spec/a.spec.js", TEST, "jasmine"),
        ({"package.json": {}, "nightwatch.json": "{}"}, "a.js", TEST, "nightwatch"),
        ({"package.json": {}, ".detoxrc.json": "{}"}, "e2e/a.js", TEST, "detox"),
        # A form that is another framework's, or the words of one, count for more than a config file or a dependency.
        (deps("react-scripts") | {"cypress.json": "{}"}, "src/App.test.js", TEST, "jest"),
        (deps("jest", "storybook"), "test/help.js", "export const x = 1;", "jest"),
        (deps("jest", "cypress") | {"jest.config.js": "", "cypress.json": "{}"}, "tests/e2e/specs/a.js", CY, "cypress"),
        (
            deps("mocha", "@wdio/cli") | {".mocharc.json": "{}", "wdio.conf.js": ""},
            "test/a.js",
            "it('x', async () => { await browser.url('/'); });",
            "webdriverio",
        ),
        # The config of other tools too does not show that Vitest is used.
        ({"package.json": {}, "vite.config.ts": "export default {}"}, "a.test.js", TEST, None),
        (deps("left-pad"), "a.test.js", TEST, None),
    ],
)
def test_frameworks(tree, files, file, text, framework):
    assert survey(tree({file: text} | files), file).context.framework == framework


# Which times are in force by default


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (deps("jest") | {"jest.config.js": "module.exports = { testTimeout: 9000 }"}, {"jest.testTimeout": 9000}),
        (deps("jest", jest={"testTimeout": 9000}), {"jest.testTimeout": 9000}),
        (
            deps("jest", scripts={"test": "jest --testTimeout=7000"}, jest={"testTimeout": 1}),
            {"jest.testTimeout": 7000},
        ),
        (
            deps("jest", scripts={"test": "jest --testTimeout=7000"}, jest={"setupFiles": ["./s.js"]})
            | {"s.js": "jest.setTimeout(8000)"},
            {"jest.testTimeout": 8000},
        ),
        (
            deps("vitest") | {"vite.config.ts": "export default { test: { testTimeout: 9000, hookTimeout: 20 } }"},
            {"vitest.testTimeout": 9000, "vitest.hookTimeout": 20},
        ),
        (
            deps("vitest")
            | {
                "vitest.config.ts": "export default { test: { testTimeout: 1, projects: ["
                "{ extends: true, test: { include: ['e2e/**'] } }, { extends: true,"
                " test: { include: ['src/**'], testTimeout: 2 } }] } }"
            },
            {"vitest.testTimeout": 2},
        ),
        (
            deps("vitest")
            | {
                "vitest.config.ts": "export default { test: { testTimeout: 1, projects: [{ test: { include: ['src/**'] } }] } }"
            },
            {},
        ),
        (deps("mocha") | {".mocharc.yml": "timeout: 5000\n"}, {"mocha.timeout": 5000}),
        (deps("mocha") | {".mocharc.yaml": "timeout: 5s"}, {"mocha.timeout": 5000}),
        (deps("mocha") | {".mocharc.json": '{\n// c\n"timeout": 5000,}'}, {"mocha.timeout": 5000}),
        (deps("mocha") | {".mocharc.jsonc": '{"timeout": "1m"}'}, {"mocha.timeout": 60000}),
        (deps("mocha") | {".mocharc.cjs": "module.exports = { timeout: 5e3 }"}, {"mocha.timeout": 5000}),
        (deps("mocha") | {".mocharc.js": "module.exports = { timeout: false }"}, {"mocha.timeout": 0}),
        (deps("mocha", mocha={"timeout": 5000}), {"mocha.timeout": 5000}),
        (deps("mocha") | {"test/mocha.opts": "--require x\n--timeout 5000\n"}, {"mocha.timeout": 5000}),
        (deps("mocha", scripts={"test": "mocha -t 5000"}), {"mocha.timeout": 5000}),
        (
            deps("testcafe") | {".testcaferc.json": '{"selectorTimeout": 1, "assertionTimeout": 2}'},
            {"testcafe.selectorTimeout": 1, "testcafe.assertionTimeout": 2},
        ),
        (
            deps("codeceptjs")
            | {
                "codecept.conf.js": "exports.config = { timeout: 20, helpers: { Playwright: { waitForTimeout: 3000 } } }"
            },
            {"codeceptjs.timeout": 20000, "codeceptjs.waitForTimeout": 3000},
        ),
        (
            deps("karma")
            | {"karma.conf.js": "module.exports = (config) => config.set({ client: { mocha: { timeout: 5 } } })"},
            {"mocha.timeout": 5},
        ),
        (
            deps("jasmine")
            | {
                "spec/support/jasmine.json": '{"spec_dir": "spec", "helpers": ["helpers/**/*.js"]}',
                "spec/helpers/deep/slow.js": "jasmine.DEFAULT_TIMEOUT_INTERVAL = 10000;",
            },
            {"jasmine.timeout": 10000},
        ),
        # A value that is none, or that may be elsewhere, says nothing.
        (deps("mocha") | {".mocharc.js": "module.exports = { ...make(), timeout: true }"}, {}),
        (deps("mocha") | {".mocharc.yml": "timeout:\n  a: 1"}, {}),
        (deps("vitest") | {"vitest.config.ts": "export default { test: { testTimeout: -1, hookTimeout: null } }"}, {}),
    ],
)
def test_defaults(tree, files, expected):
    found = defaults(tree, files)
    assert {key: found.get(key) for key in expected} == expected
    assert set(found) <= set(expected) | {"jasmine.timeout", "qunit.testTimeout"}


def test_defaults_of_all_frameworks_around(tree):
    files = deps("vitest", "cypress", "@playwright/test") | {
        "vitest.config.ts": "export default { test: { testTimeout: 1, setupFiles: 'test/setup.ts' } }",
        "test/setup.ts": "import { configure } from '@testing-library/react';\nconfigure({ asyncUtilTimeout: 2 });",
        "cypress.config.ts": "export default { e2e: { defaultCommandTimeout: 3 } }",
        "playwright.config.ts": "export default { timeout: 4 }",
    }
    assert defaults(tree, files, "src/a.test.ts") == {
        "vitest.testTimeout": 1,
        "testing-library.asyncUtilTimeout": 2,
        "cypress.defaultCommandTimeout": 3,
        "playwright.timeout": 4,
    }


def test_a_framework_that_runs_the_tests_of_another_sets_limits_for_its_own_specs_only(tree):
    files = deps("mocha", "@wdio/cli") | {
        "e2e/wdio.conf.js": "exports.config = { waitforTimeout: 1, mochaOpts: { timeout: 60000 } }",
        ".mocharc.json": '{"timeout": 5000}',
        "e2e/specs/b.js": TEST,
    }
    root = tree({".git/HEAD": "ref: x", "e2e/unit/a.test.js": "import { it } from 'mocha';\n" + TEST} | files)
    unit, e2e = survey(root, "e2e/unit/a.test.js").context, survey(root, "e2e/specs/b.js").context
    assert (unit.framework, unit.defaults["mocha.timeout"]) == ("mocha", 5000)
    assert (e2e.framework, e2e.defaults["mocha.timeout"]) == ("webdriverio", 60000)


def test_the_file_itself_has_the_last_word(tree):
    text = "jest.setTimeout(30_000);\n" + TEST
    assert defaults(tree, deps("jest", jest={"testTimeout": 1}), text=text) == {"jest.testTimeout": 30000}


# Files that are run before every spec


def ambient(tree, files, file, text=CY):
    return [source.file for source in survey(tree({".git/HEAD": "ref: x", file: text} | files), file).context.ambient]


@pytest.mark.parametrize(
    ("files", "file", "expected"),
    [
        (
            {
                "cypress.config.js": "module.exports = {}",
                "cypress/support/e2e.js": "import './commands'\nrequire('./more')",
                "cypress/support/commands.js": "",
                "cypress/support/more.js": "",
            },
            "cypress/e2e/a.cy.js",
            ["cypress/support/commands.js", "cypress/support/more.js", "cypress/support/e2e.js"],
        ),
        (
            {"cypress/support/index.js": "", "cypress/support/commands.ts": ""},
            "cypress/integration/a.js",
            ["cypress/support/commands.ts", "cypress/support/index.js"],
        ),
        ({"cypress.config.js": "module.exports = { e2e: { supportFile: false } }"}, "cypress/e2e/a.cy.js", []),
        (
            {"cypress.config.js": "module.exports = { e2e: { supportFile: 'test/help.ts' } }", "test/help.ts": ""},
            "cypress/e2e/a.cy.js",
            ["test/help.ts"],
        ),
        (
            {"cypress.json": '{"supportFile": "./test/*.js"}', "test/b.js": "", "test/c.js": ""},
            "cypress/e2e/a.cy.js",
            ["test/b.js", "test/c.js"],
        ),
        (
            {"wdio.conf.ts": "import './hooks';\nexport const config = {}", "hooks.ts": ""},
            "e2e/a.js",
            ["hooks.ts", "wdio.conf.ts"],
        ),
        (
            {"package.json": {"jest": {"setupFilesAfterEnv": ["<rootDir>/setup.js", "jest-extended"]}}, "setup.js": ""},
            "a.test.js",
            ["setup.js"],
        ),
        (
            {"vitest.config.js": "export default { test: { setupFiles: ['setup.js'] } }", "setup.js": ""},
            "a.test.js",
            ["setup.js"],
        ),
        (
            {
                ".mocharc.yml": "require: ['./setup.js', ts-node/register]\nfile: test/first.js",
                "setup.js": "",
                "test/first.js": "",
            },
            "a.js",
            ["setup.js", "test/first.js"],
        ),
    ],
)
def test_files_that_are_run_before_the_spec(tree, files, file, expected):
    assert ambient(tree, deps("cypress") | files, file) == expected


@pytest.mark.parametrize(
    "name",
    [
        "require.resolve('./test/setup')",
        "path.join(__dirname, 'test', 'setup.js')",
        "path.resolve(__dirname, './test/setup')",
        "resolve(__dirname, `test/setup.js`)",
    ],
)
def test_paths_from_the_folder_of_the_config(tree, name):
    files = deps("vitest") | {
        "vitest.config.js": f"export default {{ test: {{ setupFiles: [{name}] }} }}",
        "test/setup.js": "",
    }
    assert ambient(tree, files, "src/a.test.js") == ["test/setup.js"]


def test_modules_that_import_each_other_are_read_once(tree):
    files = {
        "wdio.conf.js": "require('./a')\nexports.config = {}",
        "a.js": "require('./b')",
        "b.js": "require('./a')\nrequire('./wdio.conf')",
    }
    assert ambient(tree, deps("@wdio/cli") | files, "e2e/s.js") == ["b.js", "a.js", "wdio.conf.js"]


def test_a_support_file_does_not_stand_beside_itself(tree):
    files = deps("cypress") | {"cypress.config.js": "module.exports = {}"}
    assert ambient(tree, files, "cypress/support/e2e.js") == []


# Many files


def test_what_files_have_in_common_is_read_once(tree, monkeypatch):
    root = tree(
        deps("jest", "cypress", jest={"setupFiles": ["./setup.js"], "testTimeout": 9000})
        | {".git/HEAD": "ref: x", "setup.js": "", "cypress/support/e2e.js": ""}
        | {f"src/{folder}/{number}.test.js": TEST for folder in "abc" for number in range(5)}
    )
    read = []
    opened = type(root).read_bytes
    monkeypatch.setattr(type(root), "read_bytes", lambda path: read.append(path.name) or opened(path))
    surveyor = Surveyor()
    found = [surveyor.survey(path) for path in sorted(root.rglob("*.test.js"))]
    assert [each.context.defaults for each in found] == [{"jest.testTimeout": 9000}] * 15
    assert len({id(each.context.load_module) for each in found}) == 1
    # package.json is read as a package, as a config and as a workspace.
    shared = sorted(name for name in read if not name.endswith(".test.js"))
    assert shared == ["e2e.js", "package.json", "package.json", "package.json", "setup.js"]


def test_a_folder_that_cannot_be_listed_is_no_obstacle(tree):
    root = tree({"sealed/a.test.js": TEST, "package.json": {}})
    (root / "sealed").chmod(0o300)
    try:
        assert survey(root, "sealed/a.test.js").file == "sealed/a.test.js"
    finally:
        (root / "sealed").chmod(0o700)
