"""The test frameworks that traf can tell apart, as data: supporting one more is one more row."""

from __future__ import annotations

from dataclasses import dataclass

_SCRIPT_ENDINGS = (".ts", ".js", ".mts", ".mjs", ".cts", ".cjs")
_DATA_ENDINGS = (".json", ".jsonc", ".yaml", ".yml")


@dataclass(frozen=True, slots=True, eq=False)
class Framework:
    """By what a framework is known.

    `modules` are globs of what a spec imports its `test` from, `configs` the names of its config files, `package_key` its
    key in package.json, `dependencies` the packages that bring it, `command` the words that start it in a script.
    `has_globals`: its `test` need not be imported. `spec_name`: a glob that its specs' paths match, where it has its own;
    `sign`: a regular expression that is found in its specs and in few of others.
    `runnable`: traf has an adapter for it.

    What else sets times: `shared_configs` are config files that hold its settings beside those of other tools, so that they
    do not show that it is used; `options` the options of its command that set a default; `base` the setting that names the
    folder which others are relative to; `setup` those that name files, or globs of files, run before each spec,
    `setup_files` what is run without being named; `hooks_in_config`: its config file is run before each spec, too.
    """

    name: str
    modules: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()
    package_key: str | None = None
    dependencies: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    has_globals: bool = True
    spec_name: str | None = None
    sign: str | None = None
    runnable: bool = False
    shared_configs: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    base: str | None = None
    setup: tuple[str, ...] = ()
    setup_files: tuple[str, ...] = ()
    hooks_in_config: bool = False


def _scripts(*stems: str, endings: tuple[str, ...] = _SCRIPT_ENDINGS) -> tuple[str, ...]:
    return tuple(stem + ending for stem in stems for ending in endings)


