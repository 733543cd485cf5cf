"""The vector space model, against values worked out by hand."""

from __future__ import annotations

import pytest

from traf.localization.similarity import scores


def test_by_hand():
    # idf: click, wait, sleep ln(3/2) = 0.405465; poll ln 3 = 1.098612. The unknown word drops out.
    documents = ["click wait", "click click sleep", "wait sleep poll"]
    # 1; 2 / (sqrt 2 * sqrt 5); 0.405465 / (sqrt 2 * sqrt(2 * 0.405465^2 + 1.098612^2))
    assert scores("click wait unknown", documents) == pytest.approx([1.0, 0.632456, 0.231354], abs=1e-6)


def test_a_word_of_every_document_weighs_nothing():
    assert scores("page alpha", ["page alpha", "page beta"]) == pytest.approx([1.0, 0.0])
    assert scores("page", ["page alpha", "page beta"]) == [0.0, 0.0]
    assert scores("page", ["page"]) == [0.0]


def test_the_length_of_a_document_does_not_count():
    assert scores("a b", ["a b", "a b a b", "c"]) == pytest.approx([1.0, 1.0, 0.0])


def test_keywords_numbers_and_strings_are_no_words():
    assert scores("await sleep(500)", ["await sleep(900)", "await click('sleep')", "await 500"]) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("query", ["", "unknown", "123 'text'"])
def test_an_empty_query_is_like_nothing(query):
    assert scores(query, ["alpha", "beta", ""]) == [0.0, 0.0, 0.0]


def test_empty_documents():
    assert scores("alpha", []) == []
    assert scores("alpha", ["", "await 5"]) == [0.0, 0.0]


def test_equal_lines_score_the_same_to_the_bit():
    documents = ["page.click(save, { timeout })", "other", "page.click(save, { timeout })", "page"]
    first, _, second, _ = scores("page.click(save)", documents)
    assert first == second > 0
