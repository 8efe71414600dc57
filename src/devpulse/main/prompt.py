"""``devpulse prompt``: the compact prompt and the tool declarations beside it, and what both cost.

The prompt is the very text that is sent. Declarations are measured on their names, descriptions and
parameters, as everywhere; what the service makes of them is its own.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from devpulse.core.budget import estimate_tokens
from devpulse.core.history import declared_tokens
from devpulse.core.prompt import MAX_SYSTEM_TOKENS, core_prompt, verbose_prompt
from devpulse.core.tool_specs import TOOLS
from devpulse.main.prices import price_of
from devpulse.main.published_prompts import PUBLISHED_PROMPTS, PublishedPrompt
from devpulse.requests import PromptRequest
from devpulse.settings import Settings

_MILLION = 1_000_000


def run_prompt(request: PromptRequest) -> int:
    """Print the prompt, its size, and its cost at the scale asked for."""
    settings = Settings.load(request.flags, os.environ)
    text = core_prompt()
    tokens, tool_tokens = estimate_tokens(text), declared_tokens(TOOLS)
    calls = request.prs_per_day * request.files * request.turns
    price, origin = price_of(settings.model, settings.price_input)
    figures = {
        "prompt": text,
        "characters": len(text),
        "tokens": tokens,
        "max_tokens": MAX_SYSTEM_TOKENS,
        "tool_declaration_tokens": tool_tokens,
        "price_input_usd_per_million": price,
        "price_origin": origin,
        "calls_per_day": calls,
        "cost_per_call_usd": _cost(tokens, price),
        "cost_per_day_usd": _cost(tokens * calls, price),
        "tool_cost_per_call_usd": _cost(tool_tokens, price),
        "tool_cost_per_day_usd": _cost(tool_tokens * calls, price),
        "verbose_prompt_tokens": estimate_tokens(verbose_prompt()),
        "published_prompts": [_published(each, calls, price) for each in PUBLISHED_PROMPTS],
    }
    sys.stdout.write(json.dumps(figures, indent=2) + "\n" if request.as_json else _as_text(figures, request))
    return 0


def _cost(tokens: int, price: float | None) -> float | None:
    return None if price is None else tokens * price / _MILLION


def _published(prompt: PublishedPrompt, calls: int, price: float | None) -> dict[str, object]:
    return {
        "repository": prompt.repository,
        "revision": prompt.revision,
        "tokens": prompt.tokens,
        "most_tokens": prompt.most or prompt.tokens,
        "counted": prompt.note,
        "cost_per_call_usd": _cost(prompt.tokens, price),
        "cost_per_day_usd": _cost(prompt.tokens * calls, price),
    }


def _beside(ours: int, verbose: int, price: float | None, calls: int) -> list[str]:
    """Our prompt among others, shortest first, each with its cost at the same scale."""
    known = [
        (each.tokens, f"{each.repository} ({each.note}; {each.revision})", f"-{each.most:,}" if each.most else "")
        for each in PUBLISHED_PROMPTS
    ]
    rows = sorted([(ours, "this prompt", ""), (verbose, "the same job in a verbose prompt", ""), *known])
    heading = "Prompts others publish, in estimated tokens of their text as read on 2026-11-29"
    listed = [heading if price is None else f"{heading}, and USD a day for the same calls"]
    for tokens, name, more in rows:
        cost = "" if price is None else f"{tokens * calls * price / _MILLION:>12,.2f}"
        listed.append(f"  {f'{tokens:,}{more}':>11}{cost}  {name}")
    return listed


def _as_text(figures: dict[str, Any], request: PromptRequest) -> str:
    scale = f"{request.prs_per_day:,} reviews a day x {request.files} files x {request.turns} requests"
    rows = [
        str(figures["prompt"]),
        "",
        f"size      {figures['characters']:,} characters, about {figures['tokens']} of {figures['max_tokens']} tokens",
        f"tools     about {figures['tool_declaration_tokens']} tokens of declarations go with each request",
    ]
    price = figures["price_input_usd_per_million"]
    if price is None:
        rows.append(f"price     unknown: {figures['price_origin']}")
    else:
        rows += [
            f"price     {price:g} USD per million input tokens ({figures['price_origin']})",
            f"a call    {figures['cost_per_call_usd']:.6f} USD for the prompt",
            f"          {figures['tool_cost_per_call_usd']:.6f} USD for the declarations",
            f"a day     {figures['cost_per_day_usd']:.2f} USD for {figures['calls_per_day']:,} calls ({scale})",
            f"          {figures['tool_cost_per_day_usd']:.2f} USD for their declarations",
        ]
    rows += ["", *_beside(figures["tokens"], figures["verbose_prompt_tokens"], price, figures["calls_per_day"])]
    return "\n".join(rows) + "\n"
