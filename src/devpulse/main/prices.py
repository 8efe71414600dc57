"""What tokens cost: as the user says, else from a price library, else unknown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from devpulse.core.messages import ModelReply, ModelRequest, Usage
from devpulse.ports import ReviewModel

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """USD per million tokens as given, ``None`` where the library is to know it, by the model's name."""

    model: str
    price_input: float | None = None
    price_output: float | None = None

    def of(self, usage: Usage, served: str = "") -> Decimal | None:
        """USD for one request, or ``None`` when a price is unknown.

        ``served`` is the version that answered; its price comes before that of the name that was asked for. A given
        price is for all tokens in or out; the library's is less for cached tokens, and more for the large requests of
        some models. Thinking costs what output costs.
        """
        if self.price_input is not None and self.price_output is not None:
            return _at(self.price_input, usage.input_tokens) + _at(self.price_output, usage.output_tokens)
        known = look_up(served, usage) or look_up(self.model, usage)
        if known is None:
            return None
        given_input, given_output = self.price_input, self.price_output
        return (known.input_price if given_input is None else _at(given_input, usage.input_tokens)) + (
            known.output_price if given_output is None else _at(given_output, usage.output_tokens)
        )


class PricedModel:
    """An engine whose replies say what they cost: request by request, since a price may depend on a request's size."""

    def __init__(self, model: ReviewModel, prices: Prices) -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self._model = model
        self._prices = prices

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        reply = self._model.complete(request)
        return replace(reply, usage=replace(reply.usage, cost_usd=self._prices.of(reply.usage, reply.model)))


def price_of(model: str, given: float | None) -> tuple[float | None, str]:
    """USD for a million input tokens, and where the figure comes from or why there is none."""
    if given is not None:
        return given, "as given"
    known = look_up(model, Usage(input_tokens=1))
    if known is None:
        return None, f"no price is known for {model}; give one with --price-input"
    return float(known.input_price * _MILLION), f"{model}, genai-prices"


def cost_of(usage: Usage, model: str, price_input: float | None, price_output: float | None) -> float | None:
    """USD for what was used, or ``None`` when a price is unknown: the sum of its requests, else as one request."""
    if usage.cost is not None:
        return usage.cost
    cost = Prices(model, price_input, price_output).of(usage)
    return None if cost is None else float(cost)


def look_up(model: str, usage: Usage) -> PriceCalculation | None:
    """What the price library makes of one request; ``None`` when it does not know the model or what it says is odd."""
    from genai_prices import Usage as Priced  # noqa: PLC0415  (slow to import, and not needed offline)
    from genai_prices import calc_price  # noqa: PLC0415  (as above)

    try:
        priced = Priced(
            input_tokens=usage.input_tokens,
            cache_read_tokens=min(usage.cached_tokens, usage.input_tokens),
            output_tokens=usage.output_tokens,
        )
        return calc_price(priced, model_ref=model.removeprefix("models/"), provider_id="google")
    except (LookupError, ValueError):
        return None


def _at(price: float, tokens: int) -> Decimal:
    return Decimal(repr(price)) * tokens / _MILLION
