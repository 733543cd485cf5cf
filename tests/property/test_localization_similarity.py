"""The ranking against a transcription of the paper's formulas (section IV-A1)."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from traf.localization.similarity import scores

LINES = st.lists(st.sampled_from(["page", "click", "wait", "sleep", "expect", "$x", "ä"]), max_size=6).map(" ".join)


def transcribed(query, documents):
    bags = [Counter(document.split()) for document in documents]
    df = Counter(term for bag in bags for term in bag)
    idf = {term: math.log(len(documents) / n) for term, n in df.items()}

    def vector(bag):
        return {term: n / bag.total() * idf[term] for term, n in bag.items() if term in idf}

    def norm(v):
        return math.sqrt(sum(x * x for x in v.values()))

    def cosine(v, w):
        product = norm(v) * norm(w)
        return sum(x * w.get(term, 0) for term, x in v.items()) / product if product else 0.0

    asked = vector(Counter(query.split()))
    return [cosine(asked, vector(bag)) for bag in bags]


@given(LINES, st.lists(LINES, max_size=8))
@settings(derandomize=True, deadline=None)
def test_scores_are_the_paper_s(query, documents):
    assert scores(query, documents) == pytest.approx(transcribed(query, documents), abs=1e-9)


@given(LINES, st.lists(LINES, max_size=8))
@settings(derandomize=True, deadline=None)
def test_scores_are_shares(query, documents):
    assert all(0 <= score <= 1 for score in scores(query, documents))
