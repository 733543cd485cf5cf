"""Learns the weights of the default ranker from a manifest of public fixes.

    python scripts/train_ranker.py MANIFEST --mirrors DIR [--evidence FILE]

Among the times that are proposed for a fix, the one that its developers chose should stand first: a conditional logit (softmax
over the proposals) with a quadratic penalty, one model a level. Each fix is asked three times, as users ask: with the directory
alone, with its history, and with all rungs. A repository with n fixes weighs as n^0.75. Weights that were learned without a
tenth of the repositories each are written beside: `traf evaluate static` judges a repository by those that have not seen it.
Gathering takes minutes; `--evidence` keeps what it found for the next time.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from traf.core.errors import BadInput
from traf.evaluation.manifest import Fix, read_manifest
from traf.evaluation.standing import Mirror
from traf.localization.evidence import gather
from traf.localization.features import Features, features_of, proposals
from traf.localization.model import Evidence, Rung

ROOT = Path(__file__).parent.parent
PENALTY = 100.0
EVENNESS = 0.25
FOLDS = 10
FEWEST_REPOSITORIES = 3
LEAST_WEIGHT = 0.002

SCOPES = (frozenset({Rung.DIRECTORY}), frozenset({Rung.DIRECTORY, Rung.HISTORY}), frozenset(Rung))

Proposals = dict[str, Features]
Row = tuple[Fix, dict[float, Features]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--evidence", type=Path, help="keep the features there, or take them from there")
    given = parser.parse_args()
    rows = list(_rows(given.manifest, given.mirrors, given.evidence))
    repos = sorted({fix.repo for fix, _ in rows})
    about = {"fixes": len(rows), "repositories": len(repos), "penalty": PENALTY, "manifest": given.manifest.name}
    _write(ROOT / "traf/localization/weights.json", {"learned_from": about, "levels": _learn(rows)})
    folds = []
    shuffled = random.Random(0).sample(repos, len(repos))
    for at in range(FOLDS):
        without = sorted(shuffled[at::FOLDS])
        folds.append({"without": without, "levels": _learn([row for row in rows if row[0].repo not in without])})
    _write(ROOT / "traf/evaluation/folds.json", {"learned_from": about, "folds": folds})


def _rows(manifest: Path, mirrors: Path, kept: Path | None) -> Iterator[Row]:
    fixes = read_manifest(manifest)
    known: dict[str, list[Proposals] | None] = {}
    if kept is not None and kept.exists():
        known = dict(json.loads(line) for line in kept.read_text("utf-8").splitlines())
    file = kept.open("a", encoding="utf-8") if kept is not None else None
    mirror: Mirror | None = None
    where = ""
    for fix in sorted(fixes, key=lambda fix: (fix.repo, fix.parent)):
        if fix.name not in known:
            if fix.repo != where:
                print(fix.repo, flush=True)
                mirror, where = _mirror(mirrors, fix.repo, mirror), fix.repo
            known[fix.name] = _features(mirror, fix) if mirror is not None else None
            if file is not None:
                file.write(json.dumps([fix.name, known[fix.name]]) + "\n")
        for found in known[fix.name] or []:
            yield fix, {float(ms): features for ms, features in found.items()}


def _mirror(mirrors: Path, repo: str, old: Mirror | None) -> Mirror | None:
    if old is not None:
        old.close()
    try:
        return Mirror(mirrors, repo)
    except BadInput as error:
        print(error)
        return None


def _features(mirror: Mirror, fix: Fix) -> list[Proposals] | None:
    try:
        with mirror.standing(fix) as asked:
            evidence = gather(asked.ground, asked.query, asked.own_lines, tuple(Rung))
    except BadInput as error:
        print(error)
        return None
    return [_proposals(evidence, scope) for scope in SCOPES]


def _proposals(evidence: Evidence, scope: frozenset[Rung]) -> Proposals:
    seen = replace(
        evidence,
        occurrences=tuple(o for o in evidence.occurrences if o.rung in scope),
        configured=evidence.configured if Rung.CONFIGURED in scope else {},
    )
    return {repr(ms): features for ms, features in features_of(seen, proposals(seen, scope)).items()}


def _learn(rows: list[Row]) -> dict[str, dict[str, float]]:
    return {str(level): _fit([row for row in rows if row[0].level == level]) for level in (0, 1)}


def _fit(rows: list[Row]) -> dict[str, float]:
    seen: dict[str, set[str]] = defaultdict(set)
    for fix, found in rows:
        for features in found.values():
            for name in features:
                seen[name].add(fix.repo)
    names = sorted(name for name, repos in seen.items() if len(repos) >= FEWEST_REPOSITORIES)
    at = {name: place for place, name in enumerate(names)}
    rows = [(fix, found) for fix, found in rows if fix.after_ms in found]  # else nothing proposed is right
    sizes = np.array([len(found) for _, found in rows])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group = np.repeat(np.arange(len(rows)), sizes)
    x = np.zeros((int(sizes.sum()), len(names)))
    right = np.zeros(len(x))
    for row, (ms, features, fix) in enumerate((ms, f, fix) for fix, found in rows for ms, f in found.items()):
        right[row] = ms == fix.after_ms
        for name, value in features.items():
            if name in at:
                x[row, at[name]] = value
    fixes_of: dict[str, int] = defaultdict(int)
    for fix, _ in rows:
        fixes_of[fix.repo] += 1
    weight = np.array([fixes_of[fix.repo] ** -EVENNESS for fix, _ in rows])
    weight *= len(weight) / len(SCOPES) / weight.sum()

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        z = x @ b
        most = np.maximum.reduceat(z, starts)
        power = np.exp(z - most[group])
        total = np.add.reduceat(power, starts)
        gradient = x.T @ (weight[group] * (power / total[group] - right))
        value = (weight * (np.log(total) + most)).sum() - (weight[group] * right * z).sum()
        return value + PENALTY * (b @ b) / 2, gradient + PENALTY * b

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return {name: round(float(b), 3) for name, b in zip(names, found, strict=True) if abs(b) >= LEAST_WEIGHT}


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
