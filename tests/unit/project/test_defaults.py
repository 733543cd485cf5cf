from __future__ import annotations

import math

import pytest

from traf.project import find_project

PLAYWRIGHT_SPEC = "import { test } from '@playwright/test'\n"
ALL = {
    "playwright.timeout": 60000,
    "playwright.expect.timeout": 8000,
    "playwright.expect.toPass.timeout": 9000,
    "playwright.use.actionTimeout": 0,
    "playwright.use.navigationTimeout": 20000,
}
SETTINGS = """{
  timeout: 60_000, testDir: './e2e', retries: process.env.CI ? 2 : 0,
  expect: { timeout: 8 * 1000, toPass: { timeout: 9e3 } },
  use: { ...devices['Desktop Chrome'], actionTimeout: 0, navigationTimeout: SECOND * 20 },
}"""
HEAD = "import { defineConfig, devices } from '@playwright/test';\nconst SECOND = 1000;\n"


def playwright(tree, config, name="playwright.config.ts", **more):
    files = {"package.json": {}, name: config, "e2e/a.spec.ts": PLAYWRIGHT_SPEC, **more}
    return find_project(tree(files) / "e2e" / "a.spec.ts")


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("playwright.config.ts", f"{HEAD}export default defineConfig({SETTINGS});"),
        ("playwright.config.js", f"{HEAD}module.exports = {SETTINGS};"),
        ("playwright.config.mjs", f"{HEAD}const config = {SETTINGS};\nexport default config;"),
        ("playwright.config.cjs", f"{HEAD}module.exports = defineConfig({SETTINGS});"),
        ("playwright.config.mts", f"{HEAD}const c: PlaywrightTestConfig = {SETTINGS};\nexport {{ c as default }};"),
        ("playwright.config.cts", f"{HEAD}export default {SETTINGS} satisfies PlaywrightTestConfig;"),
    ],
)
def test_playwright_configs(tree, name, config):
    project = playwright(tree, config, name)
    assert project.config_file == project.root / name
    assert project.defaults == ALL


def test_a_base_config_of_another_file(tree):
    base = {"base.config.ts": "export default { timeout: 1, expect: { timeout: 2 } }"}
    config = "import base from './base.config';\nexport default { ...base, timeout: 3 }"
    found = playwright(tree, config, **base).defaults
    assert found == {"playwright.timeout": 3, "playwright.expect.timeout": 2}


@pytest.mark.parametrize(
    ("projects", "expected"),
    [
        ("[]", (10, 20)),
        ("[{ name: 'a' }, { name: 'b', timeout: 1 }]", (10, 20)),
        ("[{ name: 'a', timeout: 11, use: { actionTimeout: 21 } }, { name: 'b', timeout: 1 }]", (11, 21)),
        ("[{ name: 'a', use: { ...devices['Desktop Firefox'] } }]", (10, 20)),
        # A setup project comes first and does not run the spec.
        (r"[{ name: 'setup', testMatch: '**/*.setup.ts', timeout: 1 }, { name: 'a', timeout: 11 }]", (11, 20)),
        (r"[{ name: 'setup', testMatch: /.*\.setup\.ts/, timeout: 1 }, { name: 'a', timeout: 11 }]", (11, 20)),
        ("[{ name: 'x', testDir: './other', timeout: 1 }, { name: 'a', testDir: 'e2e', timeout: 11 }]", (11, 20)),
        ("[...more, { name: 'a', timeout: 11 }]", (11, 20)),
    ],
)
def test_the_playwright_project_that_runs_the_spec(tree, projects, expected):
    found = playwright(
        tree, f"export default {{ timeout: 10, use: {{ actionTimeout: 20 }}, projects: {projects} }}"
    ).defaults
    assert (found["playwright.timeout"], found["playwright.use.actionTimeout"]) == expected


@pytest.mark.parametrize(
    "config",
    [
        "export default {}",
        "export default makeConfig({ timeout: 1 })",
        "export default { timeout: '5000' }",
        "export default { timeout: -1 }",
        "export default { timeout: Infinity }",
        "export default { timeout: true, expect: 5, use: [1] }",
        "export default { ...unknown }",
        "export const timeout = 5",
        "",
        "export default {{{",
    ],
)
def test_what_cannot_be_known_is_left_out_without_a_warning(tree, config):
    project = playwright(tree, config)
    assert project.defaults == {}
    assert project.warnings == ("no git repository: history is not used",)


