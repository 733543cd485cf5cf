"""The repair, step by step, on a fake engine whose latencies are known."""

from __future__ import annotations

from itertools import chain, cycle, repeat

import pytest

from tests.support.attempts import series
from tests.support.fake_engine import FakeEngine, Silent, plan, wait_site
from traf.core.errors import CannotRun
from traf.repair.model import Mode, Policy, RepairOutcome, RepairResult, Settings
from traf.repair.repair import bounds, repair
from traf.syntax.model import WaitKind, WaitSite

RUNS = 20


def carry_out(
    engine: FakeEngine, site: WaitSite, *times: float, policy: Policy = Policy.SAFE, **settings: object
) -> RepairResult:
    chosen = Settings(**{"runs": RUNS, "policy": policy, **settings})  # type: ignore[arg-type]
    return repair(plan(site, *times, policy=policy), chosen, engine.patching, engine.run, Silent())


def tried(result: RepairResult) -> list[tuple[str, float, bool]]:
    return [(t.phase, t.ms, t.passed) for t in result.trials]


def test_static_takes_the_first_time_that_holds_and_confirms_it_afresh() -> None:
    result = carry_out(FakeEngine.of(100, 430), wait_site(), 300, 900, 500)
    assert result.outcome is RepairOutcome.REPAIRED
    assert tried(result) == [("candidate", 300, False), ("candidate", 900, True), ("confirmation", 900, True)]
    assert result.repair is not None
    assert (result.repair.patch.ms, result.repair.tuned_ms) == (900, 900)
    assert (result.repair.verdict.runs, result.repair.verdict.failures) == (RUNS, 0)
    assert result.before is not None
    assert (result.before.runs, result.before.failures) == (22, 11)  # the last two: it still fails without the repair
    assert (result.repair.run_ms_before, result.repair.run_ms_after) == (250, 950)
    assert result.total_runs == 20 + 2 + RUNS + RUNS + 2


def test_a_batch_stops_at_its_first_failure() -> None:
    result = carry_out(FakeEngine.of(100, 100, 430), wait_site(), 300, 900)
    assert (result.trials[0].runs, result.trials[0].failures) in {(1, 1), (2, 1), (3, 1)}


def test_full_ends_within_the_threshold_and_writes_a_round_number() -> None:
    result = carry_out(FakeEngine.of(100, 433), wait_site(), 900, mode=Mode.FULL)
    assert result.repair is not None
    held = [t.ms for t in result.trials if t.passed and t.phase != "confirmation"]
    assert result.repair.tuned_ms == min(held)
    assert 433 <= result.repair.tuned_ms <= 433 + 5
    assert result.repair.patch.ms == 440
    assert tried(result)[-1] == ("confirmation", 440, True)


def test_first_match_confirms_the_first_shorter_time() -> None:
    result = carry_out(FakeEngine.of(100, 433), wait_site(), 900, mode=Mode.FIRST_MATCH)
    assert tried(result) == [("candidate", 900, True), ("tuning", 550, True), ("confirmation", 550, True)]


def test_a_time_that_fails_its_fresh_batch_gives_way_to_the_next_that_held() -> None:
    # 900, then the search 550, 375, 463, 419, 441, 452, 458 with a latency that rises before the confirmation
    calm = chain(repeat(100, 1), repeat(430, 19))
    engine = FakeEngine(chain(calm, cycle([430])))
    base = engine.run

    def run(patch, runs, until, *, confirming=False):  # type: ignore[no-untyped-def]
        if len(engine.asked) > 8:
            engine.latencies = cycle([100, 470])
        return base(patch, runs, until, confirming=confirming)

    result = repair(plan(wait_site(), 900), Settings(mode=Mode.FULL, runs=RUNS), engine.patching, run, Silent())
    assert result.repair is not None
    confirmations = [(t.ms, t.passed) for t in result.trials if t.phase == "confirmation"]
    assert confirmations[0][1] is False
    assert confirmations[-1] == (result.repair.patch.ms, True)
    assert result.repair.patch.ms >= 470
    assert result.repair.verdict.failures == 0


