"""How alike lines of code are: the vector space model of the TRaf paper (section IV-A1)."""

from __future__ import annotations

from collections.abc import Sequence

from traf.syntax import tokens


def scores(query: str, documents: Sequence[str]) -> list[float]:
    """The cosine (0..1) between the query and each document, both weighted by tf * idf.

    With `f` the number of times that a token stands in a text: tf = f / sum of f, idf = ln(N / df) over the N documents.
    Tokens that stand in no document drop out, and a text without any weight scores 0. Dividing tf by the length of its
    text is left out below: it scales a whole vector, which a cosine does not see.
    """
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer  # noqa: PLC0415 - takes over a second

    bags = [tokens(document) for document in documents]
    if not any(bags):
        return [0.0] * len(bags)
    counter = CountVectorizer(analyzer=list)
    counts = counter.fit_transform(bags)
    weigher = TfidfTransformer(norm="l2", smooth_idf=False).fit(counts)
    weigher.idf_ = weigher.idf_ - 1.0  # the library adds 1, so that no token is ever worthless; the paper does not
    likeness = weigher.transform(counts) @ weigher.transform(counter.transform([tokens(query)])).T
    return [min(float(value), 1.0) for value in likeness.toarray()[:, 0]]
