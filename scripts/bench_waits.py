"""The suites on which `make bench` measures `traf waits`: 1,000 specs of three frameworks, and files that no person writes."""

from __future__ import annotations

from pathlib import Path

FILES = 1_000
_TESTS = 12
_PLAYWRIGHT = """
test('opens step {i} of the page', async ({{ page }}) => {{
  const order = makeOrder({{ id: {i}, lines: [1, 2, {i}], total: {i} * 3 }});
  const names = order.lines.map((line) => `line ${{line}}`);
  await page.goto('/page/{i}');
  await page.waitForTimeout({t});
  const rows = page.locator('.row').filter({{ hasText: 'row {i}' }});
  await rows.first().click();
  await expect(page.locator('.total')).toHaveText('row {i}', {{ timeout: {t} }});
  const state = readState('{i}');
  expect(state.open).toBe(true);
  expect(state.names).toEqual(names);
  expect(state.order).toMatchObject({{ id: {i}, open: true, closed: false }});
  expect(summary(order)).toContain('{i}');
}});
"""
_JEST = """
test('shows entry {i}', async () => {{
  const items = makeItems({i}).map((item) => ({{ ...item, open: item.id === {i} }}));
  const onOpen = jest.fn();
  render(<List items={{items}} onOpen={{onOpen}} title="entry {i}" />);
  expect(screen.getByRole('heading')).toHaveTextContent('entry {i}');
  await waitFor(() => expect(screen.getByText('entry {i}')).toBeVisible(), {{ timeout: {t} }});
  const rows = await screen.findAllByRole('row');
  expect(rows).toHaveLength({i});
  await new Promise((resolve) => setTimeout(resolve, {t}));
  expect(onOpen).toHaveBeenCalledTimes(1);
  expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({{ id: {i} }}));
  expect(items.filter((item) => item.open)).toHaveLength(1);
  expect(total(items)).toBe({i});
}});
"""
_CYPRESS = """
  it('lists part {i}', () => {{
    const part = {{ id: {i}, name: 'Part {i}', tags: ['a', 'b', '{i}'] }};
    cy.intercept('GET', '/api/parts/{i}', {{ body: part }}).as('part{i}');
    cy.visit('/parts/{i}');
    cy.wait('@part{i}', {{ timeout: {t} }});
    cy.get('[data-cy=row-{i}]').should('have.length', {i});
    cy.wait({t});
    cy.then(() => {{
      expect(part.tags).to.have.length(3);
      expect(part.name).to.equal('Part {i}');
      expect(part).to.have.property('id', {i});
      expect(describePart(part)).to.contain('{i}');
    }});
  }});
"""
_KINDS = (
    ("e2e", ".spec.ts", "import { test, expect } from '@playwright/test';\n", _PLAYWRIGHT, ""),
    (
        "src/__tests__",
        ".test.tsx",
        "import { render, screen, waitFor } from '@testing-library/react';\nimport { List } from '../list';\n",
        _JEST,
        "",
    ),
    ("cypress/e2e", ".cy.js", "describe('parts', () => {\n", _CYPRESS, "});\n"),
)
_ONE_LINE = "test('x', async ({ page }) => { await page.waitForTimeout(100); });"


def make_suite(folder: Path) -> Path:
    """FILES specs of about 200 lines in twenty folders of each of three frameworks, with fifty waits each."""
    _project(folder)
    for number in range(FILES):
        where, ending, head, test, end = _KINDS[number % len(_KINDS)]
        body = "".join(test.format(i=i, t=100 + 10 * ((number + i) % 90)) for i in range(1, _TESTS + 1))
        path = folder / where / f"part{number % 20}" / f"page{number:04}{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head + body + end, encoding="utf-8")
    return folder


def make_odd_files(folder: Path) -> Path:
    """A file of 5 MB in one line, and one with 10,000 nested brackets."""
    _project(folder)
    head = "const { test } = require('@playwright/test');"
    (folder / "line.spec.js").write_text(head + _ONE_LINE * (5_000_000 // len(_ONE_LINE)), encoding="utf-8")
    nested = f"f({'(' * 10_000}1{')' * 10_000});\n"
    (folder / "nested.spec.js").write_text(f"{nested}it('a', async () => {{ await sleep(50); }});\n", encoding="utf-8")
    return folder


def lines_of(folder: Path) -> int:
    """The lines of all specs below a folder."""
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("page*"))


def _project(folder: Path) -> None:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    names = ("@playwright/test", "jest", "@testing-library/react", "cypress")
    dependencies = ", ".join(f'"{name}": "*"' for name in names)
    (folder / "package.json").write_text(f'{{"devDependencies": {{{dependencies}}}}}', encoding="utf-8")
