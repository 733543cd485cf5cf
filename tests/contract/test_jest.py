"""The Jest adapter against the real Jest."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.contract.client import outcomes
from tests.contract.conftest import write_tree
from tests.contract.suite import HOSTILE_JS, SUPPORT, Contract, Lab

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("lab-jest")]

SPEC = "packages/web/test/hazards.test.js"
TWICE = "packages/web/test/twice.test.js"
BROKEN = "packages/web/test/broken.test.js"
PACKAGE = {
    "package.json": '{"name": "root", "private": true}',
    "packages/web/package.json": '{"name": "web"}',
    "packages/web/jest.config.js": """
module.exports = {
  bail: 1,
  projects: [
    { displayName: 'dom', testEnvironment: 'jsdom', setupFilesAfterEnv: ['<rootDir>/test/setup.js'] },
    { displayName: 'node', testEnvironment: 'node', setupFilesAfterEnv: ['<rootDir>/test/setup.js'] },
  ],
};
""",
    "packages/web/test/setup.js": "globalThis.setUp = true;\n",
    "packages/web/test/support.js": SUPPORT,
    BROKEN: "test('x', () => {;\n",
    TWICE: "test('same', () => {});\ntest('same', () => {});\n",
    SPEC: """const fs = require('fs');
const { load, next } = require('./support');

jest.retryTimes(3);
test.only('focused', () => {});
test('odd ones fail', () => {
  expect(globalThis.setUp).toBe(true);
  expect(Object.keys(process.env).filter((name) => name.startsWith('TRAF_JEST'))).toEqual([]);
  expect(next('odd') % 2).toBe(0);
});
test('keeps state', () => {
  globalThis.loads = (globalThis.loads ?? 0) + load();
  expect(globalThis.loads).toBe(1);
});
describe('outer', () => {
  jest.retryTimes(2);
  test('retried', () => {});
  test.each([1, 2])('same %i', () => {});
  it(HOSTILE, () => {
    console.log('x'.repeat(5_000_000));
    fs.writeSync(3, '{"event":"end","key":0,"outcome":"fail"}\\n{"event":');
  });
});
test('retried in code', () => {
  expect(next('retried') % 2).toBe(0);
});
describe('inner', () => {
  test('same 1', () => { throw new Error('the wrong one'); });
});
describe('hooks', () => {
  beforeEach(() => { throw new Error('hook'); });
  test('broken by its hook', () => {});
});
describe('afterwards', () => {
  afterAll(() => { throw new Error('hook'); });
  test('followed by a failure', () => {});
});
test('too slow', () => new Promise(() => {}), 100);
test.skip('left out', () => {});
test.todo('to be written');
test('exits', () => {
  if (next('exits') % 2 === 1) process.exit(7);
});
test('aborts', () => { process.abort(); });
test('hangs', () => {
  if (next('hangs') === 2) for (;;);
});
""".replace("HOSTILE", HOSTILE_JS),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory, modules) -> Path:
    root = write_tree(tmp_path_factory.mktemp("jest"), PACKAGE)
    (root / "node_modules").symlink_to(modules("jest-notices"))
    return root


@pytest.fixture(scope="module")
def host(root, start_host):
    return start_host(root / "packages/web", root)


@pytest.fixture(scope="module")
def lab(root, host) -> Lab:
    lines = {"focused": 5, "odd ones fail": 6, "same 2": 18, "left out": 39}
    return Lab("jest", host, root, SPEC, TWICE, BROKEN, lines, variant="node", without={"rejects"})


class TestJest(Contract):
    def test_each_project_is_a_variant(self, lab: Lab) -> None:
        *tests, _ = lab.list()
        assert {test["variant"] for test in tests} == {"dom", "node"}
        assert outcomes(lab.run("odd ones fail", variant="dom", runs=1)) != ["skip"]

    def test_a_hook_after_the_test_and_an_abort(self, lab: Lab) -> None:
        [attempt, _] = lab.run("afterwards", "followed by a failure", runs=1)
        assert attempt["outcome"] == "error"
        [attempt, _] = lab.run("aborts", runs=2, until="failure")
        assert attempt["outcome"] == "crash"


def test_a_start_that_takes_too_long(host):
    [error] = host.run("jest", SPEC, ["exits"], variant="node", start_limit_ms=1)
    assert error["kind"] == "start_timeout"


def test_not_installed(tmp_path, start_host):
    (tmp_path / "package.json").write_text("{}")
    [error] = start_host(tmp_path).list("jest", "a.test.js")
    assert error["kind"] == "framework_missing"


def test_the_end_of_input_ends_a_running_batch(root, start_host):
    host = start_host(root / "packages/web", root)
    limits = {"start_limit_ms": 60_000, "attempt_limit_ms": 60_000}
    host.send(op="run", framework="jest", file=SPEC, title=["too slow"], variant="node", runs=500, jobs=1, **limits)
    assert host.receive()["event"] == "attempt"
    began = time.monotonic()
    host.close()
    assert host.process.returncode == 0
    assert time.monotonic() - began < 30


def test_es_modules(tmp_path, modules, start_host):
    files = {
        "package.json": '{"type": "module", "scripts": {"test": "NODE_OPTIONS=--experimental-vm-modules jest"},'
        ' "jest": {"transform": {}}}',
        "support.js": "let loads = 0;\nexport const load = () => ++loads;\n",
        "a.test.js": """import { load } from './support.js';
await Promise.resolve();
test('fresh', () => {
  expect(load()).toBe(1);
  expect(import.meta.url).toContain('a.test.js');
});
""",
    }
    root = write_tree(tmp_path, files)
    (root / "node_modules").symlink_to(modules("jest-notices"))
    *attempts, _ = start_host(root).run("jest", "a.test.js", ["fresh"], runs=2)
    assert outcomes(attempts) == ["pass", "pass"]
