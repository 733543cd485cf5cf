"""The way in for `traf repair`: the times to try for a wait of the working tree."""

from __future__ import annotations

from pathlib import Path

from traf.git import Repository
from traf.localization.evidence import query_of
from traf.localization.ground import work_tree
from traf.localization.model import Candidate, Rung
from traf.localization.paper import rank_by_paper
from traf.localization.suggest import Asked, RankerName, suggest
from traf.syntax import Context, Source, WaitSite


def find_candidates(
    root: Path,
    spec: str,
    source: Source,
    site: WaitSite,
    context: Context,
    repository: Repository | None,
    *,
    history: bool,
    above_ms: float,
    ranker: RankerName = RankerName.PAPER,
) -> tuple[Candidate, ...]:
    """The times above `above_ms` to try for a site, the likeliest first.

    A repair proves each time by runs, and what is written about its results was measured with the paper's order: that is the
    default, from the directory and (with `history`) its past. Others may stand on every rung but the past without `history`.
    `spec` is the source's path below `root`, which is the repository's top where there is a repository.
    """
    assert spec == source.file
    ground = work_tree(root, source, context, repository)
    if ranker is RankerName.PAPER:
        return rank_by_paper(ground, site.line, site.time_line, history=history, above_ms=above_ms, near_first=True)
    query = query_of(ground, site, site.ms if site.action == "replace" else None, above_ms)
    rungs = tuple(rung for rung in Rung if history or rung is not Rung.HISTORY)
    own_lines = (site.line, *([site.time_line] if site.time_line else []))
    return suggest(Asked(ground, query, own_lines), ranker, rungs)