FRAMEWORKS = (
    Framework(
        "playwright",
        modules=("@playwright/test", "playwright/test", "*/playwright", "*/playwright-test", "playwright-bdd"),
        configs=_scripts("playwright.config"),
        dependencies=("@playwright/test",),
        command=("playwright", "test"),
        has_globals=False,
        runnable=True,
        options=(("--timeout", "playwright.timeout"),),
    ),
    Framework(
        "jest",
        modules=("@jest/globals",),
        configs=(*_scripts("jest.config"), "jest.config.json"),
        package_key="jest",
        dependencies=("jest", "jest-cli", "ts-jest", "babel-jest", "react-scripts", "jest-puppeteer", "jest-expo"),
        command=("jest",),
        runnable=True,
        options=(("--testTimeout", "jest.testTimeout"),),
        base="rootDir",
        setup=("setupFiles", "setupFilesAfterEnv"),
    ),
    Framework(
        "cypress",
        modules=("cypress", "@badeball/cypress-cucumber-preprocessor", "cypress-cucumber-preprocessor/steps"),
        configs=(*_scripts("cypress.config"), "cypress.json"),
        dependencies=("cypress",),
        command=("cypress",),
        spec_name="{cypress/**,**/cypress/**,**/*.cy.*}",
        sign=r"\bcy\.(?:get|visit|contains|intercept|wait|request|mount|task|fixture|viewport)\(",
        setup=("supportFile",),
        setup_files=("cypress/support/{e2e,component,index,commands}.*",),
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
        runnable=True,
        shared_configs=_scripts("vite.config"),
        options=(
            ("--testTimeout", "vitest.testTimeout"),
            ("--test-timeout", "vitest.testTimeout"),
            ("--hookTimeout", "vitest.hookTimeout"),
            ("--hook-timeout", "vitest.hookTimeout"),
        ),
        setup=("test.setupFiles",),
    ),
    Framework(
        "mocha",
        modules=("mocha",),
        configs=(*_scripts(".mocharc", endings=(".js", ".cjs", ".mjs", *_DATA_ENDINGS)), "test/mocha.opts"),
        package_key="mocha",
        dependencies=("mocha",),
        command=("mocha",),
        options=(("--timeout", "mocha.timeout"), ("-t", "mocha.timeout")),
        setup=("require", "file"),
    ),
    Framework(
        "webdriverio",
        modules=("@wdio/globals", "@wdio/mocha-framework", "@wdio/jasmine-framework"),
        configs=_scripts("wdio.conf"),
        dependencies=("@wdio/cli", "webdriverio"),
        command=("wdio",),
        sign=r"\bbrowser\.(?:url|pause|waitUntil|newWindow|execute)\(|\.waitFor(?:Displayed|Exist|Clickable|Enabled)\(",
        options=(
            ("--waitforTimeout", "webdriverio.waitforTimeout"),
            ("-w", "webdriverio.waitforTimeout"),
            ("--mochaOpts.timeout", "mocha.timeout"),
        ),
        hooks_in_config=True,
    ),
    Framework(
        "node:test",
        modules=("node:test",),
        command=("node", "--test"),
        has_globals=False,
    ),
    Framework(
        "bun:test",
        modules=("bun:test",),
        command=("bun", "test"),
        options=(("--timeout", "bun.timeout"),),
    ),
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
        "detox",
        modules=("detox",),
        configs=(".detoxrc.js", ".detoxrc.cjs", ".detoxrc.json", ".detoxrc", "detox.config.js", "detox.config.json"),
        package_key="detox",
        dependencies=("detox",),
        command=("detox", "test"),
        spec_name="{e2e/**,**/e2e/**,**/*.e2e.*}",
        sign=r"\bdevice\.(?:launchApp|reloadReactNative)\(|\belement\(by\.",
    ),
    Framework(
        "protractor",
        modules=("protractor",),
        configs=_scripts("protractor.conf", "protractor.config"),
        dependencies=("protractor",),
        command=("protractor",),
        spec_name="**/*.{e2e,e2e-spec,po}.*",
        sign=r"\bbrowser\.get\(|\belement(?:\.all)?\(by\.",
        hooks_in_config=True,
    ),
    Framework(
        "jasmine",
        modules=("jasmine",),
        configs=(
            *_scripts("spec/support/jasmine", endings=(".json", ".js", ".mjs", ".cjs")),
            "jasmine.json",
            "jasmine.js",
            "jasmine.mjs",
        ),
        dependencies=("jasmine",),
        command=("jasmine",),
        base="spec_dir",
        setup=("helpers", "requires"),
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
        configs=(*_scripts("nightwatch.conf"), "nightwatch.json"),
        dependencies=("nightwatch",),
        command=("nightwatch",),
        options=(("--timeout", "nightwatch.waitForConditionTimeout"),),
        setup=("globals_path",),
    ),
    Framework(
        "testcafe",
        modules=("testcafe",),
        sign=r"(?m)^\s*fixture(?:\.\w+)*\s*(?:`|\(\s*[\"'`])",
        configs=(".testcaferc.json", ".testcaferc.js", ".testcaferc.cjs"),
        dependencies=("testcafe",),
        command=("testcafe",),
        options=(
            ("--selector-timeout", "testcafe.selectorTimeout"),
            ("--assertion-timeout", "testcafe.assertionTimeout"),
            ("--test-execution-timeout", "testcafe.testExecutionTimeout"),
        ),
    ),
    Framework(
        "web-test-runner",
        modules=("@open-wc/testing", "@web/test-runner*"),
        configs=_scripts("web-test-runner.config", endings=(".mjs", ".js", ".cjs", ".ts")),
        dependencies=("@web/test-runner",),
        command=("wtr",),
    ),
    Framework(
        "ember",
        modules=("ember-qunit", "ember-mocha", "@ember/test-helpers"),
        dependencies=("ember-qunit", "ember-cli-qunit", "ember-mocha"),
        command=("ember", "test"),
        has_globals=False,
        setup_files=("tests/test-helper.*",),
    ),
    Framework("qunit", modules=("qunit",), dependencies=("qunit",), command=("qunit",)),
    Framework(
        "codeceptjs",
        modules=("codeceptjs",),
        configs=(*_scripts("codecept.conf"), "codecept.json"),
        dependencies=("codeceptjs",),
        command=("codeceptjs",),
        has_globals=False,
        setup=("include",),
    ),
    Framework(
        "cucumber",
        modules=("@cucumber/cucumber", "cucumber"),
        configs=_scripts("cucumber", endings=(".js", ".cjs", ".mjs", ".json", ".yaml", ".yml")),
        dependencies=("@cucumber/cucumber", "cucumber"),
        command=("cucumber-js",),
        has_globals=False,
        spec_name="{features/**,**/features/**}",
        setup_files=("features/support/**",),
    ),
    Framework(
        "storybook",
        modules=("@storybook/*", "storybook/test"),
        configs=_scripts(".storybook/main", endings=(".ts", ".js", ".mjs", ".cjs")),
        dependencies=(
            "storybook",
            "@storybook/react",
            "@storybook/vue3",
            "@storybook/angular",
            "@storybook/test-runner",
        ),
        command=("storybook",),
        has_globals=False,
        spec_name="**/*.stories.*",
    ),
    Framework(
        "intern",
        modules=("intern", "intern/*"),
        configs=("intern.json",),
        dependencies=("intern",),
        command=("intern",),
        has_globals=False,
    ),
    Framework("tap", modules=("tap", "tape"), dependencies=("tap", "tape"), command=("tap",), has_globals=False),
)
"""In the order in which they are considered where nothing else decides."""

RUNNABLE = tuple(sorted(framework.name for framework in FRAMEWORKS if framework.runnable))
"""The names of the frameworks whose tests traf can run."""
