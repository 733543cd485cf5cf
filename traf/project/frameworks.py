"""The test frameworks that traf can tell apart, as data: supporting one more is one more row."""

from __future__ import annotations

from dataclasses import dataclass

_SCRIPT_ENDINGS = (".ts", ".js", ".mts", ".mjs", ".cts", ".cjs")


@dataclass(frozen=True, slots=True)
class Framework:
    """By what a framework is known.

    `modules` are globs of what a spec imports its `test` from, `configs` the names of its config files, `package_key` its
    key in package.json, `dependencies` the packages that bring it, `command` the words that start it in a script.
    `has_globals`: its `test` need not be imported. `spec_name`: a glob that its specs' paths match, where it has its own.
    `runnable`: traf has an adapter for it.
    """

    name: str
    modules: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()
    package_key: str | None = None
    dependencies: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    has_globals: bool = True
    spec_name: str | None = None
    runnable: bool = False


def _scripts(*stems: str) -> tuple[str, ...]:
    return tuple(stem + ending for stem in stems for ending in _SCRIPT_ENDINGS)


FRAMEWORKS = (
    Framework(
        "playwright",
        modules=("@playwright/test", "playwright/test", "*/playwright", "*/playwright-test", "playwright-bdd"),
        configs=_scripts("playwright.config"),
        dependencies=("@playwright/test",),
        command=("playwright", "test"),
        has_globals=False,
        runnable=True,
    ),
    Framework(
        "jest",
        modules=("@jest/globals",),
        configs=(*_scripts("jest.config"), "jest.config.json"),
        package_key="jest",
        dependencies=("jest", "jest-cli", "ts-jest", "babel-jest", "react-scripts"),
        command=("jest",),
        runnable=True,
    ),
    Framework(
        "cypress",
        modules=("cypress",),
        configs=(*_scripts("cypress.config"), "cypress.json"),
        dependencies=("cypress",),
        command=("cypress",),
        spec_name="{cypress/**,**/cypress/**,**/*.cy.*}",
    ),
    Framework(
        "playwright component testing",
        modules=("@playwright/experimental-ct-*",),
        configs=_scripts("playwright-ct.config"),
        has_globals=False,
    ),
    Framework(
        "vitest",
        modules=("vitest", "vite-plus/test"),
        configs=_scripts("vitest.config", "vitest.workspace"),
        dependencies=("vitest",),
        command=("vitest",),
    ),
    Framework(
        "mocha",
        modules=("mocha",),
        configs=tuple(".mocharc" + ending for ending in (".js", ".cjs", ".mjs", ".yaml", ".yml", ".json", ".jsonc")),
        package_key="mocha",
        dependencies=("mocha",),
        command=("mocha",),
    ),
    Framework(
        "webdriverio",
        modules=("@wdio/globals", "@wdio/mocha-framework", "@wdio/jasmine-framework"),
        configs=_scripts("wdio.conf"),
        dependencies=("@wdio/cli",),
        command=("wdio",),
    ),
    Framework("node:test", modules=("node:test",), command=("node", "--test"), has_globals=False),
    Framework("bun:test", modules=("bun:test",), command=("bun", "test")),
    Framework(
        "ava",
        modules=("ava",),
        configs=("ava.config.js", "ava.config.cjs", "ava.config.mjs"),
        package_key="ava",
        dependencies=("ava",),
        command=("ava",),
        has_globals=False,
    ),
    Framework(
        "jasmine",
        modules=("jasmine",),
        configs=("jasmine.json", "jasmine.js", "jasmine.mjs"),
        dependencies=("jasmine",),
        command=("jasmine",),
    ),
    Framework(
        "karma",
        configs=_scripts("karma.conf"),
        dependencies=("karma",),
        command=("karma",),
    ),
    Framework(
        "nightwatch",
        modules=("nightwatch",),
        configs=_scripts("nightwatch.conf"),
        dependencies=("nightwatch",),
        command=("nightwatch",),
    ),
    Framework(
        "testcafe",
        modules=("testcafe",),
        configs=(".testcaferc.json", ".testcaferc.js", ".testcaferc.cjs"),
        dependencies=("testcafe",),
        command=("testcafe",),
    ),
    Framework("qunit", modules=("qunit",), dependencies=("qunit",), command=("qunit",)),
    Framework("tap", modules=("tap", "tape"), dependencies=("tap", "tape"), command=("tap",), has_globals=False),
)
"""In the order in which they are considered where nothing else decides."""

RUNNABLE = tuple(sorted(framework.name for framework in FRAMEWORKS if framework.runnable))
"""The names of the frameworks whose tests traf can run."""