def test_when_no_confirmation_holds_the_next_longer_candidate_is_tried() -> None:
    engine = FakeEngine(chain(repeat(100, 10), repeat(430, 10), repeat(430, RUNS), cycle([950])))
    result = carry_out(engine, wait_site(), 500, 1000)
    assert tried(result) == [
        ("candidate", 500, True),
        ("confirmation", 500, False),
        ("candidate", 1000, True),
        ("confirmation", 1000, True),
    ]


def test_what_failed_is_not_tried_again_nor_anything_shorter() -> None:
    result = carry_out(FakeEngine.of(100, 950), wait_site(), 800, 500, 300, 1000)
    assert [ms for phase, ms, _ in tried(result) if phase == "candidate"] == [800, 1000]


def test_a_test_that_never_fails_is_not_flaky() -> None:
    result = carry_out(FakeEngine.of(100), wait_site(), 900)
    assert result.outcome is RepairOutcome.NOT_FLAKY
    assert result.repair is None
    assert "13.91%" in result.reason
    assert result.trials == ()


def test_a_test_that_always_fails_is_broken() -> None:
    result = carry_out(FakeEngine.of(5000), wait_site(), 900)
    assert result.outcome is RepairOutcome.BROKEN
    assert "not there after 200 ms" in result.reason
    assert result.trials == ()


def test_the_baseline_goes_on_until_both_were_seen() -> None:
    engine = FakeEngine(chain(repeat(100, 49), cycle([430])))
    result = carry_out(engine, wait_site(), 900, runs=100)
    assert engine.asked[:2] == [(None, 20, None), (None, 80, "failure")]
    assert result.before is not None
    assert (result.before.runs, result.before.failures) == (51, 2)


def test_the_baseline_is_never_shorter_than_twenty() -> None:
    engine = FakeEngine.of(100, 430)
    carry_out(engine, wait_site(), 900, runs=3)
    assert engine.asked[0] == (None, 20, None)


def test_assume_flaky_runs_no_baseline() -> None:
    engine = FakeEngine.of(430)
    result = carry_out(engine, wait_site(), 900, assume_flaky=True)
    assert engine.asked[0][0] == 900
    assert result.outcome is RepairOutcome.REPAIRED
    assert result.before is None
    assert result.repair is not None
    assert result.repair.run_ms_before is None


def test_a_skipped_test_cannot_be_judged() -> None:
    with pytest.raises(CannotRun, match="skipped"):
        repair(plan(wait_site(), 900), Settings(), FakeEngine.of(1).patching, lambda *_: series("sss"), Silent())


def test_times_that_do_not_hold_where_ten_times_as_much_does_are_not_applicable() -> None:
    result = carry_out(FakeEngine.of(100, 3000), wait_site(), 400)
    assert result.outcome is RepairOutcome.NOT_APPLICABLE
    assert "4000 ms held in 5 of 5 runs" in result.reason


def test_no_time_found_where_ten_times_as_much_holds_is_not_applicable() -> None:
    result = carry_out(FakeEngine.of(100, 1500), wait_site())
    assert result.outcome is RepairOutcome.NOT_APPLICABLE
    assert "no longer time was found" in result.reason


def test_what_fails_with_generous_times_is_not_repairable() -> None:
    result = carry_out(FakeEngine.of(100, float("inf")), wait_site(), 900)
    assert result.outcome is RepairOutcome.NOT_REPAIRABLE
    assert "9000 ms" in result.reason
    assert "not there after" in result.reason
    assert result.repair is None


def test_a_time_that_does_not_fit_into_the_tests_limit_is_not_tried() -> None:
    result = carry_out(FakeEngine.of(100, 430, limit_ms=600), wait_site(), 900, 500)
    assert [ms for phase, ms, _ in tried(result) if phase == "candidate"] == [500]
    assert any("900 ms was not tried" in w for w in result.warnings)


def test_where_nothing_fits_it_is_not_applicable() -> None:
    result = carry_out(FakeEngine.of(100, 430, limit_ms=250), wait_site(), 900)
    assert result.outcome is RepairOutcome.NOT_APPLICABLE
    assert "limit" in result.reason
    assert result.trials == ()


