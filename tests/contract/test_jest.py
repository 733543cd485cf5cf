"""The Jest adapter against the real Jest."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.contract.client import outcomes
from tests.contract.conftest import tree, write_tree

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("lab-jest")]

SPEC = "packages/web/test/hazards.test.js"
HOSTILE = 'it\'s "q" `b` $1 $& [a-z]* (x|y)? \\d 😀\nline'
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
    "packages/web/test/support.js": """
const fs = require('fs');
const path = require('path');
let loads = 0;
exports.load = () => ++loads;
/** Counts across processes, by a file. */
exports.next = (name) => {
  const file = path.join(__dirname, '../counters', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, '.');
  return fs.statSync(file).size;
};
""",
    "packages/web/test/broken.test.js": "test('x', () => {;\n",
    "packages/web/test/twice.test.js": "test('same', () => {});\ntest('same', () => {});\n",
    SPEC: """const fs = require('fs');
const { load, next } = require('./support');

jest.retryTimes(3);
test.only('focused', () => {});
test('odd ones fail', () => {
  globalThis.loads = (globalThis.loads ?? 0) + load();
  expect([globalThis.loads, globalThis.setUp, process.env.TRAF_JEST]).toEqual([1, true, undefined]);
  expect(next('odd') % 2).toBe(0);
});
describe('outer', () => {
  jest.retryTimes(2);
  test.each([1, 2])('same %i', () => {});
  it(HOSTILE, () => {
    console.log('x'.repeat(5_000_000));
    fs.writeSync(3, '{"event":"end","key":0,"outcome":"fail"}\\n{"event":');
  });
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
""".replace("HOSTILE", "'" + HOSTILE.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory, modules) -> Path:
    root = write_tree(tmp_path_factory.mktemp("jest"), PACKAGE)
    (root / "node_modules").symlink_to(modules("jest-notices"))
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
    return (root / "packages/web/counters" / name).stat().st_size


def test_lists_every_test_of_the_file_in_each_project(host):
    *tests, done = host.list("jest", SPEC)
    assert done["event"] == "done"
    assert {test["variant"] for test in tests} == {"dom", "node"}
    first = [test for test in tests if test["variant"] == "dom"]
    assert [(test["title"], test["line"]) for test in first][:5] == [
        (["focused"], 5),
        (["odd ones fail"], 6),
        (["outer", "same 1"], 13),
        (["outer", "same 2"], 13),
        (["outer", HOSTILE], 14),
    ]
    assert first[1]["column"] == 1


def test_attempts_are_single_fresh_executions(host, root):
    *attempts, done = host.run("jest", SPEC, ["odd ones fail"], runs=4)
    assert outcomes(attempts) == ["fail", "pass", "fail", "pass"]
    assert [attempt["index"] for attempt in attempts] == [0, 1, 2, 3]
    assert done["executed"] == 4
    assert counted(root, "odd") == 4
    error = attempts[0]["error"]
    assert "\x1b" not in error["message"]
    frame = error["frames"][0]
    assert (frame["file"], frame["line"], frame["column"]) == (SPEC, 9, 27)
    assert attempts[1]["error"] is None


def test_a_hostile_title_selects_one_test_and_its_output_harms_nothing(host):
    *attempts, done = host.run("jest", SPEC, ["outer", HOSTILE], variant="node", runs=5, until="pass")
    assert outcomes(attempts) == ["pass"]
    assert done["executed"] == 1


@pytest.mark.parametrize(
    ("title", "outcome", "line"),
    [
        (["hooks", "broken by its hook"], "error", 23),
        (["afterwards", "followed by a failure"], "error", 27),
        (["too slow"], "timeout", 30),
        (["left out"], "skip", None),
    ],
)
def test_outcome(host, title, outcome, line):
    attempt, _ = host.run("jest", SPEC, title, variant="node", runs=1)
    assert attempt["outcome"] == outcome
    if line is None:
        assert attempt["error"] is None
    else:
        frame = attempt["error"]["frames"][0]
        assert (frame["file"], frame["line"]) == (SPEC, line)


def test_a_crash_is_one_attempt(host):
    *attempts, done = host.run("jest", SPEC, ["exits"], variant="node", runs=3)
    assert outcomes(attempts) == ["crash", "pass", "crash"]
    assert done["executed"] == 3
    *attempts, done = host.run("jest", SPEC, ["aborts"], variant="node", runs=2, until="failure")
    assert outcomes(attempts) == ["crash"]


def test_a_hang_is_ended_and_the_rest_goes_on(host):
    *attempts, done = host.run("jest", SPEC, ["hangs"], variant="node", runs=3, attempt_limit_ms=2500)
    assert outcomes(attempts) == ["pass", "timeout", "pass"]
    assert done["executed"] == 3


def test_two_jobs(host):
    *attempts, _ = host.run("jest", SPEC, ["outer", "same 2"], variant="dom", runs=4, jobs=2)
    assert outcomes(attempts) == ["pass"] * 4
    *attempts, _ = host.run("jest", SPEC, ["exits"], variant="node", runs=1, jobs=2)
    assert outcomes(attempts) in (["pass"], ["crash"])


def test_a_file_that_does_not_load(host):
    [error] = host.list("jest", "packages/web/test/broken.test.js")
    assert error["kind"] == "load_failed"
    assert "broken.test.js" in error["message"]


def test_a_title_that_selects_nothing_or_too_much(host):
    [error] = host.run("jest", "packages/web/test/twice.test.js", ["nowhere"], variant="node")
    assert error["kind"] == "no_test"
    [error] = host.run("jest", "packages/web/test/twice.test.js", ["same"], variant="node")
    assert error["kind"] == "no_test"
    [error] = host.run("jest", "packages/web/test/support.js", ["same"], variant="node")
    assert error["kind"] == "no_test"


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
