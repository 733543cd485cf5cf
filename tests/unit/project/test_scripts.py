from __future__ import annotations

from pathlib import Path

import pytest

from traf.project.frameworks import FRAMEWORKS
from traf.project.packages import Package
from traf.project.scripts import command_line, named_configs, options_file, times_in_scripts

BY_NAME = {framework.name: framework for framework in FRAMEWORKS}


def times(framework, *packages):
    read = [Package(Path(), {"scripts": scripts}) for scripts in packages]
    return times_in_scripts(BY_NAME[framework], read, Path("test/unit"))


@pytest.mark.parametrize(
    ("framework", "script", "words"),
    [
        ("mocha", "mocha", ("mocha",)),
        (
            "mocha",
            "NODE_ENV=test nyc ./node_modules/.bin/mocha -t 5s; echo",
            ("./node_modules/.bin/mocha", "-t", "5s;"),
        ),
        ("mocha", "mocha a && jest --timeout 1", ("mocha", "a")),
        ("playwright", "npx playwright test -c 'a b.ts'", ("playwright", "test", "-c", "a b.ts")),
        ("playwright", "playwright install", ()),
        ("mocha", "echo mochas", ()),
        ("mocha", "mocha 'unclosed", ()),
        ("karma", "", ()),
    ],
)
def test_command_lines(framework, script, words):
    found = command_line(BY_NAME[framework], script)
    assert tuple(word for word in found if word != ";") == tuple(word.rstrip(";") for word in words)


@pytest.mark.parametrize(
    ("framework", "script", "names"),
    [
        ("jest", "jest --config=a.json --ci", ["a.json"]),
        ("jest", "jest -c a.js", ["a.js"]),
        ("webdriverio", "wdio run ./config/wdio.local.conf.ts --spec a", ["./config/wdio.local.conf.ts"]),
        ("webdriverio", "node_modules/.bin/wdio wdio.local.js", ["wdio.local.js"]),
        ("mocha", "mocha specs --opts config/mocha.opts", ["config/mocha.opts"]),
        ("cypress", "cypress run --config-file e2e/cypress.config.ts", ["e2e/cypress.config.ts"]),
        ("karma", "karma start karma.ci.conf.js", ["karma.ci.conf.js"]),
        ("jest", "jest --config", []),
        ("jest", "cross-env CI=1 react-scripts test --config e2e/jest.config.js", ["e2e/jest.config.js"]),
        ("jest", "webpack --config webpack.config.js", []),
    ],
)
def test_named_configs(framework, script, names):
    assert list(dict.fromkeys(named_configs(BY_NAME[framework], script))) == names


@pytest.mark.parametrize(
    ("framework", "packages", "expected"),
    [
        ("mocha", [{"test": "mocha --timeout 5000"}], {"mocha.timeout": 5000}),
        ("mocha", [{"test": "mocha -t 5s test && echo"}], {"mocha.timeout": 5000}),
        ("mocha", [{"test": "mocha --timeout=0"}], {"mocha.timeout": 0}),
        # Of several, the one that runs the folder of the spec.
        (
            "mocha",
            [{"test": "mocha test/e2e --timeout 60000", "unit": "mocha test/unit --recursive --timeout 3000"}],
            {"mocha.timeout": 3000},
        ),
        ("mocha", [{"test": "mocha --recursive 'test/**/*.js' -t 7s", "e2e": "mocha e2e"}], {"mocha.timeout": 7000}),
        ("mocha", [{"test": "mocha -t 4s", "watch": "mocha --require x/y test --watch"}], {"mocha.timeout": 4000}),
        ("jest", [{"test": "jest --testTimeout=9000 -t 5"}], {"jest.testTimeout": 9000}),
        (
            "vitest",
            [{"test": "vitest run --test-timeout 9000 --hookTimeout=1"}],
            {"vitest.testTimeout": 9000, "vitest.hookTimeout": 1},
        ),
        ("playwright", [{"e2e": "playwright test --timeout=60000"}], {"playwright.timeout": 60000}),
        # `npm test` decides; else those that start it must say the same.
        ("mocha", [{"slow": "mocha -t 9000", "test": "mocha"}], {}),
        ("mocha", [{"slow": "mocha -t 9000", "test": "mocha -t 1"}], {"mocha.timeout": 1}),
        ("mocha", [{"slow": "mocha -t 9000", "fast": "mocha -t 1", "test": "npm run fast"}], {}),
        ("mocha", [{"a": "mocha -t 9000 a", "b": "mocha b -t 9000", "test": "npm run a"}], {"mocha.timeout": 9000}),
        # The nearest package that starts it.
        ("mocha", [{"build": "tsc"}, {"test": "mocha -t 3"}, {"test": "mocha -t 4"}], {"mocha.timeout": 3}),
        ("mocha", [{"test": "mocha --timeout $T"}], {}),
        ("mocha", [{"test": "mocha --timeout"}], {}),
        ("ava", [{"test": "ava --timeout=2m"}], {}),
        ("mocha", [], {}),
    ],
)
def test_times_in_scripts(framework, packages, expected):
    assert times(framework, *packages) == expected


def test_a_file_of_options():
    content = b"# slow\n--require test/a.js\n-r b\n--timeout 5000\n--ui=bdd\n-t 5s\ntest/*.js\n"
    found = options_file(content)
    assert found == {"require": ["test/a.js", "b"], "timeout": "5s", "ui": "bdd"}
    assert options_file(b"--timeout 5000")["timeout"] == 5000