@pytest.mark.parametrize("mode", list(Mode))
def test_safe_never_tunes_a_polling_bound(mode: Mode) -> None:
    site = wait_site(kind=WaitKind.POLL_TIMEOUT)
    result = carry_out(FakeEngine.of(100, 430), site, 5000, mode=mode)
    assert tried(result) == [("candidate", 5000, True), ("confirmation", 5000, True)]


def test_paper_tunes_a_polling_bound_from_zero_where_none_is_written() -> None:
    site = wait_site(kind=WaitKind.POLL_TIMEOUT, level=1)
    result = carry_out(FakeEngine.of(100, 430), site, 1000, mode=Mode.FULL, policy=Policy.PAPER)
    assert [t.ms for t in result.trials if t.phase == "tuning"][:2] == [500, 250]


def test_an_inserted_wait_is_tuned_from_zero_under_the_safe_policy_too() -> None:
    site = wait_site(None, WaitKind.NONE, level=1, action="insert")
    engine = FakeEngine.of(10, 130, in_force_ms=50)
    result = carry_out(engine, site, 400, mode=Mode.FULL)
    assert [t.ms for t in result.trials if t.phase == "tuning"][:2] == [200, 100]
    assert result.repair is not None
    assert result.repair.patch.ms == 140


def test_an_unbounded_wait_in_an_unbounded_test_has_no_time_to_raise() -> None:
    site = wait_site(None, WaitKind.POLL_TIMEOUT, level=1)
    result = carry_out(FakeEngine.of(100, 430), site, 900)
    assert result.outcome is RepairOutcome.NOT_APPLICABLE
    assert "for ever" in result.reason


def test_an_unbounded_wait_starts_from_the_tests_limit() -> None:
    site = wait_site(None, WaitKind.POLL_TIMEOUT, level=1)
    assert bounds(site, Policy.SAFE, 30_000) == (30_000, 30_000)
    assert bounds(site, Policy.PAPER, 30_000) == (30_000, 30_000)
    assert bounds(wait_site(None, level=1, action="insert"), Policy.SAFE, 30_000) == (0, 0)
    assert bounds(wait_site(1000, WaitKind.POLL_TIMEOUT, level=1), Policy.SAFE, 30_000) == (1000, 1000)
    assert bounds(wait_site(1000, WaitKind.POLL_TIMEOUT, level=1), Policy.PAPER, 30_000) == (0, 0)
    assert bounds(wait_site(200), Policy.PAPER, 30_000) == (200, 200)


def test_rounding_never_goes_past_the_time_that_was_found() -> None:
    result = carry_out(FakeEngine.of(100, 1230), wait_site(), 1250, mode=Mode.FULL)
    assert result.repair is not None
    assert result.repair.patch.ms == 1250


def test_where_the_untouched_test_no_longer_fails_nothing_is_proven() -> None:
    engine = FakeEngine(chain(repeat(100, 10), repeat(430, 10), cycle([100])))
    result = carry_out(engine, wait_site(), 900)
    assert result.outcome is RepairOutcome.NOT_APPLICABLE
    assert result.repair is None
    assert "prove nothing" in result.reason
    assert engine.asked[-1] == (None, 10, "failure")


def test_batches_too_short_for_a_rare_failure_carry_a_warning() -> None:
    engine = FakeEngine(chain(repeat(100, 19), repeat(430, 1), cycle([100])))
    result = carry_out(engine, wait_site(), 900)
    assert result.outcome is RepairOutcome.REPAIRED
    (warning,) = result.warnings
    assert "20 green runs would happen by chance in 36%" in warning
    assert "--runs 59" in warning


def test_a_test_that_skips_itself_now_and_then_does_not_fail_a_batch() -> None:
    engine = FakeEngine.of(100, 430)

    def run(patch, runs, until, *, confirming=False):  # type: ignore[no-untyped-def]
        return series("sp" * (runs // 2)) if patch else engine.run(patch, runs, until)

    result = repair(plan(wait_site(), 900), Settings(runs=RUNS), engine.patching, run, Silent())
    assert result.outcome is RepairOutcome.REPAIRED
    assert result.repair is not None
    assert result.repair.verdict.runs == RUNS // 2
