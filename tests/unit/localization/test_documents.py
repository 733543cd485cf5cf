"""Which files and lines are looked at."""

from __future__ import annotations

import pytest

from tests.unit.localization.conftest import CONTEXT, spec_of
from traf.localization.documents import documents_of, read_test_files, spots_of
from traf.localization.files import WorkTree
from traf.syntax import parse

SLEEP = "export const wait = (page) => page.waitForTimeout(500);\n"
TESTS = "test('x', async ({ page }) => { await page.waitForTimeout(500); });\n"


@pytest.fixture
def tree(tmp_path):
    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path

    return write


def files_for(root, spec):
    return [source.file for source in read_test_files(WorkTree(root), parse(spec, (root / spec).read_bytes()))]


def test_names_that_say_test(tree):
    names = [
        "a.spec.ts",
        "a.test.jsx",
        "a.cy.js",
        "a.e2e.mts",
        "a-test.cjs",
        "a_test.mjs",
        "A_SPEC.JS",
        "a.spec.helper.tsx",
    ]
    root = tree({f"e2e/{name}": SLEEP for name in [*names, "helper.ts", "a.spec.txt", "spec.ts"]})
    assert files_for(root, "e2e/a.spec.ts")[0] == "e2e/a.spec.ts"
    assert sorted(files_for(root, "e2e/a.spec.ts")) == sorted(f"e2e/{name}" for name in names)


def test_the_spec_s_own_ending(tree):
    root = tree({"it/a.integration.ts": SLEEP, "it/b.integration.ts": SLEEP, "it/c.ts": SLEEP, "it/d.page.ts": SLEEP})
    assert files_for(root, "it/a.integration.ts") == ["it/a.integration.ts", "it/b.integration.ts"]
    assert sorted(files_for(root, "it/c.ts")) == sorted(
        f"it/{name}.ts" for name in ("a.integration", "b.integration", "c", "d.page")
    )


def test_files_with_tests_in_them(tree):
    root = tree(
        {"t/login.js": TESTS, "t/upload.js": TESTS, "t/helper.js": SLEEP, "t/latest.js": "// test('x') tells\n"}
    )
    assert files_for(root, "t/login.js") == ["t/login.js", "t/upload.js"]


def test_everything_in_a_tests_folder(tree):
    root = tree({"src/__tests__/a.js": SLEEP, "src/__tests__/b.js": SLEEP})
    assert files_for(root, "src/__tests__/a.js") == ["src/__tests__/a.js", "src/__tests__/b.js"]


def test_not_the_folders_below_or_above(tree):
    root = tree({"e2e/a.spec.ts": SLEEP, "e2e/deep/b.spec.ts": SLEEP, "c.spec.ts": SLEEP})
    assert files_for(root, "e2e/a.spec.ts") == ["e2e/a.spec.ts"]
    assert files_for(root, "c.spec.ts") == ["c.spec.ts"]


def test_files_that_cannot_be_read_are_skipped(tree):
    root = tree(
        {
            "a.spec.ts": SLEEP,
            "binary.spec.ts": b"\0\1\2",
            "latin.spec.ts": b"caf\xe9",
            "large.spec.ts": b"//" + b"x" * 10_000_000,
            "folder.spec.ts/x": "",
        }
    )
    (root / "broken.spec.ts").symlink_to("nowhere")
    assert files_for(root, "a.spec.ts") == ["a.spec.ts"]


def test_documents_are_the_lines_with_written_times():
    source = parse(
        "a.spec.ts",
        spec_of(
            "await page.waitForTimeout(500);",
            "await expect(page.locator('#a')).toBeVisible();",
            "await expect(page.locator('#b')).toBeVisible({",
            "  timeout: 2 * 1000,",
            "});",
            "test.setTimeout(60_000);",
            "await page.waitForTimeout(100); await page.waitForTimeout(200); await page.waitForTimeout(100);",
            "await page.waitForTimeout(Number(process.env.WAIT));",
            "await page.clock.fastForward(9000);",
            "await page.keyboard.type('hello', { delay: 50 });",
        ).encode(),
    )
    found = [(d.source.line, d.times_ms, d.text.strip()) for d in documents_of(source, spots_of(source, CONTEXT))]
    assert found == [
        (4, (500,), "await page.waitForTimeout(500);"),
        (7, (2000,), "timeout: 2 * 1000,"),
        (9, (60000,), "test.setTimeout(60_000);"),
        (
            10,
            (100, 200),
            "await page.waitForTimeout(100); await page.waitForTimeout(200); await page.waitForTimeout(100);",
        ),
    ]


def test_carriage_returns_are_no_text():
    source = parse("a.spec.ts", spec_of("await page.waitForTimeout(500);").replace("\n", "\r\n").encode())
    assert [d.text for d in documents_of(source, spots_of(source, CONTEXT))] == ["  await page.waitForTimeout(500);"]


def test_a_constant_s_time_stands_where_it_is_defined_and_where_it_is_used():
    source = parse("a.spec.ts", spec_of("const LONG = 5000;", "await page.waitForTimeout(LONG);").encode())
    assert [(d.source.line, d.times_ms) for d in documents_of(source, spots_of(source, CONTEXT))] == [
        (4, (5000,)),
        (5, (5000,)),
    ]
