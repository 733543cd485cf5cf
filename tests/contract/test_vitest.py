"""The Vitest adapter against the real Vitest 4, the newest major version that Node 20 runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.replay import installed
from tests.contract.client import outcomes
from tests.contract.conftest import tree, write_tree
from tests.contract.suite import HOSTILE_JS, Contract, Lab

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("lab-vitest")]

LABS = Path(__file__).parent / "labs"
SPEC = "packages/web/test/hazards.test.ts"
TWICE = "packages/web/test/twice.test.ts"
BROKEN = "packages/web/test/broken.test.ts"
LINES = {"focused": 6, "odd ones fail": 7, "same 2": 23, "left out": 40}
PACKAGE = {
    "package.json": '{"name": "root", "private": true}',
    "packages/web/package.json": '{"name": "web", "type": "module"}',
    "packages/web/vitest.config.ts": """
import { defineConfig } from 'vitest/config';
const base: string = './test';
const common = {
  include: [`${base}/*.test.ts`], setupFiles: [`${base}/setup.ts`], globalSetup: [`${base}/global.ts`], retry: 2, bail: 1,
};
const browser = { enabled: true, instances: [{ browser: 'chromium' }] };
export default defineConfig({
  test: {
    bail: 1, retry: 3, fileParallelism: false, sequence: { shuffle: true }, typecheck: { enabled: true },
    coverage: { enabled: true }, reporters: ['verbose'],
    projects: [
      { test: { ...common, name: 'dom', environment: 'jsdom', fileParallelism: false } },
      { test: { ...common, name: 'two (x)*', environment: 'node', runner: `${base}/runner.ts`, sequence: { groupOrder: 2 } } },
      { test: { name: 'other', include: ['other/*.test.ts'] } },
      { test: { name: 'browser', include: ['seen/*.test.ts'], browser } },
    ],
  },
});
""",
    "packages/web/test/setup.ts": "(globalThis as any).setUps = ((globalThis as any).setUps ?? 0) + 1;\n",
    "packages/web/test/global.ts": """
import fs from 'node:fs';
const file = new URL('./counters/global', import.meta.url);
export default () => {
  fs.mkdirSync(new URL('./counters', import.meta.url), { recursive: true });
  fs.appendFileSync(file, 'up ');
  return () => fs.appendFileSync(file, 'down ');
};
""",
    "packages/web/test/runner.ts": """
import { VitestTestRunner } from 'vitest/runners';
export default class extends VitestTestRunner {
  extendTaskContext(context: any) {
    return Object.assign(super.extendTaskContext(context), { fromUser: true });
  }
}
""",
    "packages/web/test/support.ts": """
import fs from 'node:fs';
import path from 'node:path';
let loads = 0;
export const load = (): number => ++loads;
/** Counts across processes, by a file. */
export function next(name: string): number {
  const file = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), 'counters', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, '.');
  return fs.statSync(file).size;
}
""",
    BROKEN: "import { test } from 'vitest';\ntest('x', () => {;\n",
    TWICE: "import { test } from 'vitest';\ntest('same', () => {});\ntest('same', () => {});\n",
    "packages/web/seen/a.test.ts": "import { test } from 'vitest';\ntest('seen', () => {});\n",
    "packages/web/elsewhere.ts": "import { test } from 'vitest';\ntest('elsewhere', () => {});\n",
    SPEC: """import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { load, next } from './support';
interface Gone { inTheTransformedCode: true }

