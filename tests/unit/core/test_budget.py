"""Shares of a context window."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.budget import (
    DEFAULT_WINDOW,
    HEADROOM_PERCENT,
    MOST_TIMES,
    ContextBudget,
    ContextUse,
    TokenEstimate,
    estimate_all,
    estimate_tokens,
)
from devpulse.core.unbounded import UnboundedBudget

WINDOWS = st.integers(1, 2_000_000)


def test_context_budget__shares_of_the_default_window():
    budget = ContextBudget()
    assert budget.window == DEFAULT_WINDOW == 32_000
    assert (budget.system, budget.active_content, budget.history, budget.output) == (1_600, 16_000, 8_000, 6_400)
    assert budget.request == 25_600
    assert budget.planned_content == 14_400


@settings(deadline=None)
@given(WINDOWS)
def test_context_budget__shares_never_exceed_the_window(window):
    budget = ContextBudget(window)
    assert budget.system + budget.active_content + budget.history + budget.output <= window
    assert budget.system + budget.active_content + budget.history <= budget.request
    assert budget.request + budget.output <= window


@settings(deadline=None)
@given(WINDOWS, st.integers(0, 3_000_000), st.integers(0, 3_000_000))
def test_context_budget__limits_are_monotone(window, one, other):
    budget, low, high = ContextBudget(window), min(one, other), max(one, other)
    assert budget.should_abort(low) <= budget.should_abort(high)
    assert budget.should_compress(low) <= budget.should_compress(high)


def test_context_budget__a_limit_is_still_allowed():
    budget = ContextBudget(1_000)
    assert not budget.should_abort(800)
    assert budget.should_abort(801)
    assert not budget.should_compress(250)
    assert budget.should_compress(251)


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("a", 1), ("abcd", 1), ("abcde", 2), ("x" * 400, 100)])
def test_estimate_tokens__one_for_four_characters_at_least_one(text, tokens):
    assert estimate_tokens(text) == tokens


def test_estimate_all__adds_up():
    assert estimate_all(["", "abcde"]) == 3
    assert estimate_all([]) == 0


OVERHEAD = 1_000
"""Estimated tokens of prompt and tool declarations, which go with each request."""

PROSE = st.floats(0.8, 1.15)
CODE = st.floats(1.0, 1.45)
SIZES = st.integers(300, 14_400)


def real_tokens(prose: float, code: float, content: int, code_percent: int) -> tuple[int, int]:
    """Estimated and real tokens of a request whose content is code in part."""
    in_code = content * code_percent // 100
    return OVERHEAD + content, round(prose * (OVERHEAD + content - in_code) + code * in_code)


@settings(deadline=None, max_examples=80)
@given(PROSE, CODE, st.lists(st.tuples(SIZES, st.integers(0, 100)), min_size=2, max_size=40), st.booleans())
def test_token_estimate__falls_short_by_a_tenth_at_most_however_code_and_prose_drift(prose, code, requests, code_first):
    estimate = TokenEstimate()
    first = [(8_000, 100), (8_000, 0)]  # from here on both kinds have been seen, in requests of a usual size
    for content, code_percent in first if code_first else first[::-1]:
        estimate.observe(*real_tokens(prose, code, content, code_percent))
    for content, code_percent in requests:
        estimated, real = real_tokens(prose, code, content, code_percent)
        assert estimate.calibrated(estimated) >= 0.9 * real
        estimate.observe(estimated, real)


@settings(deadline=None)
@given(st.floats(0.5, 3), st.lists(st.floats(0.82, 1.22), max_size=300), SIZES)
def test_token_estimate__one_request_is_enough_where_the_next_is_up_to_a_fifth_denser(ratio, drift, size):
    estimate = TokenEstimate()
    estimate.observe(size, -(-int(size * ratio * 10) // 10))
    for change in drift:
        real = round(size * ratio * change)
        assert estimate.calibrated(size) >= 0.9 * real - 1
        if change <= 1:
            estimate.observe(size, real)


def test_token_estimate__nothing_reported_changes_nothing():
    estimate = TokenEstimate()
    assert (estimate.factor, estimate.calibrated(1_000), estimate.room(1_000)) == (1.0, 1_000, 1_000)


@pytest.mark.parametrize("reported", [0, -5, 1_000 * MOST_TIMES + 1, 10**12])
def test_token_estimate__a_wild_report_is_not_believed(reported):
    estimate = TokenEstimate()
    assert not estimate.observe(1_000, reported)
    assert not estimate.observe(0, 10)
    assert estimate.factor == 1.0


def test_token_estimate__never_below_one():
    estimate = TokenEstimate()
    assert estimate.observe(1_000, 120)
    assert estimate.factor == 1.0


def test_token_estimate__the_highest_ratio_and_a_tenth_until_200_requests_later():
    estimate = TokenEstimate()
    estimate.observe(1_000, 3_000)
    for _ in range(199):
        estimate.observe(1_000, 1_200)
        assert estimate.factor == 3.3
    estimate.observe(1_000, 1_200)
    assert estimate.factor == 1.32


def test_token_estimate__even_the_worst_leaves_room_for_prompt_tools_and_some_code():
    budget = ContextBudget()
    budget.answered(1_000, MOST_TIMES * 1_000)
    assert budget.request > 3 * OVERHEAD


@settings(deadline=None)
@given(st.integers(1, 40_000), st.integers(1, 200_000), st.integers(0, 3_000_000))
def test_token_estimate__room_is_what_calibrated_lets_in(estimated, reported, tokens):
    estimate = TokenEstimate()
    estimate.observe(estimated, reported)
    room = estimate.room(tokens)
    assert estimate.calibrated(room) <= tokens < estimate.calibrated(room + 1)


def test_token_estimate__from_many_threads_is_as_from_one():
    estimate = TokenEstimate()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda tokens: estimate.observe(1_000, tokens), range(1_001, 1_151)))
    highest = 115 * (100 + HEADROOM_PERCENT)  # of 100 times 100
    assert estimate.calibrated(10_000) == 100 * -(-highest // 100)


def test_context_budget__calibration_narrows_what_is_sent_not_what_is_planned():
    budget = ContextBudget()
    assert budget.answered(10_000, 20_000) == 20_000
    assert (budget.history, budget.request) == (8_000 * 100 // 220, 25_600 * 100 // 220)
    assert budget.should_compress(3_637)
    assert budget.should_abort(11_637)
    assert (budget.planned_content, budget.active_content, budget.output) == (14_400, 16_000, 6_400)


def test_context_budget__learns_in_its_own_run_only():
    budget = ContextBudget(8_000)
    run = budget.for_a_run()
    run.answered(1_000, 2_000)
    assert (budget.estimate.factor, run.estimate.factor) == (1.0, 2.2)
    assert run == budget
    assert type(UnboundedBudget(8_000).for_a_run()) is UnboundedBudget


def test_answered__an_unbelievable_report_gives_way_to_the_estimate():
    budget = ContextBudget()
    assert budget.answered(1_000, 0) == 1_000
    budget.answered(1_000, 1_000)
    assert budget.answered(2_000, 10**9) == 2_200


def test_overflowed__the_request_must_have_filled_the_window():
    budget = ContextBudget()
    budget.overflowed(16_000)
    assert budget.estimate.factor == 2.2
    assert budget.should_abort(16_000)
    budget.overflowed(100)
    assert budget.estimate.factor == MOST_TIMES * 1.1


@pytest.mark.parametrize("budget", [UnboundedBudget(), ContextBudget(learns=False)])
def test_learns__a_budget_that_does_not_believes_no_report(budget):
    budget.overflowed(16_000)
    assert budget.answered(1_000, 2_000) == 1_000
    assert budget.estimate.factor == 1.0


def test_context_use__percent_is_rounded_up_and_work_adds_up():
    use = ContextUse(32_000, 13_001, 1, 2, 3)
    assert use.percent == 41
    assert use + ContextUse(32_000, 5_000, 1, 0, 4) == ContextUse(32_000, 13_001, 2, 2, 7)
    assert ContextUse().percent == 0
