"""Usage: tokens and money added up."""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations

from devpulse.core.messages import Usage

PRICED = Usage(1, 100, 40, 10, 5, Decimal("0.1"))


def test_usage__adds_tokens_and_money():
    together = PRICED + PRICED
    assert together == Usage(2, 200, 80, 20, 10, Decimal("0.2"))


def test_usage__the_order_of_adding_does_not_show():
    prices = [Decimal("0.1"), Decimal("0.2"), Decimal("0.0000003"), Decimal("1000000")]
    sums = {sum((Usage(1, cost_usd=price) for price in order), Usage()).cost for order in permutations(prices)}
    assert sums == {1000000.3000003}


def test_usage__one_unknown_price_makes_the_sum_unknown():
    assert (PRICED + Usage(1, 5)).cost is None
    assert (Usage(1, 5) + PRICED).cost is None


def test_usage__no_request_costs_nothing_and_changes_nothing():
    assert Usage().cost == 0.0
    assert (PRICED + Usage()).cost == (Usage() + PRICED).cost == 0.1
    assert Usage() + Usage() == Usage()
