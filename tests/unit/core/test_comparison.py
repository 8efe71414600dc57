"""The arithmetic of a comparison."""

from __future__ import annotations

import pytest
from builders import make_finding
from comparisons import make_arm, make_comparison
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.comparison import (
    AFTER,
    BEFORE,
    Ablation,
    SentSize,
    in_task_order,
    same_findings,
    saved_tokens,
    share_percent,
)


def test_arm__sums_its_requests_and_those_of_a_task_with_halves_and_verification():
    arm = make_arm(BEFORE, [("a-1", 10), ("a-1.1", 4), ("a-1.2.verify", 5), ("b-2", 7), ("conclude", 3)])
    assert (arm.tokens, arm.largest) == (29, 10)
    assert arm.of_task("a-1") == [10, 4, 5]
    assert arm.of_task("b-2") == [7]
    assert make_arm().largest == 0


def test_comparison__saved_is_the_difference_of_both_arms():
    assert make_comparison().saved == 8_000


@pytest.mark.parametrize("failing", [BEFORE, AFTER])
def test_comparison__a_failed_arm_saved_nothing(failing):
    arms = {name: make_arm(name, [("a-1", 5)], failure="down" if name == failing else "") for name in (BEFORE, AFTER)}
    assert make_comparison(arms[BEFORE], arms[AFTER]).saved is None
    assert saved_tokens(arms[BEFORE], arms[AFTER]) is None


def test_ablation__compares_its_own_two_arms():
    more, less = make_arm("whole-files", [("a-1", 50)], make_finding()), make_arm(AFTER, [("a-1", 20)])
    row = Ablation("select", "", more, more, less)
    assert row.saved == 30
    assert (row.findings.identical, row.findings.total) == (0, 1)


@pytest.mark.parametrize(
    ("part", "whole", "percent"), [(80, 100, 80.0), (-5, 100, -5.0), (None, 100, None), (0, 0, None)]
)
def test_share_percent__of_nothing_is_no_number(part, whole, percent):
    assert share_percent(part, whole) == percent


def test_same_findings__by_fingerprint_whatever_else_differs():
    one, other = make_finding(title="said so"), make_finding(title="said otherwise")
    only, new = make_finding(fingerprint="f1"), make_finding(fingerprint="f2")
    same = same_findings([one, only], [new, other])
    assert (same.identical, same.total) == (1, 3)
    assert (same.only_first, same.only_second) == ((only,), (new,))


sizes = st.lists(st.builds(SentSize, st.sampled_from(["a", "a.1", "b", "b.verify", "conclude"]), st.integers(1, 99)))


@given(sizes)
def test_in_task_order__keeps_every_request_and_the_order_within_a_task(sent):
    ordered = in_task_order(sent, ["b", "a"])
    assert sorted(ordered, key=str) == sorted(sent, key=str)
    places = [["b", "a", "c"].index(size.task[0]) for size in ordered]
    assert places == sorted(places)
    for task in "abc":
        assert [s for s in ordered if s.task[0] == task] == [s for s in sent if s.task[0] == task]
