from __future__ import annotations

import math

import pytest

from tests.unit.syntax.syntax_help import context, site_at, source
from traf.syntax import UNKNOWN, configured_times, exported_value


@pytest.mark.parametrize(
    "text",
    [
        "export default { timeout: 5000 };",
        "export default defineConfig({ timeout: 5 * 1000 });",
        "module.exports = { timeout: 5000 };",
        "const config = { timeout: 5000 };\nexport default config;",
        "const config: Config = { timeout: 5000 };\nexport default config satisfies Config;",
        "export default { timeout: 5000 } as const;",
        "const base = { timeout: 5000 };\nexport default defineConfig({ ...base });",
        "const base = { timeout: 1 };\nexport default defineConfig(base, { timeout: 5000 });",
        "import { T } from './t';\nexport default { timeout: T };",
        "import base from './base';\nexport default { ...base };",
        "const base = require('./base');\nmodule.exports = { ...base.default };",
        "export default () => ({ timeout: 5000 });",
        "export default defineConfig(() => { return { timeout: 5000 }; });",
        "module.exports = async () => { return { timeout: 5000 }; };",
        "const config = { timeout: 5000 };\nmodule.exports = config;",
        "export { config as default };\nconst config = { timeout: 5000 };",
    ],
)
def test_ways_to_export_a_configuration(text):
    files = {"t.ts": "export const T = 5000;", "base.ts": "export default { timeout: 5000 };"}
    assert exported_value(source(text, "playwright.config.ts"), context(files=files)) == {"timeout": 5000}


def test_values_keep_their_shape_and_what_is_not_known_is_marked():
    text = (
        "export default { a: ['x', 1.5, null, true], b: { c: process.env.X, d: f() }, ...g(), e: process.env.Y ?? 2 };"
    )
    assert exported_value(source(text), context()) == {
        "a": ["x", 1.5, None, True],
        "b": {"c": UNKNOWN, "d": UNKNOWN},
        "e": 2,
        UNKNOWN: UNKNOWN,
    }


@pytest.mark.parametrize("text", ["", "const a = 1;", "export default f();", "module.exports = x;"])
def test_no_configuration_is_unknown(text):
    assert exported_value(source(text), context()) is UNKNOWN


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (
            "import { configure } from '@testing-library/react';\nconfigure({ asyncUtilTimeout: 3 * 1000 });",
            {"testing-library.asyncUtilTimeout": 3000},
        ),
        (
            "const rtl = require('@testing-library/react');\nrtl.configure({ asyncUtilTimeout: 3000 });",
            {"testing-library.asyncUtilTimeout": 3000},
        ),
        ("jest.setTimeout(20_000);", {"jest.testTimeout": 20000}),
        ("configure({ testIdAttribute: 'x' });", {}),
        ("beforeEach(() => { jest.setTimeout(5); });", {}),
    ],
)
def test_times_that_a_set_up_file_sets(text, times):
    assert configured_times(source(text), context()) == times


def test_a_time_that_only_a_run_would_tell_is_not_taken_for_the_framework_s_default():
    (time,) = configured_times(source("jest.setTimeout(f());"), context()).values()
    assert math.isnan(time)


def test_a_time_that_is_spread_into_a_configuration_on_a_condition():
    text = "export default { test: { ...(process.env.CI && { testTimeout: 30000 }), retry: 3 } };\n"
    site = site_at(text, "testTimeout", file="vitest.shared.mts")
    assert (site.api, site.ms) == ("test.testTimeout", 30000)
