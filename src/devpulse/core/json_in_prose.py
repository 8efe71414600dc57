"""A form that a model wrote into its text instead of calling the tool: found whole, or not at all."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

MAX_TRIES = 50
"""Opening braces tried; text with more is prose about code, not a form."""


def find_form(text: str, required: Collection[str]) -> dict[str, Any] | None:
    """The first complete JSON object that holds every required key; broken or cut JSON is never repaired."""
    decoder = json.JSONDecoder()
    position = -1
    for _ in range(MAX_TRIES):
        position = text.find("{", position + 1)
        if position < 0:
            return None
        try:
            value, _end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and all(key in value for key in required):
            return value
    return None
