"""Each row of the tables: what the call is, what it waits, and what it looks like with another time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.syntax.syntax_help import PLAYWRIGHT, changed, context, edited, playwright, site_at, source
from traf import syntax
from traf.syntax import MsFrom, WaitKind, find_sites
from traf.syntax.catalogue import tables

SLEEP, POLL, TEST, CLOCK = WaitKind.FIXED_SLEEP, WaitKind.POLL_TIMEOUT, WaitKind.TEST_TIMEOUT, WaitKind.FAKE_CLOCK
UNBOUNDED = None


@pytest.mark.parametrize(
    ("line", "kind", "ms", "after"),
    [
        ("await page.waitForTimeout(500);", SLEEP, 500, "await page.waitForTimeout(9000);"),
        ("await frame.waitForTimeout(500);", SLEEP, 500, "await frame.waitForTimeout(9000);"),
        ("await expect(l).toBeVisible();", POLL, 5000, "await expect(l).toBeVisible({ timeout: 9000 });"),
        ("await expect(l).not.toBeVisible();", POLL, 5000, "await expect(l).not.toBeVisible({ timeout: 9000 });"),
        ("await expect.soft(l).toBeHidden();", POLL, 5000, "await expect.soft(l).toBeHidden({ timeout: 9000 });"),
        (
            "await expect(l, 'note').toBeEnabled();",
            POLL,
            5000,
            "await expect(l, 'note').toBeEnabled({ timeout: 9000 });",
        ),
        ("await expect(l).toHaveText('a');", POLL, 5000, "await expect(l).toHaveText('a', { timeout: 9000 });"),
        ("await expect(page).toHaveURL(/a/);", POLL, 5000, "await expect(page).toHaveURL(/a/, { timeout: 9000 });"),
        ("await expect(l).toHaveCount(3);", POLL, 5000, "await expect(l).toHaveCount(3, { timeout: 9000 });"),
        (
            "await expect(l).toHaveAttribute('a');",
            POLL,
            5000,
            "await expect(l).toHaveAttribute('a', { timeout: 9000 });",
        ),
        (
            "await expect(l).toHaveAttribute('a', b);",
            POLL,
            5000,
            "await expect(l).toHaveAttribute('a', b, { timeout: 9000 });",
        ),
        ("await expect(l).toHaveCSS('a', 'b');", POLL, 5000, "await expect(l).toHaveCSS('a', 'b', { timeout: 9000 });"),
        (
            "await expect(page).toHaveScreenshot();",
            POLL,
            5000,
            "await expect(page).toHaveScreenshot({ timeout: 9000 });",
        ),
        (
            "await expect(l).toHaveScreenshot('a.png');",
            POLL,
            5000,
            "await expect(l).toHaveScreenshot('a.png', { timeout: 9000 });",
        ),
        ("await expect(f).toPass();", POLL, UNBOUNDED, "await expect(f).toPass({ timeout: 9000 });"),
        ("await expect.poll(f).toBe(1);", POLL, 5000, "await expect.poll(f, { timeout: 9000 }).toBe(1);"),
        (
            "await expect.poll(f, { intervals: [1] }).toBe(1);",
            POLL,
            5000,
            "await expect.poll(f, { intervals: [1], timeout: 9000 }).toBe(1);",
        ),
        (
            "const slow = expect.configure({ timeout: 7000 });",
            POLL,
            7000,
            "const slow = expect.configure({ timeout: 9000 });",
        ),
        ("await page.waitForSelector('a');", POLL, UNBOUNDED, "await page.waitForSelector('a', { timeout: 9000 });"),
        ("await page.waitForFunction(f, 1);", POLL, UNBOUNDED, "await page.waitForFunction(f, 1, { timeout: 9000 });"),
        ("await page.waitForURL('/a');", POLL, UNBOUNDED, "await page.waitForURL('/a', { timeout: 9000 });"),
        ("await page.waitForNavigation();", POLL, UNBOUNDED, "await page.waitForNavigation({ timeout: 9000 });"),
        (
            "await page.waitForLoadState('networkidle');",
            POLL,
            UNBOUNDED,
            "await page.waitForLoadState('networkidle', { timeout: 9000 });",
        ),
        (
            "const r = page.waitForResponse('/a');",
            POLL,
            30000,
            "const r = page.waitForResponse('/a', { timeout: 9000 });",
        ),
        (
            "await page.waitForEvent('popup', p => p.ok());",
            POLL,
            30000,
            "await page.waitForEvent('popup', p => p.ok(), { timeout: 9000 });",
        ),
        (
            "await page.waitForEvent('popup', { timeout: 50 });",
            POLL,
            50,
            "await page.waitForEvent('popup', { timeout: 9000 });",
        ),
        ("await page.locator('a').waitFor();", POLL, UNBOUNDED, "await page.locator('a').waitFor({ timeout: 9000 });"),
        (
            "await l.waitFor({ state: 'hidden' });",
            POLL,
            UNBOUNDED,
            "await l.waitFor({ state: 'hidden', timeout: 9000 });",
        ),
        ("await page.goto('/');", POLL, UNBOUNDED, "await page.goto('/', { timeout: 9000 });"),
        ("await page.reload();", POLL, UNBOUNDED, "await page.reload({ timeout: 9000 });"),
        ("await page.click('a');", POLL, UNBOUNDED, "await page.click('a', { timeout: 9000 });"),
        ("await page.fill('a', 'b');", POLL, UNBOUNDED, "await page.fill('a', 'b', { timeout: 9000 });"),
        ("await page.getByRole('x').click();", POLL, UNBOUNDED, "await page.getByRole('x').click({ timeout: 9000 });"),
        ("await l.click({ force: true });", POLL, UNBOUNDED, "await l.click({ force: true, timeout: 9000 });"),
        (
            "await l.selectOption({ label: 'a' });",
            POLL,
            UNBOUNDED,
            "await l.selectOption({ label: 'a' }, { timeout: 9000 });",
        ),
        ("const t = await l.textContent();", POLL, UNBOUNDED, "const t = await l.textContent({ timeout: 9000 });"),
        (
            "const t = await l.getAttribute('a');",
            POLL,
            UNBOUNDED,
            "const t = await l.getAttribute('a', { timeout: 9000 });",
        ),
        (
            "const t = await page.textContent('a');",
            POLL,
            UNBOUNDED,
            "const t = await page.textContent('a', { timeout: 9000 });",
        ),
        (
            "const t = await page.getAttribute('a', 'b');",
            POLL,
            UNBOUNDED,
            "const t = await page.getAttribute('a', 'b', { timeout: 9000 });",
        ),
        ("await request.get('/a');", POLL, 30000, "await request.get('/a', { timeout: 9000 });"),
        ("page.setDefaultTimeout(700);", POLL, 700, "page.setDefaultTimeout(9000);"),
        ("test.setTimeout(60_000);", TEST, 60000, "test.setTimeout(9_000);"),
        ("test.info().setTimeout(60000);", TEST, 60000, "test.info().setTimeout(9000);"),
        ("test.describe.configure({ timeout: 60000 });", TEST, 60000, "test.describe.configure({ timeout: 9000 });"),
        ("await test.step('a', f, { timeout: 10 });", TEST, 10, "await test.step('a', f, { timeout: 9000 });"),
        ("await page.clock.fastForward(2000);", CLOCK, 2000, "await page.clock.fastForward(9000);"),
        ("await page.clock.runFor('01:02:03');", CLOCK, 3723000, "await page.clock.runFor('00:00:09');"),
    ],
)
def test_playwright(line, kind, ms, after):
    text = playwright(line)
    site = site_at(text, line)
    assert (site.kind, site.ms, site.framework) == (kind, ms, "playwright-test")
    assert changed(text, edited(text, line, 9000)) == [after]


@pytest.mark.parametrize(
    ("line", "kind", "ms", "after"),
    [
        ("await waitFor(f);", POLL, 1000, "await waitFor(f, { timeout: 9000 });"),
        ("await waitFor(f, { timeout: 50 });", POLL, 50, "await waitFor(f, { timeout: 9000 });"),
        ("await waitForElementToBeRemoved(f);", POLL, 1000, "await waitForElementToBeRemoved(f, { timeout: 9000 });"),
        ("await screen.findByText('a');", POLL, 1000, "await screen.findByText('a', {}, { timeout: 9000 });"),
        (
            "await screen.findAllByRole('a', { name: 'b' });",
            POLL,
            1000,
            "await screen.findAllByRole('a', { name: 'b' }, { timeout: 9000 });",
        ),
        ("await within(a).findByText('a');", POLL, 1000, "await within(a).findByText('a', {}, { timeout: 9000 });"),
        ("await findByText('a');", POLL, 1000, "await findByText('a', {}, { timeout: 9000 });"),
        ("await findByLabelText(box, 'a');", POLL, 1000, "await findByLabelText(box, 'a', {}, { timeout: 9000 });"),
        (
            "await screen.findByText('a', {}, { timeout: 3000 });",
            POLL,
            3000,
            "await screen.findByText('a', {}, { timeout: 9000 });",
        ),
        ("await waitForElement(f);", POLL, 4500, "await waitForElement(f, { timeout: 9000 });"),
        ("await wait(f);", POLL, 4500, "await wait(f, { timeout: 9000 });"),
        ("await wait();", POLL, 4500, "await wait(undefined, { timeout: 9000 });"),
        ("await waitForDomChange();", POLL, 4500, "await waitForDomChange({ timeout: 9000 });"),
        ("await result.waitForNextUpdate();", POLL, 1000, "await result.waitForNextUpdate({ timeout: 9000 });"),
        ("configure({ asyncUtilTimeout: 2000 });", POLL, 2000, "configure({ asyncUtilTimeout: 9000 });"),
        ("jest.advanceTimersByTime(500);", CLOCK, 500, "jest.advanceTimersByTime(9000);"),
        ("await jest.advanceTimersByTimeAsync(500);", CLOCK, 500, "await jest.advanceTimersByTimeAsync(9000);"),
        ("await new Promise((r) => setTimeout(r, 100));", SLEEP, 100, "await new Promise((r) => setTimeout(r, 9000));"),
        (
            "await new Promise(r => window.setTimeout(r, 100));",
            SLEEP,
            100,
            "await new Promise(r => window.setTimeout(r, 9000));",
        ),
        (
            "await new Promise(r => setTimeout(() => r(1), 100));",
            SLEEP,
            100,
            "await new Promise(r => setTimeout(() => r(1), 9000));",
        ),
        (
            "await new Promise(function (r) { setTimeout(r, 9); });",
            SLEEP,
            9,
            "await new Promise(function (r) { setTimeout(r, 9000); });",
        ),
        (
            "await new Promise((_, no) => setTimeout(no, 100));",
            POLL,
            100,
            "await new Promise((_, no) => setTimeout(no, 9000));",
        ),
        ("await new Promise(r => setTimeout(r));", SLEEP, 0, "await new Promise(r => setTimeout(r, 9000));"),
        ("await snooze(100);", SLEEP, 100, "await snooze(9000);"),
        ("await pause(100);", SLEEP, 100, "await pause(9000);"),
        ("await utils.sleep(100);", SLEEP, 100, "await utils.sleep(9000);"),
        ("await timer(100);", SLEEP, 100, "await timer(9000);"),
        ("await timers.setTimeout(100);", SLEEP, 100, "await timers.setTimeout(9000);"),
        ("await scheduler.wait(100);", SLEEP, 100, "await scheduler.wait(9000);"),
        ("await promised(100);", SLEEP, 100, "await promised(9000);"),
        ("await delayed(100);", SLEEP, 100, "await delayed(9000);"),
        ("await waait();", SLEEP, 0, "await waait(9000);"),
        (
            "await fetch(u, { signal: AbortSignal.timeout(100) });",
            POLL,
            100,
            "await fetch(u, { signal: AbortSignal.timeout(9000) });",
        ),
    ],
)
def test_jest_testing_library_and_timers(line, kind, ms, after):
    text = f"""import {{ render, screen, wait, waitFor, waitForElement, within }} from '@testing-library/react';
