"""What a comparison takes at most."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.budget import ContextBudget
from devpulse.core.comparison_bounds import Bound, Bounds

BUDGET = ContextBudget(10_000)  # history 2,500, request 8,000, output 2,000
CONCLUDING = 3


def test_isolated__every_step_of_every_task_with_a_full_history():
    bound = Bounds(BUDGET, 2, verifies=False).isolated([100, 300])
    assert bound == Bound(400, 2 * (400 + 2 * 2_500) + CONCLUDING * 8_000, (2 * 2 + CONCLUDING) * 2_000)


def test_shared__each_task_carries_all_before_it():
    bound = Bounds(BUDGET, 1, verifies=False).shared([100, 300, 500])
    assert bound.least == 100 + 400 + 900
    assert bound.most == 2_600 + (2_600 + 2_800) + (2_600 + 2_800 + 3_000) + CONCLUDING * 8_000


def test_shared__with_a_limit_carries_no_more_than_that():
    bound = Bounds(BUDGET, 1, verifies=False).shared([100, 300, 500], limit=150)
    assert bound.least == 100 + 400 + 650
    assert bound.most == 2_600 + (2_800 + 150) + (3_000 + 150) + CONCLUDING * 8_000


def test_bound__verification_adds_full_requests():
    plain, checked = (Bounds(BUDGET, 2, verifies=verifies).isolated([100]) for verifies in (False, True))
    assert (checked.most - plain.most, checked.most_output - plain.most_output) == (2 * 8_000, 2 * 2_000)


def test_bound__is_passed_by_either_figure():
    bound = Bound(1, 100, 10)
    assert not bound.is_passed(100, 10)
    assert bound.is_passed(101, 0)
    assert bound.is_passed(0, 11)
    assert bound + Bound(1, 2, 3) == Bound(2, 102, 13)


@given(st.lists(st.integers(1, 9_999), min_size=1, max_size=30), st.integers(1, 10))
def test_bounds__sharing_never_takes_less_than_isolating(first, steps):
    bounds = Bounds(BUDGET, steps, verifies=True)
    assert bounds.isolated(first).most <= bounds.shared(first, 2_500).most <= bounds.shared(first).most + 2_500 * 300
    assert bounds.isolated(first).least <= bounds.shared(first).least <= bounds.shared(first).most
