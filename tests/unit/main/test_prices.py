"""What requests cost, against the price library's own computation."""

from __future__ import annotations

from decimal import Decimal

import pytest
from builders import ScriptedModel, reply
from genai_prices import Usage as Priced
from genai_prices import calc_price

from devpulse.core.messages import ModelRequest, Usage
from devpulse.main.prices import PricedModel, Prices, cost_of, price_of

USED = Usage(1, 100_000, 50_000, 10_000, 4_000)
LARGE = Usage(1, 300_000, 0, 10_000)
MODEL = "gemini-2.5-pro"


def library(model, used):
    return calc_price(
        Priced(
            input_tokens=used.input_tokens, cache_read_tokens=used.cached_tokens, output_tokens=used.output_tokens
        ),
        model_ref=model, provider_id="google",
    )  # fmt: skip


@pytest.mark.parametrize("model", [MODEL, "gemini-2.5-flash", "gemini-3.8-flash", "gemini-3.8-flash-001"])
@pytest.mark.parametrize("used", [USED, LARGE, Usage(1)])
def test_of__is_what_the_library_computes(model, used):
    assert Prices(model).of(used) == library(model, used).total_price


def test_of__cached_tokens_cost_less_and_thinking_is_output():
    prices = Prices(MODEL)
    full, cached = prices.of(Usage(1, 100_000)), prices.of(Usage(1, 100_000, 100_000))
    assert (full, cached) == (Decimal("0.125"), Decimal("0.0125"))
    assert prices.of(Usage(1, 0, 0, 1_000, 1_000)) == prices.of(Usage(1, 0, 0, 1_000)) == Decimal("0.01")


def test_of__given_prices_come_first():
    assert Prices(MODEL, 2.0, 8.0).of(USED) == Decimal("0.28")
    assert Prices("no-such-model", 2.0, 8.0).of(USED) == Decimal("0.28")
    assert Prices(MODEL, 0.0, 0.0).of(USED) == 0
    assert Prices(MODEL, 2.0).of(USED) == Decimal("0.2") + library(MODEL, USED).output_price
    assert Prices(MODEL, None, 8.0).of(USED) == library(MODEL, USED).input_price + Decimal("0.08")


def test_of__the_served_version_comes_before_the_name_asked_for():
    assert Prices("gemini-2.5-flash").of(USED, MODEL) == library(MODEL, USED).total_price
    assert Prices(MODEL).of(USED, "my-own-version") == library(MODEL, USED).total_price
    assert Prices(f"models/{MODEL}").of(USED) == library(MODEL, USED).total_price


def test_of__unknown_is_unknown():
    assert Prices("no-such-model").of(USED) is None
    assert Prices("no-such-model", price_input=1.0).of(USED) is None


@pytest.mark.parametrize("used", [Usage(1, -5), Usage(1, 10, 20)])
def test_of__an_odd_report_raises_nothing(used):
    assert Prices(MODEL).of(used) in (None, library(MODEL, Usage(1, 10, 10)).total_price)


def test_complete__each_request_by_its_own_size():
    used = [USED, LARGE]
    model = PricedModel(ScriptedModel.of(*(reply(usage=one) for one in used)), Prices(MODEL))
    request = ModelRequest((), (), 1, "t", 1)
    total = model.complete(request).usage + model.complete(request).usage
    assert total.cost_usd == sum(library(MODEL, one).total_price for one in used)
    assert total.cost_usd != library(MODEL, total).total_price, "together they would look like one large request"


def test_cost_of__as_priced_else_as_one_request():
    assert cost_of(Usage(2, 5, cost_usd=Decimal("0.5")), MODEL, None, None) == 0.5
    assert cost_of(Usage(), "no-such-model", None, None) == 0.0
    assert cost_of(USED, MODEL, 2.0, 8.0) == 0.28
    assert cost_of(USED, "no-such-model", None, None) is None


def test_price_of__a_million_tokens_of_small_requests():
    assert price_of(MODEL, None) == (1.25, f"{MODEL}, genai-prices")
    assert price_of(MODEL, 3.0) == (3.0, "as given")
    assert price_of("no-such-model", None)[0] is None
