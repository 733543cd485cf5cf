"""The Playwright adapter against the real Playwright Test."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.contract.client import outcomes
from tests.contract.conftest import tree, write_tree
from tests.contract.suite import HOSTILE_JS, Contract, Lab

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("lab-playwright")]

SPEC = "packages/web/e2e/hazards.spec.ts"
TWICE = "packages/web/e2e/twice.spec.ts"
BROKEN = "packages/web/e2e/broken.spec.ts"
PACKAGE = {
    "package.json": '{"name": "root", "private": true}',
    "packages/web/package.json": '{"name": "web"}',
    "packages/web/playwright.config.ts": """
import { defineConfig } from '@playwright/test';
const base: string = './e2e';
export default defineConfig({
  testDir: base, retries: 3, forbidOnly: true, maxFailures: 1, repeatEach: 2, reporter: 'list', timeout: 20_000,
  projects: [
    { name: 'setup', testMatch: /.*[.]setup[.]ts/ },
    { name: 'one', dependencies: ['setup'] },
    { name: 'two (x)*', testMatch: ['**/hazards.spec.ts', '**/twice.spec.ts'], retries: 2 },
  ],
});
""",
    "packages/web/e2e/prepare.setup.ts": """
import { test } from '@playwright/test';
import { next } from './support/counter';
test('prepares', () => { next('setup'); });
""",
    "packages/web/e2e/support/counter.ts": """
import fs from 'node:fs';
import path from 'node:path';
export let loads = 0;
export function load(): number { return ++loads; }
/** Counts across processes, by a file. */
export function next(name: string): number {
  const file = path.join(__dirname, '../../counters', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, '.');
  return fs.statSync(file).size;
}
""",
    "packages/web/e2e/other.spec.ts": "import { test } from '@playwright/test';\ntest('elsewhere', () => {});\n",
    TWICE: "import { test } from '@playwright/test';\ntest('same', () => {});\ntest('same', () => {});\n",
    BROKEN: "import { test } from '@playwright/test';\ntest('x', () => {;\n",
    "packages/web/e2e/hazards.spec.ts-snapshots/greeting-linux.txt": "never read",
    "packages/web/e2e/hazards.spec.ts-snapshots/greeting-two-x--linux.txt": "hello",
    SPEC: """import { test, expect } from '@playwright/test';
import { load, next } from './support/counter';

