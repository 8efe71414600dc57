"""Budgets without the rules."""

from __future__ import annotations

import pytest

from devpulse.core.budget import ContextBudget
from devpulse.core.unbounded import UnboundedBudget, WholeFileBudget


@pytest.mark.parametrize("kind", [UnboundedBudget, WholeFileBudget])
def test_unbounded__no_history_is_too_long_and_no_request_too_large(kind):
    usual, free = ContextBudget(8_000), kind(8_000)
    assert usual.should_compress(10**9)
    assert usual.should_abort(10**9)
    assert not free.should_compress(10**9)
    assert not free.should_abort(10**9)


def test_unbounded__plans_like_any_other_and_for_whole_files_without_an_end():
    assert UnboundedBudget(8_000).planned_content == ContextBudget(8_000).planned_content
    assert WholeFileBudget(8_000).planned_content > 10**8
    assert WholeFileBudget(8_000).for_a_run().planned_content > 10**8
