"""What tokens cost: as the user says, else from a price library, else unknown."""

from __future__ import annotations

from devpulse.core.messages import Usage

_MILLION = 1_000_000


def price_of(model: str, given: float | None) -> tuple[float | None, str]:
    """USD for a million input tokens, and where the figure comes from or why there is none."""
    if given is not None:
        return given, "as given"
    price = _library_price(model, Usage(input_tokens=_MILLION))
    if price is None:
        return None, f"no price is known for {model}; give one with --price-input"
    return price, f"{model}, genai-prices"


def cost_of(usage: Usage, model: str, price_input: float | None, price_output: float | None) -> float | None:
    """USD for what was used, or ``None`` when a price is unknown.

    Given prices are for a million tokens, cached ones at the input price and thoughts at the output price.
    """
    if not usage.requests:
        return 0.0
    if price_input is None and price_output is None:
        return _library_price(model, usage)
    if price_input is None:
        price_input = _library_price(model, Usage(input_tokens=_MILLION))
    if price_output is None:
        price_output = _library_price(model, Usage(output_tokens=_MILLION))
    if price_input is None or price_output is None:
        return None
    return (usage.input_tokens * price_input + usage.output_tokens * price_output) / _MILLION


def _library_price(model: str, usage: Usage) -> float | None:
    from genai_prices import Usage as Priced  # noqa: PLC0415  (slow to import, and not needed offline)
    from genai_prices import calc_price  # noqa: PLC0415  (as above)

    priced = Priced(
        input_tokens=usage.input_tokens, cache_read_tokens=usage.cached_tokens, output_tokens=usage.output_tokens
    )
    try:
        return float(calc_price(priced, model_ref=model, provider_id="google").total_price)
    except LookupError:
        return None