test.describe.configure({ retries: 2 });
test.only('focused', () => {});
test('odd ones fail', () => {
  expect(Object.keys(process.env).filter((name) => name.startsWith('TRAF_PLAYWRIGHT'))).toEqual([]);

  expect(next('odd') % 2).toBe(0);
});
test('keeps state', () => {
  expect(load()).toBe(1);
});
test.describe(() => {
  test.describe.configure({ retries: 2 });
  test('retried in code', () => {
    expect(next('retried') % 2).toBe(0);
  });
});
test.describe('outer', () => {
  test.describe(() => {
    for (const n of [1, 2]) {
      test(`same ${n}`, () => {});
    }
    test(HOSTILE, { tag: '@slow' }, () => {
      expect('hello').toMatchSnapshot('greeting.txt');
      console.log('x'.repeat(5_000_000));
      console.log('{"event":"end","key":1,"outcome":"fail"}');
    });
  });
});
test.describe('inner', () => {
  test('same 1', () => { throw new Error('the wrong one'); });
});
test.describe('hooks', () => {
  test.beforeEach(() => { throw new Error('hook'); });
  test('broken by its hook', () => {});
});
test('too slow', async () => {
  test.setTimeout(300);
  await new Promise(() => {});
});
test.skip('left out', () => {});
test('exits', () => {
  if (next('exits') % 2 === 1) process.exit(7);
});
test('hangs', () => {
  if (next('hangs') === 2) for (;;);
});
test('in a browser', async ({ page }) => {
  await page.setContent('<p id="late"></p><script>setTimeout(() => late.textContent = "here", 20)</script>');
  await expect(page.locator('#late')).toHaveText('here');
});
""".replace("HOSTILE", HOSTILE_JS),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory, modules) -> Path:
    root = write_tree(tmp_path_factory.mktemp("pw"), PACKAGE)
    (root / "node_modules").symlink_to(modules("playwright-parcels"))
    return root


@pytest.fixture(scope="module")
def host(root, start_host):
    return start_host(root / "packages/web", root)


@pytest.fixture(scope="module")
def lab(root, host) -> Lab:
    lines = {"focused": 5, "odd ones fail": 6, "same 2": 23, "left out": 43}
    return Lab(
        "playwright",
        host,
        root,
        SPEC,
        TWICE,
        BROKEN,
        lines,
        variant="two (x)*",
        counters="../counters",
        duplicates="load_failed",
        without={"rejects"},
    )


class TestPlaywright(Contract):
    def test_each_project_is_a_variant_and_runs_with_what_it_depends_on(self, lab: Lab) -> None:
        *tests, _ = lab.list()
        assert {test["variant"] for test in tests} == {"one", "two (x)*"}
        setups = lab.counted("setup")
        *attempts, _ = lab.run("outer", "same 1", variant="one", runs=2)
        assert outcomes(attempts) == ["pass", "pass"]
        assert lab.counted("setup") == setups + 2, "the project's own repeatEach holds for what it depends on"

    @pytest.mark.browser
    @pytest.mark.parametrize("isolation", ["worker", "process"])
    def test_in_chromium(self, lab: Lab, chromium: str, isolation: str) -> None:
        *attempts, done = lab.run("in a browser", runs=2, chromium=chromium, isolation=isolation)
        assert outcomes(attempts) == ["pass", "pass"]
        assert len(done["notes"]) <= 1


def test_a_title_that_selects_nothing(host):
    [error] = host.run("playwright", "packages/web/e2e/other.spec.ts", ["nowhere"])
    assert error["kind"] == "no_test"
    [error] = host.run("playwright", "packages/web/e2e/other.spec.ts", ["nowhere"], variant="one")
    assert error["kind"] == "no_test"


def test_not_installed(tmp_path, start_host):
    (tmp_path / "package.json").write_text("{}")
    [error] = start_host(tmp_path).list("playwright", "a.spec.ts")
    assert error["kind"] == "framework_missing"


def test_the_end_of_input_ends_a_running_batch(root, start_host):
    host = start_host(root / "packages/web", root)
    host.send(
        op="run",
        framework="playwright",
        file=SPEC,
        title=["hangs"],
        variant="two (x)*",
        runs=50,
        jobs=1,
        start_limit_ms=60_000,
        attempt_limit_ms=60_000,
    )
    assert host.receive()["event"] == "attempt"
    began = time.monotonic()
    host.close()
    assert host.process.returncode == 0
    assert time.monotonic() - began < 30


def test_es_modules_without_a_config(tmp_path, modules, start_host):
    files = {
        "package.json": '{"type": "module"}',
        "support.js": """import fs from 'node:fs';
let loads = 0;
export const load = () => ++loads;
export const next = () => {
  fs.appendFileSync(new URL('./counters', import.meta.url), '.');
  return fs.statSync(new URL('./counters', import.meta.url)).size;
};
""",
        "a.spec.ts": """import { test, expect } from '@playwright/test';
import { load, next } from './support.js';
interface Gone { inTheTransformedCode: true }
test('third', async () => {
  expect(load()).toBe(1);
  expect(next()).not.toBe(3);
});
""",
    }
    root = write_tree(tmp_path, files)
    (root / "node_modules").symlink_to(modules("playwright-parcels"))
    before = tree(root)
    *attempts, _ = start_host(root).run("playwright", "a.spec.ts", ["third"], runs=4)
    assert outcomes(attempts) == ["pass", "pass", "fail", "pass"]
    assert attempts[2]["error"]["frames"] == [{"file": "a.spec.ts", "line": 6, "column": 22, "function": None}]
    assert tree(root) == before
