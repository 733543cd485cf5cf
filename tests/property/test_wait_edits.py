"""Every kind of wait that the cases show: an edit is read back, the same edit again changes nothing, damage crashes nothing."""

from __future__ import annotations

import contextlib
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.wait_cases import lay_out, wait_cases
from traf.core.errors import BadInput
from traf.project import Surveyor
from traf.syntax import apply_edits, choose_site, edits_for, find_sites, fit_limit, parse

STEADY = settings(derandomize=True, deadline=None, max_examples=400)
CASES = wait_cases()
EDITED = sorted(name for name, case in CASES.items() if "edit" in case)


@cache
def surveyed(name):
    """The file of a case with what its project says; the context holds all that is needed, so the project may go."""
    with tempfile.TemporaryDirectory() as folder:
        root = lay_out(CASES[name], Path(folder))
        survey = Surveyor().survey(root / CASES[name]["file"])
        find_sites(survey.source, survey.context)  # what it imports is read while it is there
        return survey


def chosen(name):
    survey, case = surveyed(name), CASES[name]
    return survey, choose_site(survey.source, survey.context, case["line"], case.get("column"))


@STEADY
@given(st.sampled_from(EDITED), st.integers(1, 600).map(lambda tenths: tenths * 100))
def test_an_edit_is_read_back(name, ms):
    survey, site = chosen(name)
    source, context = survey.source, survey.context
    after = parse(source.file, apply_edits(source.data, edits_for(source, site, ms, context)))
    if site.action == "insert":
        assert ms in {other.ms for other in find_sites(after, context)} | {None}
        return
    again = [other for other in find_sites(after, context) if (other.kind, other.ms) == (site.kind, ms)]
    assert any(edits_for(after, other, ms, context) == () for other in again)


@STEADY
@given(st.sampled_from(sorted(CASES)), st.data())
def test_a_damaged_file_crashes_nothing(name, data):
    survey, case = surveyed(name), CASES[name]
    text = survey.source.data.decode("utf-8")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    inserted = data.draw(
        st.sampled_from(["", "(", ")", "{", "}", "'", "`${", ",", " => ", ".", "...", "\u00e9\U0001f600", "await "])
    )
    source = parse(survey.source.file, (text[:start] + inserted + text[end:]).encode("utf-8"))
    find_sites(source, survey.context)
    with contextlib.suppress(BadInput):
        site = choose_site(source, survey.context, min(case["line"], source.line_count))
        fit_limit(source, site, 70_000, survey.context)
        apply_edits(source.data, edits_for(source, site, 70_000, survey.context))
