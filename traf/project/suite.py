"""The test files below a folder, as `traf waits DIR` reads them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIXES = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")
_NEVER = frozenset({"node_modules", "bower_components", "dist", "build", "out", "coverage", "vendor", "__snapshots__"})
_NAMES = re.compile(
    r"(?:^|[._-])(?:spec|specs|test|tests|cy|e2e|it|stories|unit)(?=[._-]|$)|(?:Spec|Test|Tests|E2E|IT)\.", re.ASCII
)
_FOLDERS = re.compile(
    r"^_*(?:spec|specs|test|tests|e2e|e2e-?tests?|cypress|playwright|integration|acceptance|features|step_definitions|stories"
    r"|wdio|webdriver|puppeteer|selenium|testcafe|nightwatch|detox|qa|uitests?|ui-tests?|functional|__tests?__)_*$",
    re.IGNORECASE,
)
_GENERATED = re.compile(r"\.(?:d|min|bundle|umd)\.[cm]?[jt]s$|\.d\.[cm]ts$")
_HOLDS_TESTS = re.compile(rb"\b(?:it|test|specify|describe|suite|Scenario|fixture|Given|When|Then)\s*[.(`]")
_LARGEST = 200_000


def suite_files(folder: Path) -> Iterator[Path]:
    """The test files below a folder, and what stands beside them in folders of tests, in the order of their paths.

    A file counts by its name (`.spec.`, `_test.`, `Test.`, ...), by a folder of tests around it (`e2e`, `__tests__`, ...; the
    given folder and those above it count too), or by holding tests. Installed, built and hidden folders are not entered, links
    are not followed, generated files are left out.
    """
    among_tests = any(_FOLDERS.match(part) for part in folder.absolute().parts[-4:])
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _NEVER)
        inside = among_tests or any(_FOLDERS.match(part) for part in Path(here).relative_to(folder).parts)
        for name in sorted(files):
            path = Path(here) / name
            source = (
                name.endswith(_SUFFIXES) and not _GENERATED.search(name) and path.is_file() and not path.is_symlink()
            )
            if source and (inside or _NAMES.search(name) or _holds_tests(path)):
                yield path


def is_suite_name(path: str) -> bool:
    """Whether a file counts as part of the suite by its path alone."""
    *folders, name = path.split("/")
    if not name.endswith(_SUFFIXES) or _GENERATED.search(name) or not _NEVER.isdisjoint(folders):
        return False
    return bool(_NAMES.search(name)) or any(_FOLDERS.match(folder) for folder in folders)


def _holds_tests(path: Path) -> bool:
    """Whether a file that nothing else shows to be a test holds tests; one of this size is a built one."""
    try:
        return path.stat().st_size <= _LARGEST and bool(_HOLDS_TESTS.search(path.read_bytes()))
    except OSError:
        return False