import {{ waitForElementToBeRemoved }} from '@testing-library/react';
import {{ configure, waitForDomChange, findByLabelText }} from '@testing-library/dom';
import {{ pause, snooze }} from './helpers';
import * as utils from './utils';
import {{ setTimeout as timer }} from 'node:timers/promises';
import timers, {{ scheduler }} from 'timers/promises';
import delayed from 'delay';
import waait from 'waait';
const promised = require('util').promisify(setTimeout);

test('x', async () => {{
  const {{ findByText }} = render(<A />);
  {line}
}});
"""
    site = site_at(text, line, context("jest"), "a.test.tsx")
    assert (site.kind, site.ms) == (kind, ms)
    assert changed(text, edited(text, line, 9000, context("jest"), "a.test.tsx")) == [after]


@pytest.mark.parametrize(
    "head",
    [
        "test('a', async () => {",
        "it('a', async () => {",
        "fit('a', async () => {",
        "it.only('a', async () => {",
        "test.skip('a', async () => {",
        "test.concurrent('a', async () => {",
        "test.failing('a', async () => {",
        "test.each([1, 2])('a %i', async (n) => {",
        "test.only.each([1, 2])('a %i', async (n) => {",
        "beforeEach(async () => {",
        "afterAll(async () => {",
        "const check = it; check('a', async () => {",
    ],
)
def test_jest_blocks_take_a_limit_as_last_argument(head):
    text = f"{head}\n  await f();\n}});\n"
    site = site_at(text, head, context("jest"), "a.test.js")
    assert (site.kind, site.ms, site.ms_from, site.level) == (TEST, 5000, MsFrom.DEFAULT, 1)
    assert edited(text, head, 9000, context("jest"), "a.test.js") == f"{head}\n  await f();\n}}, 9000);\n"
    assert edited(text.replace("});", "}, 7_000);"), head, 9000, context("jest"), "a.test.js").endswith("}, 9_000);\n")


@pytest.mark.parametrize(
    "line",
    [
        "expect(value).toBe(5000);",
        "expect(await l.count()).toEqual(3);",
        "await page.keyboard.press('Enter');",
        "await page.mouse.click(1, 2);",
        "const row = page.locator('tr').nth(300);",
        "new Array(3).fill(0);",
        "const a = [1, 2].fill(500);",
        "await page.evaluate(() => setTimeout(save, 500));",
        "setTimeout(save, 500);",
        "routes.clear();",
        "const numbers = list.fill(0);",
        "// await page.waitForTimeout(500);",
        "log('page.waitForTimeout(500)');",
        "log(`page.waitForTimeout(500)`);",
        "await l.isVisible();",
        "test.skip(({ browserName }) => browserName === 'x', 'later');",
    ],
)
def test_what_is_no_wait_in_playwright(line):
    assert inner_sites(playwright(line), context("playwright")) == []


def inner_sites(text, ctx):
    """The waits of a file without the tests around them."""
    blocks = {block.start for block in syntax.test_blocks(source(text))}
    return [site for site in find_sites(source(text), ctx) if site.start not in blocks]


def test_the_call_of_an_own_helper_of_a_known_name_is_not_the_library():
    text = "function waitFor(f) { f(); }\ntest('x', () => {\n  waitFor(go);\n});\n"
    assert [site.api for site in find_sites(source(text), context("jest"))] == ["test"]


def test_a_foreign_test_function_is_not_jests():
    text = "import { test } from 'node:test';\ntest('x', async () => {\n  await f();\n});\n"
    assert [site.framework for site in find_sites(source(text), context())] == ["node:test"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("if (await dialog.isVisible({ timeout: 5000 })) f();", "ignore their timeout"),
        ("test.slow();", "takes no time"),
        ("setInterval(() => f(), 50);", "how often"),
        ("await page.waitForSelector(...args);", "spread arguments"),
    ],
)
def test_calls_whose_time_cannot_be_edited_say_why(line, reason):
    site = site_at(playwright(line), line)
    assert not site.editable
    assert reason in (site.reason or "")


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import { test as base, expect } from '@playwright/test';\nconst it = base.extend({});", "it"),
        ("import { test } from './fixtures';\nimport { expect } from '@playwright/test';", "test"),
        ("const { test: check, expect } = require('@playwright/test');", "check"),
        ("import * as pw from '@playwright/test';\nconst { test, expect } = pw;", "test"),
    ],
)
def test_aliases_of_playwright(imports, call):
    text = (
        f"{imports}\n{call}('x', async ({{ page }}) => {{\n  {call}.setTimeout(5000);\n"
        f"  await expect(page.locator('a')).toBeVisible();\n}});\n"
    )
    files = {"fixtures.ts": "import { test as base } from '@playwright/test';\nexport const test = base.extend({});\n"}
    found = inner_sites(text, context(files=files))
    assert [(site.api, site.ms) for site in found] == [(f"{call}.setTimeout", 5000), ("expect().toBeVisible", 5000)]


@pytest.mark.parametrize(
    "lines",
    [
        ["const tab = await context.newPage();", "await tab.click('#a');"],
        ["await adminPage.click('#a');"],
        ["await this.page.click('#a');"],
    ],
)
def test_pages_under_other_names_take_the_selector_first(lines):
    text = playwright(*lines)
    assert "click('#a', { timeout: 5 })" in edited(text, lines[-1], 5)


def test_a_parameter_of_type_page_is_a_page():
    text = f"{PLAYWRIGHT}async function f(p: Page) {{\n  await p.click('#a');\n}}\n"
    assert "p.click('#a', { timeout: 5 })" in edited(text, "p.click", 5)


def test_the_projects_defaults_come_before_the_frameworks():
    text = playwright("await l.click();", "await expect(l).toBeVisible();", "await page.goto('/');")
    ctx = context("playwright", playwright__expect__timeout=7000, playwright__use__actionTimeout=9000)
    found = inner_sites(text, ctx)
    assert [(site.ms, site.ms_from) for site in found] == [
        (9000, MsFrom.CONFIGURED),
        (7000, MsFrom.CONFIGURED),
        (None, MsFrom.UNBOUNDED),
    ]


@pytest.mark.parametrize(
    ("file", "text", "line", "ms", "after"),
    [
        (
            "playwright.config.ts",
            "export default defineConfig({\n  expect: { timeout: 7000 },\n});\n",
            "expect",
            7000,
            "expect: { timeout: 9000 },",
        ),
        (
            "playwright.config.ts",
            "const config = {\n  timeout: 60 * 1000,\n};\nexport default config;\n",
            "timeout",
            60000,
            "timeout: 9 * 1000,",
        ),
        (
            "jest.config.cjs",
            "module.exports = {\n  testTimeout: 10_000,\n};\n",
            "testTimeout",
            10000,
            "testTimeout: 9_000,",
        ),
    ],
)
def test_times_of_configuration_files(file, text, line, ms, after):
    site = site_at(text, line, file=file)
    assert site.ms == ms
    assert any("shared" in warning for warning in site.warnings)
    assert changed(text, edited(text, line, 9000, file=file)) == [after]


def test_written_only_leaves_out_defaults():
    text = playwright("await page.goto('/');", "await l.click({ timeout: 5 });", "await page.waitForTimeout(7);")
    found = find_sites(source(text), context("playwright"), written_only=True)
    assert [(site.ms, site.time_line) for site in found] == [(5, 5), (7, 6)]


def test_the_tables_load_and_their_times_are_slots():
    assert {table.framework for table in tables()} >= {"playwright-test", "jest", "testing-library", "generic"}
    assert all(row.time or row.refuse for table in tables() for row in table.rows)


def in_project(text, *packages, framework="vitest", file="a.test.ts", files=None):
    ctx = replace(context(framework, files), dependencies=frozenset(packages))
    return {site.api: site for site in find_sites(source(text, file), ctx)}


def test_a_page_that_a_helper_of_the_project_gives_is_that_of_the_library_it_depends_on():
    text = (
        "import { test } from 'vitest';\nimport { open } from './open';\ntest('x', async () => {\n"
        "  const { page } = await open('/');\n  await page.click('a');\n  await cell(1).focus();\n  await user.click(b);\n});\n"
    )
    sites = in_project(text, "vitest", "playwright")
    assert (sites["page.click"].framework, sites["page.click"].ms) == ("playwright", 30000)
    assert set(sites) == {"test", "page.click"}
    assert set(in_project(text, "vitest")) == {"test"}


def test_a_library_that_is_imported_under_the_name_of_its_test_runner():
    text = "import { chromium } from '@playwright/test';\nit('x', async () => {\n  await page.click('a');\n});\n"
    sites = in_project(text, "vitest", "@playwright/test")
    assert (sites["page.click"].framework, sites["page.click"].ms) == ("playwright", 30000)
    assert sites["it"].framework == "vitest"


def test_a_method_of_a_page_object_that_is_called_like_one_of_a_page():
    sites = in_project(
        playwright("await settingsPage.goto();", "await page.goto('/');"), "@playwright/test", framework="playwright"
    )
    assert set(sites) == {"test", "page.goto"}
