"""Lines keep their identity through any edit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from traf.localization.lineage import hunks_between, predecessor, same_text

WORDS = st.sampled_from(
    [b"sleep(1);", b"sleep(20);", b"  sleep(1);", b"click(save);", b"", b"});", b"go({ timeout: 5 });"]
)
TEXTS = st.lists(WORDS, max_size=12)


@given(TEXTS, TEXTS)
@settings(derandomize=True, deadline=None)
def test_a_predecessor_is_the_line_that_it_is_said_to_be(old, new):
    hunks = hunks_between(old, new)
    for number, line in enumerate(new, 1):
        found = predecessor(hunks, number)
        if found is not None:
            old_number, text = found
            assert old[old_number - 1] == (line if text is None else text.encode())


@given(TEXTS, TEXTS)
@settings(derandomize=True, deadline=None)
def test_lines_that_no_hunk_touches_keep_their_order(old, new):
    hunks = hunks_between(old, new)
    found = [predecessor(hunks, number) for number in range(1, len(new) + 1)]
    kept = [pair[0] for pair in found if pair is not None and pair[1] is None]
    assert kept == sorted(set(kept))
    assert len(kept) == len(new) - sum(len(hunk.new) for hunk in hunks)


@given(TEXTS)
@settings(derandomize=True, deadline=None)
def test_an_unedited_file_has_no_hunks(text):
    assert hunks_between(text, text) == ()


@given(TEXTS)
@settings(derandomize=True, deadline=None)
def test_an_indented_file_is_the_same_file(text):
    indented = [b"\t" + line for line in text]
    hunks = hunks_between(text, indented)
    for number, line in enumerate(text, 1):
        found = predecessor(hunks, number)
        assert found is not None
        assert same_text(found[1] or "", line.decode())
