from __future__ import annotations

import pytest

from traf.core.errors import BadInput
from traf.project import find_project
from traf.project.frameworks import RUNNABLE

GLOBAL_TEST = "describe('x', () => { it('works', () => { expect(1).toBe(1) }) })\n"
PLAYWRIGHT_TEST = "import { test, expect } from '@playwright/test';\ntest('x', async () => {});\n"
KNOWN = ", ".join(RUNNABLE)
BOTH = {"package.json": {"devDependencies": {"@playwright/test": "1", "jest": "29"}}}


def detected(tree, files, spec="src/a.spec.ts"):
    return find_project(tree(files) / spec).framework


@pytest.mark.parametrize(
    ("text", "framework"),
    [
        (PLAYWRIGHT_TEST, "playwright"),
        ("const { test } = require('@playwright/test');", "playwright"),
        ("const { test: base } = require('@playwright/test');", "playwright"),
        ("const test = require('@playwright/test').test;", "playwright"),
        ("import * as pw from '@playwright/test'; pw.test('x', () => {})", "playwright"),
        ("import { test } from 'playwright/test'", "playwright"),
        ("import { test } from '@chromatic-com/playwright'", "playwright"),
        ("import { test, expect } from '@jest/globals'", "jest"),
        ("import { jest } from '@jest/globals'\n" + GLOBAL_TEST, "jest"),
        (GLOBAL_TEST, "jest"),
        ("import { it } from 'vitest'", "vitest"),
        ("import { vi } from 'vitest'\n" + GLOBAL_TEST, "vitest"),
        ("import * as pw from '@playwright/test'\nimport { it } from 'vitest'", "vitest"),
        # Playwright used as a library, or for its matchers and types only, by a Jest test.
        ("import { chromium } from '@playwright/test'\n" + GLOBAL_TEST, "jest"),
        ("import { expect } from '@playwright/test'\n" + GLOBAL_TEST, "jest"),
        ("import type { Page } from '@playwright/test'\n" + GLOBAL_TEST, "jest"),
        # A test of a fixture package that is not there: Jest's would be a global.
        ("import { test } from '@acme/fixtures'", "playwright"),
        ("import { test } from '@acme/fixtures'\nimport { expect } from '@playwright/test'", "playwright"),
        ("const test = make(); test('x', () => {})", "playwright"),
    ],
)
def test_imports_decide_in_a_project_that_has_both(tree, text, framework):
    files = BOTH | {
        "src/a.spec.ts": text,
        "playwright.config.ts": "export default {}",
        "jest.config.js": "module.exports = {}",
    }
    assert detected(tree, files) == framework


@pytest.mark.parametrize(
    ("imported", "fixtures"),
    [
        ("import { test } from './fixtures'", {"src/fixtures.ts": "export { test, expect } from '@playwright/test'"}),
        ("import { test } from './fixtures'", {"src/fixtures.ts": "export * from '@playwright/test'"}),
        (
            "import { adminTest as test } from '../support/fixtures.js'",
            {
                "support/fixtures.ts": "import { test as base } from '@playwright/test';\n"
                "export const adminTest = base.extend({});"
            },
        ),
        ("import { adminTest } from './fixtures'", {"src/fixtures.ts": "import { test } from '@playwright/test'"}),
        ("import { test } from './gone'\nimport { expect } from '@playwright/test'", {}),
        ("import test from './fixtures'", {"src/fixtures/index.js": "const { test } = require('@playwright/test')"}),
        (
            "const { test } = require('./fixtures')",
            {
                "src/fixtures.ts": "import { mergeTests } from '@playwright/test'\nimport { test as a } from './base'",
                "src/base.ts": "import { test as base } from '@playwright/test'",
            },
        ),
        (
            "import { test } from '@e2e/fixtures'",
            {
                "tsconfig.json": {"compilerOptions": {"paths": {"@e2e/*": ["./e2e/*"]}}},
                "e2e/fixtures.ts": "export { test } from './more'",
                "e2e/more.ts": PLAYWRIGHT_TEST,
            },
        ),
        ("import { test } from './loop'", {"src/loop.ts": "export * from './loop'; export * from '@playwright/test'"}),
    ],
)
def test_fixture_modules_are_followed(tree, imported, fixtures):
    files = BOTH | {"jest.config.js": ""} | fixtures | {"src/a.spec.ts": imported}
    assert detected(tree, files) == "playwright"


