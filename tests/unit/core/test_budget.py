"""Shares of a context window."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.budget import DEFAULT_WINDOW, ContextBudget, estimate_all, estimate_tokens

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
