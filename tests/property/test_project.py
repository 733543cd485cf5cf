"""Whatever a project's files hold, it is found or refused in one line."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from traf.core.errors import BadInput
from traf.project import Surveyor, find_project
from traf.project.files import parse_json
from traf.project.globs import matches

KEYS = st.sampled_from(
    (
        *(
            "jest",
            "projects",
            "rootDir",
            "testMatch",
            "testRegex",
            "testTimeout",
            "setupFiles",
            "workspaces",
            "scripts",
        ),
        *("name", "dependencies", "devDependencies", "exports", "compilerOptions", "paths", "baseUrl", "extends", "x"),
        *(
            "e2e",
            "component",
            "specPattern",
            "supportFile",
            "test",
            "timeout",
            "require",
            "file",
            "helpers",
            "spec_dir",
        ),
    )
)
TEXTS = (
    st.sampled_from(["", ".", "..", "/", "<rootDir>/a", "**/*", "{a", "+(", "\0", "jest -c ../x", "./tsconfig.json"])
    | st.text()
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(package=VALUES, config=VALUES, tsconfig=VALUES)
@example(package={"jest": {"projects": [{"rootDir": "\0"}]}}, config={"rootDir": "\0", "setupFiles": "\0"}, tsconfig={})
@example(
    package={"workspaces": ["\0", "/", "**", "../**"]}, config={"testRegex": "("}, tsconfig={"compilerOptions": []}
)
def test_any_json_is_a_project_or_bad_input(package, config, tsconfig):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, value in (("package", package), ("jest.config", config), ("tsconfig", tsconfig)):
            (root / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
        (root / "a.test.ts").write_text("import { test } from 'x/y'", encoding="utf-8")
        try:
            project = find_project(root / "a.test.ts", "jest")
        except BadInput as error:
            assert "\n" not in str(error)  # noqa: PT017 - a project is as good
        else:
            assert project.root == root
            assert all(time_ms >= 0 for time_ms in project.defaults.values())


@settings(derandomize=True, deadline=None, max_examples=60)
@given(package=VALUES, config=VALUES, text=st.text() | VALUES.map(str))
@example(package={"cypress": 1}, config={"e2e": {"specPattern": "\0", "supportFile": "\0*"}}, text="require: \0")
@example(
    package={"scripts": {"test": "mocha -t '"}}, config={"helpers": ["**"], "spec_dir": "/", "file": "../*"}, text="["
)
def test_any_project_can_be_surveyed(package, config, text):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "package.json").write_text(json.dumps(package), encoding="utf-8")
        for name in ("jest.config.json", "cypress.json", ".testcaferc.json", "spec/support/jasmine.json"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(json.dumps(config), encoding="utf-8")
        for name in (".mocharc.yml", "wdio.conf.js", "vitest.config.ts", "test/mocha.opts"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8", errors="surrogatepass")
        (root / "a.test.ts").write_text("it('x', () => {})", encoding="utf-8")
        survey = Surveyor().survey(root / "a.test.ts")
        assert (survey.root, survey.file) == (root, "a.test.ts")
        assert all(time_ms >= 0 for time_ms in survey.context.defaults.values())
        assert all("\n" not in warning for warning in survey.warnings)


@settings(derandomize=True, deadline=None)
@given(VALUES)
def test_json_with_and_without_comments_reads_plain_json_alike(value):
    content = json.dumps(value).encode()
    assert parse_json(content, comments=True) == parse_json(content) == value


@settings(derandomize=True, deadline=None)
@given(pattern=st.text("ab/*?+@!(){}[],|\\.", max_size=12), path=st.text("ab/.", max_size=8))
def test_any_glob_answers(pattern, path):
    assert matches(pattern, path) in {True, False}


@settings(derandomize=True, deadline=None)
@given(st.text("abc/.-_é \n"))
def test_a_glob_without_wildcards_matches_itself_alone(path):
    assert matches(path, path)
    assert not matches(path, path + "x")