@pytest.mark.parametrize(
    ("around", "framework"),
    [
        ({"package.json": {}, "jest.config.ts": "export default {}"}, "jest"),
        ({"package.json": {}, "jest.config.json": "{}"}, "jest"),
        ({"package.json": {"jest": {}}}, "jest"),
        ({"package.json": {"jest": "./config/jest.js"}, "config/jest.js": ""}, "jest"),
        ({"package.json": {"devDependencies": {"jest": "29"}}}, "jest"),
        ({"package.json": {"dependencies": {"react-scripts": "5"}}}, "jest"),
        ({"package.json": {"scripts": {"test": "NODE_ENV=test jest --ci"}}}, "jest"),
        # Only Playwright is there, so a spec that forgot its import is still a Playwright spec.
        ({"package.json": {}, "playwright.config.mts": "export default {}"}, "playwright"),
        ({"package.json": {"scripts": {"e2e": "npx playwright test"}}}, "playwright"),
        ({"package.json": {}, "vitest.config.ts": ""}, "vitest"),
        ({"package.json": {"devDependencies": {"vitest": "4"}}, "vite.config.ts": ""}, "vitest"),
    ],
)
def test_without_imports_the_surroundings_decide(tree, around, framework):
    assert detected(tree, around | {"src/a.spec.ts": GLOBAL_TEST}) == framework


def test_the_nearest_config_decides_before_farther_ones_and_dependencies(tree):
    files = {
        "package.json": {"devDependencies": {"jest": "29", "mocha": "10"}},
        ".mocharc.json": "{}",
        "src/jest.config.js": "",
        "src/a.spec.ts": GLOBAL_TEST,
    }
    assert detected(tree, files) == "jest"


def test_nearer_packages_decide_before_the_workspace_root(tree):
    files = {
        "package.json": {"workspaces": ["packages/*"], "devDependencies": {"mocha": "10"}},
        "packages/a/package.json": {"devDependencies": {"jest": "29"}},
        "packages/b/package.json": {},
        "packages/a/a.spec.ts": GLOBAL_TEST,
        "packages/b/a.spec.ts": GLOBAL_TEST,
    }
    assert detected(tree, files, "packages/a/a.spec.ts") == "jest"
    with pytest.raises(BadInput, match="uses mocha"):
        detected(tree, files, "packages/b/a.spec.ts")


@pytest.mark.parametrize(
    ("text", "around", "name"),
    [
        ("import test from 'node:test'", {"jest.config.js": ""}, "node:test"),
        ("const { describe, it } = require('mocha')", {}, "mocha"),
        (GLOBAL_TEST, {".mocharc.cjs": ""}, "mocha"),
        ("import test from 'ava'", {}, "ava"),
        ("import { test } from '@playwright/experimental-ct-react'", {}, "playwright component testing"),
        (GLOBAL_TEST, {"karma.conf.js": ""}, "karma"),
    ],
)
def test_a_framework_that_cannot_be_run_is_named(tree, text, around, name):
    with pytest.raises(BadInput) as caught:
        detected(tree, {"package.json": {}} | around | {"src/a.spec.ts": text})
    assert str(caught.value) == f"src/a.spec.ts uses {name}, which traf cannot run yet; it knows {KNOWN}"
    assert caught.value.slug == "unknown-framework"


def test_a_cypress_spec_beside_jest(tree):
    files = BOTH | {
        "jest.config.js": "",
        "cypress.config.ts": "",
        "cypress/e2e/a.cy.ts": "it('x', () => { cy.visit('/') })",
    }
    with pytest.raises(BadInput, match="uses cypress"):
        detected(tree, files, "cypress/e2e/a.cy.ts")


def test_nothing_tells_the_framework(tree):
    with pytest.raises(BadInput, match=r"no import, config file, .* traf knows " + KNOWN) as caught:
        detected(tree, {"package.json": {}, "src/a.spec.ts": GLOBAL_TEST})
    assert caught.value.slug == "unknown-framework"


def test_a_given_framework_is_taken_as_given(tree):
    spec = tree({"package.json": {}, "a.spec.ts": "import { it } from 'bun:test'"}) / "a.spec.ts"
    assert find_project(spec, "jest").framework == "jest"
    with pytest.raises(BadInput, match="uses bun:test"):
        find_project(spec, "bun:test")
    with pytest.raises(BadInput, match="it knows " + KNOWN):
        find_project(spec, "no\nsuch")