@pytest.mark.parametrize("time", ["process.env.CI ? 1 : 2", "Number(process.env.LIMIT)", "measured()"])
def test_a_time_that_only_a_run_tells_is_not_the_frameworks_default(tree, time):
    assert math.isnan(playwright(tree, f"export default {{ timeout: {time} }}").defaults["playwright.timeout"])


@pytest.mark.parametrize("content", [b"\0\1\2", b" " * 1_000_001, b"// \xff\nexport default { timeout: 1 }"])
def test_a_config_that_cannot_be_read_is_told(tree, content):
    project = playwright(tree, content)
    assert project.defaults == {}
    assert project.config_file == project.root / "playwright.config.ts"
    assert len(project.warnings) == 2
    assert "playwright.config.ts" in project.warnings[1]
    assert "its times are not used" in project.warnings[1]


def jest(tree, files):
    return find_project(
        tree({"package.json": {}, "src/a.test.js": "test('x', () => {})"} | files) / "src" / "a.test.js"
    )


@pytest.mark.parametrize(
    "files",
    [
        {"package.json": {"jest": {"testTimeout": 9000}}},
        {"jest.config.js": "module.exports = { testTimeout: 9000 }"},
        {"jest.config.js": "module.exports = async () => ({ testTimeout: 9000 })"},
        {
            "jest.config.ts": "import type { Config } from 'jest'\nconst c: Config = { testTimeout: 9_000 }\nexport default c"
        },
        {"jest.config.mjs": "export default { testTimeout: 9 * 1000 }"},
        {"jest.config.cjs": "const t = 9000; module.exports = { preset: 'ts-jest', testTimeout: t }"},
        {"jest.config.json": '{\n // slow\n "testTimeout": 9000 }'},
        {"jest.config.js": "module.exports = { projects: [{ displayName: 'a', testTimeout: 9000 }] }"},
        {
            "jest.config.js": "module.exports = { testTimeout: 9000, projects: [{ testMatch: ['<rootDir>/e2e/**'], "
            "testTimeout: 1 }, { testMatch: ['<rootDir>/src/**/*.test.js'] }] }"
        },
        {
            "jest.config.js": "module.exports = { testTimeout: 9000, projects: [{ roots: ['<rootDir>/e2e'], testTimeout: 1 }, "
            "{ testPathIgnorePatterns: ['<rootDir>/src/'], testTimeout: 2 }, { roots: ['<rootDir>/src'] }] }"
        },
        {
            "jest.config.js": "module.exports = { setupFilesAfterEnv: ['<rootDir>/test/setup.ts'], testTimeout: 1 }",
            "test/setup.ts": "jest.setTimeout(9000)",
        },
    ],
)
def test_jest_configs(tree, files):
    assert jest(tree, files).defaults == {"jest.testTimeout": 9000}


@pytest.mark.parametrize(
    "config",
    [
        "{ setupFilesAfterEnv: ['./setup.js'] }",
        "{ setupFilesAfterEnv: ['<rootDir>/setup.js'] }",
        "{ setupFiles: ['<rootDir>/setup', 'whatwg-fetch', 1] }",
        "{ rootDir: 'src', setupFilesAfterEnv: ['<rootDir>/../setup.js'] }",
        "{ projects: [{ setupFilesAfterEnv: ['./setup.js'] }] }",
        "{ projects: [{ rootDir: '<rootDir>/lib' }, { rootDir: '<rootDir>/src', setupFiles: ['<rootDir>/../setup'] }] }",
        "{ setupFilesAfterEnv: [require.resolve('x'), './missing', './setup.js', '../../outside.js'] }",
    ],
)
def test_jest_setup_files(tree, config):
    setup = "import { configure } from '@testing-library/react';\nconfigure({ asyncUtilTimeout: 4000 });\n"
    tree({"outside.js": setup.replace("4000", "1")}, root=".")
    found = jest(tree, {"jest.config.js": f"module.exports = {config}", "setup.js": setup}).defaults
    assert found == {"testing-library.asyncUtilTimeout": 4000}


@pytest.mark.parametrize(
    "config",
    [
        "module.exports = createJestConfig({ testTimeout: 1 })",
        "module.exports = { preset: '@acme/jest-preset' }",
        "module.exports = { rootDir: process.cwd(), setupFiles: ['./setup.js'] }",
        "module.exports = { rootDir: '/', setupFiles: ['./setup.js'] }",
        "module.exports = { projects: ['<rootDir>/packages/*'] }",
    ],
)
def test_jest_configs_that_say_nothing(tree, config):
    assert jest(tree, {"jest.config.js": config}).defaults == {}
