"""What a million input tokens cost: as the user says, else from a price library, else unknown."""

from __future__ import annotations


def price_of(model: str, given: float | None) -> tuple[float | None, str]:
    """USD for a million input tokens, and where the figure comes from or why there is none."""
    if given is not None:
        return given, "as given"
    from genai_prices import Usage, calc_price  # noqa: PLC0415  (slow to import, and needed for one figure)

    try:
        price = calc_price(Usage(input_tokens=1_000_000), model_ref=model, provider_id="google")
    except LookupError:
        return None, f"no price is known for {model}; give one with --price-input"
    return float(price.total_price), f"{model}, genai-prices"
