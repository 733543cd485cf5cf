"""A project's own sleep is a wait, however its module exports it and the test imports it."""

from __future__ import annotations

from itertools import product

import pytest

from tests.unit.syntax.syntax_help import context, source
from traf.syntax import WaitKind, find_sites

ARROW = "const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n"
EXPORTS = [
    f"{ARROW}module.exports = {{ sleep }};\n",
    f"{ARROW}module.exports = {{ sleep: sleep }};\n",
    "exports.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n",
    "module.exports.sleep = function (ms) { return new Promise((resolve) => setTimeout(resolve, ms)); };\n",
    f"export {ARROW}",
    f"{ARROW}export {{ sleep }};\n",
    "export async function sleep(ms) { await new Promise((resolve) => setTimeout(resolve, ms)); }\n",
]
IMPORTS = [
    ("const { sleep } = require('./sleep');\n", "sleep"),
    ("const { sleep: nap } = require('./sleep');\n", "nap"),
    ("const helpers = require('./sleep');\n", "helpers.sleep"),
    ("const nap = require('./sleep').sleep;\n", "nap"),
    ("import { sleep } from './sleep';\n", "sleep"),
    ("import { sleep as nap } from './sleep';\n", "nap"),
    ("import * as helpers from './sleep';\n", "helpers.sleep"),
]


@pytest.mark.parametrize(("exports", "imports"), list(product(EXPORTS, IMPORTS)))
def test_sleep(exports: str, imports: tuple[str, str]) -> None:
    line, call = imports
    spec = source(f"{line}test('x', async () => {{\n  await {call}(150);\n}});\n", "test/a.test.js")
    sites = find_sites(spec, context("jest", {"test/sleep.js": exports}))
    (site,) = [s for s in sites if s.kind is WaitKind.FIXED_SLEEP]
    assert (site.line, site.ms, site.level) == (3, 150, 0)
