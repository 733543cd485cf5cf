"""The Playwright adapter against the real Playwright Test."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.contract.client import outcomes
from tests.contract.conftest import tree, write_tree

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("lab-playwright")]

SPEC = "packages/web/e2e/hazards.spec.ts"
HOSTILE = 'it\'s "q" `b` $1 $& [a-z]* (x|y)? \\d 😀 @tag\nline'
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
    { name: 'two (x)*', testMatch: '**/hazards.spec.ts', retries: 2 },
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
    "packages/web/e2e/broken.spec.ts": "import { test } from '@playwright/test';\ntest('x', () => {;\n",
    "packages/web/e2e/hazards.spec.ts-snapshots/greeting-linux.txt": "never read",
    "packages/web/e2e/hazards.spec.ts-snapshots/greeting-two-x--linux.txt": "hello",
    SPEC: """import { test, expect } from '@playwright/test';
import { load, next } from './support/counter';

test.describe.configure({ retries: 2 });
test.only('focused', () => {});
test('odd ones fail', () => {
  expect(load()).toBe(1);
  expect(next('odd') % 2).toBe(0);
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
""".replace("HOSTILE", "'" + HOSTILE.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory, modules) -> Path:
    root = write_tree(tmp_path_factory.mktemp("pw"), PACKAGE)
    (root / "node_modules").symlink_to(modules("playwright-parcels"))
    return root


@pytest.fixture(scope="module")
def host(root, start_host):
    return start_host(root / "packages/web", root)


@pytest.fixture(autouse=True)
def nothing_left_behind(root):
    before = tree(root)
    yield
    assert tree(root) == before


def counted(root: Path, name: str) -> int:
    file = root / "packages/web/counters" / name
    return file.stat().st_size if file.exists() else 0


def test_lists_every_test_of_the_file_in_each_project(host):
    *tests, done = host.list("playwright", SPEC)
    assert done["event"] == "done"
    assert {test["variant"] for test in tests} == {"one", "two (x)*"}
    first = [test for test in tests if test["variant"] == "one"]
    assert [(test["title"], test["line"]) for test in first][:5] == [
        (["focused"], 5),
        (["odd ones fail"], 6),
        (["outer", "same 1"], 13),
        (["outer", "same 2"], 13),
        (["outer", HOSTILE], 15),
    ]
    assert first[1]["column"] == 1


def test_attempts_are_single_fresh_executions(host, root):
    setups = counted(root, "setup")
    *attempts, done = host.run("playwright", SPEC, ["odd ones fail"], runs=4)
    assert outcomes(attempts) == ["fail", "pass", "fail", "pass"]
    assert [attempt["index"] for attempt in attempts] == [0, 1, 2, 3]
    assert done["executed"] == 4
    assert counted(root, "odd") == 4
    assert counted(root, "setup") == setups + 2, "the project's own repeatEach holds for what it depends on"
    error = attempts[0]["error"]
    assert "\x1b" not in error["message"]
    assert error["frames"][0] == {"file": SPEC, "line": 8, "column": 27, "function": None}
    assert attempts[1]["error"] is None


def test_a_hostile_title_selects_one_test_and_its_output_harms_nothing(host):
    *attempts, done = host.run("playwright", SPEC, ["outer", HOSTILE], variant="two (x)*", runs=5, until="pass")
    assert outcomes(attempts) == ["pass"]
    assert done["executed"] == 1


@pytest.mark.parametrize(
    ("title", "outcome"),
    [
        (["hooks", "broken by its hook"], "error"),
        (["too slow"], "timeout"),
        (["left out"], "skip"),
    ],
)
def test_outcome(host, title, outcome):
    *attempts, _ = host.run("playwright", SPEC, title, variant="two (x)*", runs=1)
    assert outcomes(attempts) == [outcome]


def test_a_crash_is_one_attempt(host):
    *attempts, done = host.run("playwright", SPEC, ["exits"], variant="two (x)*", runs=3)
    assert outcomes(attempts) == ["crash", "pass", "crash"]
    assert done["executed"] == 3


def test_a_hang_is_ended_and_the_rest_goes_on(host, root):
    *attempts, done = host.run("playwright", SPEC, ["hangs"], variant="two (x)*", runs=3, attempt_limit_ms=2500)
    assert outcomes(attempts) == ["pass", "timeout", "pass"]
    assert done["executed"] == 3


def test_two_jobs(host):
    *attempts, _ = host.run("playwright", SPEC, ["outer", "same 2"], variant="two (x)*", runs=4, jobs=2)
    assert outcomes(attempts) == ["pass"] * 4


@pytest.mark.browser
def test_in_chromium(host, chromium):
    *attempts, done = host.run("playwright", SPEC, ["in a browser"], variant="two (x)*", runs=2, chromium=chromium)
    assert outcomes(attempts) == ["pass", "pass"]
    assert len(done["notes"]) <= 1


def test_a_spec_that_does_not_load(host):
    [error] = host.list("playwright", "packages/web/e2e/broken.spec.ts")
    assert error["kind"] == "load_failed"
    assert "broken.spec.ts" in error["message"]


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
