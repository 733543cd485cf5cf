"""What a number of runs proves about the true flake rate: exact binomial bounds."""

from __future__ import annotations

CONFIDENCE = 0.95


def flake_rate_upper(runs: int, failures: int, confidence: float = CONFIDENCE) -> float:
    """The exact one-sided upper bound on the flake rate (a share, 0..1) after `failures` of `runs`.

    Clopper and Pearson (1934): the largest rate at which so few failures still have probability 1 - confidence. With no
    failure it is 1 - (1 - confidence) ** (1 / runs): 100 green runs show a rate below 2.95 %, 299 one below 1 %.

    Raises:
        ValueError: unless 0 <= failures <= runs and 0 < confidence < 1.
    """
    if not 0 <= failures <= runs or not 0 < confidence < 1:
        raise ValueError(f"no bound for {failures} failures of {runs} runs at confidence {confidence}")
    if failures == runs:
        return 1.0
    if failures == 0:
        return float(1 - (1 - confidence) ** (1 / runs))
    from scipy.stats import beta  # noqa: PLC0415 - costs half a second, needed only where failures are reported

    return float(beta.ppf(confidence, failures + 1, runs - failures))
