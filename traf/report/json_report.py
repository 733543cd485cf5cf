"""The JSON form of a repair; its schema is schemas/repair.schema.json."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from traf.localization.model import Candidate
from traf.repair.model import Repair, RepairResult, Trial
from traf.report.printable import number

SCHEMA_VERSION = 1


def repair_json(result: RepairResult) -> str:
    """The result as one JSON document, ended by a line feed."""
    return json.dumps(repair_data(result), ensure_ascii=True, indent=2) + "\n"


def repair_schema() -> dict[str, Any]:
    """The JSON schema that `repair_json` keeps to."""
    text = resources.files("traf.report").joinpath("schemas/repair.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def repair_data(result: RepairResult) -> dict[str, Any]:
    """The result as plain data. Rates are shares, times ms (`wall_s`: seconds), commits null for the working tree."""
    site = result.site
    return {
        "schema_version": SCHEMA_VERSION,
        "outcome": result.outcome,
        "reason": result.reason,
        "test": result.test and {"file": result.test.file, "title": list(result.test.title)},
        "site": site
        and {
            "line": site.line,
            "column": site.column,
            "kind": site.kind,
            "api": site.api,
            "ms": None if site.ms is None else number(site.ms),
        },
        "level": site and site.level,
        "mode": result.settings.mode,
        "policy": result.settings.policy,
        "before": {
            "runs": result.before.runs if result.before else 0,
            "failures": result.before.failures if result.before else 0,
        },
        "candidates": [_candidate(c) for c in result.candidates],
        "trials": [_trial(t) for t in result.trials],
        "repair": result.repair and _repair(result.repair),
        "cost": {"runs": result.total_runs, "wall_s": round(result.wall_s, 3)},
        "isolation": result.level and {"level": result.level, "fresh_runs": result.fresh_runs},
        "warnings": list(result.warnings),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    source = candidate.source
    return {
        "ms": number(candidate.ms),
        "score": round(candidate.score, 6),
        "source": {"path": source.path, "line": source.line, "commit": source.commit},
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "phase": trial.phase,
        "ms": number(trial.ms),
        "runs": trial.runs,
        "failures": trial.failures,
        "passed": trial.passed,
    }


def _repair(repair: Repair) -> dict[str, Any]:
    return {
        "ms": number(repair.patch.ms),
        "tuned_ms": number(repair.tuned_ms),
        "diff": repair.patch.diff,
        "runs": repair.verdict.runs,
        "failures": repair.verdict.failures,
        "flake_rate_upper": repair.verdict.flake_rate_upper,
        "confidence": repair.verdict.confidence,
        "run_ms_before": None if repair.run_ms_before is None else number(repair.run_ms_before),
        "run_ms_after": None if repair.run_ms_after is None else number(repair.run_ms_after),
    }