test.only('focused', () => {});
test('odd ones fail', () => {
  expect({ ours: 'TRAF_VITEST' in process.env, setUps: (globalThis as any).setUps }).toEqual({ ours: false, setUps: 1 });

  expect(next('odd') % 2).toBe(0);
});
test('keeps state', () => {
  (globalThis as any).loads = ((globalThis as any).loads ?? 0) + load();
  expect((globalThis as any).loads).toBe(1);
});
describe.only('a focused block', () => {
  test('in it', () => {});
});
describe('outer', { retry: 2 }, () => {
  describe.skip('not this one', () => {
    test('same 1', () => { throw new Error('the wrong one'); });
  });
  test.concurrent.each([1, 2])('same %i', () => {});
  test(HOSTILE, () => {
    console.log('x'.repeat(5_000_000));
    console.log('{"event":"end","key":0,"outcome":"fail"}');
  });
});
test('retried in code', { retry: 3, repeats: 2 }, () => {
  expect(next('retried') % 2).toBe(0);
});
describe('inner', () => {
  test('same 1', () => { throw new Error('the wrong one'); });
});
describe('hooks', () => {
  beforeEach(() => { throw new Error('hook'); });
  test('broken by its hook', () => {});
});
test('too slow', () => new Promise(() => {}), 100);
test.skip('left out', () => {});
test.todo('to be written');
test('rejects', async () => {
  void Promise.reject(new Error('nobody waits for it'));
  await new Promise((resolve) => setTimeout(resolve, 20));
});
test('exits', () => {
  if (next('exits') % 2 === 1) process.kill(process.pid, 'SIGKILL');
});
test('hangs', () => {
  if (next('hangs') === 2) for (;;);
});
describe('before', () => {
  beforeAll(() => { throw new Error('hook'); });
  test('kept from running', () => {});
});
describe('afterwards', () => {
  afterAll(() => { throw new Error('hook'); });
  test('followed by a failure', () => {});
});
test('skips itself', (context) => { context.skip(); });
test.fails('expected to fail', () => { throw new Error('as expected'); });
test('has the runner of the config', (context) => { expect((context as any).fromUser).toBe(true); });
test('leaves fake timers', async () => {
  const { vi } = await import('vitest');
  vi.useFakeTimers();
});
test('exits by the book', () => { process.exit(3); });
test('tells its process', () => { fs.appendFileSync('test/counters/pids', ` ${process.pid}`); });
test('a snapshot that is not there', () => { expect('x').toMatchSnapshot(); });
""".replace("HOSTILE", HOSTILE_JS),
}
VARIANT = "two (x)*"


def project(tmp_path_factory, lab: str, files: dict[str, str]) -> Path:
    root = write_tree(tmp_path_factory.mktemp(lab), files)
    (root / "node_modules").symlink_to(installed(LABS / lab, lab))
    return root


def lab_in(root: Path, start_host) -> Lab:
    return Lab("vitest", start_host(root / "packages/web", root), root, SPEC, TWICE, BROKEN, LINES, variant=VARIANT)


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return project(tmp_path_factory, "vitest", PACKAGE)


@pytest.fixture(scope="module")
def lab(root, start_host) -> Lab:
    return lab_in(root, start_host)


class VitestContract(Contract):
    """What holds for each version of Vitest."""

    def test_each_project_that_takes_the_file_is_a_variant(self, lab: Lab) -> None:
        *tests, _ = lab.list()
        assert {test["variant"] for test in tests} == {"dom", VARIANT}
        *attempts, _ = lab.run("keeps state", variant="dom", runs=2)
        assert outcomes(attempts) == ["pass", "pass"]
        [error] = lab.run("keeps state", variant="nowhere")
        assert error["kind"] == "no_test"

    @pytest.mark.parametrize(
        ("title", "outcome"),
        [
            (("focused",), "pass"),
            (("a focused block", "in it"), "pass"),
            (("outer", "not this one", "same 1"), "skip"),
            (("to be written",), "skip"),
            (("skips itself",), "skip"),
            (("before", "kept from running"), "error"),
            (("afterwards", "followed by a failure"), "error"),
            (("expected to fail",), "pass"),
            (("has the runner of the config",), "pass"),
            (("exits by the book",), "fail"),
            (("a snapshot that is not there",), "fail"),
        ],
        ids=lambda value: value if isinstance(value, str) else value[-1].replace(" ", "-"),
    )
    def test_more_outcomes(self, lab: Lab, title: tuple[str, ...], outcome: str) -> None:
        attempt, _ = lab.run(*title, runs=1)
        assert attempt["outcome"] == outcome, attempt

    def test_what_a_test_leaves_behind_does_not_stop_the_next(self, lab: Lab) -> None:
        *attempts, _ = lab.run("leaves fake timers", runs=3)
        assert outcomes(attempts) == ["pass"] * 3

    def test_every_global_setup_has_its_teardown(self, lab: Lab, root: Path) -> None:
        lab.forget("global")
        lab.run("focused", runs=2)
        lab.run("odd ones fail", runs=50, until="pass")
        words = (root / "packages/web/test/counters/global").read_text().split()
        assert words == ["up", "down", "up", "down"]

    @pytest.mark.parametrize(("isolation", "processes"), [("worker", {1, 2}), ("process", {4})])
    def test_processes(self, lab: Lab, root: Path, isolation: str, processes: set[int]) -> None:
        lab.forget("pids")
        *attempts, _ = lab.run("tells its process", runs=4, isolation=isolation)
        assert outcomes(attempts) == ["pass"] * 4
        assert len(set((root / "packages/web/test/counters/pids").read_text().split())) in processes

    def test_browser_mode_is_refused(self, lab: Lab) -> None:
        [error] = lab.run("seen", file="packages/web/seen/a.test.ts", variant=None)
        assert (error["kind"], "browser mode" in error["message"]) == ("load_failed", True)

    def test_a_file_that_is_no_test_file(self, lab: Lab) -> None:
        [error] = lab.run("elsewhere", file="packages/web/elsewhere.ts", variant=None)
        assert error["kind"] == "no_test"

    def test_an_environment_that_knows_no_contexts_runs_in_the_configured_pool(self, root, tmp_path, start_host):
        files = {
            "package.json": "{}",
            "vite.config.mjs": "export default { test: { globals: true, environment: './plain.mjs', pool: 'threads' } };\n",
            "plain.mjs": """export default {
  name: 'plain', transformMode: 'ssr', viteEnvironment: 'ssr', setup: () => ({ teardown() {} }),
};
""",
            "a.test.js": """import fs from 'node:fs';
test('as ever', () => {
  // In a thread this is the descriptor of the events; in a fork it belongs to Node itself.
  if (!process.send) fs.writeSync(3, '{"event":"end","key":0,"outcome":"fail"}\\n{"event":');
});
""",
        }
        package = write_tree(tmp_path, files)
        (package / "node_modules").symlink_to((root / "node_modules").resolve())
        before = tree(package)
        host = start_host(package)
        for isolation in ("worker", "process"):
            *attempts, _ = host.run("vitest", "a.test.js", ["as ever"], runs=3, isolation=isolation)
            assert outcomes(attempts) == ["pass"] * 3
        assert tree(package) == before

    def test_an_environment_that_is_not_installed(self, root, tmp_path, start_host):
        files = {
            "package.json": "{}",
            "vitest.config.mjs": "export default { test: { globals: true, environment: 'nowhere' } };\n",
            "a.test.js": "test('as ever', () => {});\n",
        }
        package = write_tree(tmp_path, files)
        (package / "node_modules").symlink_to((root / "node_modules").resolve())
        [error] = start_host(package).run("vitest", "a.test.js", ["as ever"])
        assert (error["kind"], "nowhere" in error["message"]) == ("load_failed", True), error


class TestVitest(VitestContract):
    pass


def test_not_installed(tmp_path, start_host):
    (tmp_path / "package.json").write_text("{}")
    [error] = start_host(tmp_path).list("vitest", "a.test.ts")
    assert error["kind"] == "framework_missing"
