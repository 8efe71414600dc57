"""The context window of a run: as asked for, but never above what the model takes."""

from __future__ import annotations

import re

from devpulse.core.messages import Usage
from devpulse.main.prices import look_up
from devpulse.settings import Settings

_FAMILY_WINDOW = 1_048_576
_FAMILY = re.compile(
    r"gemini-(?:2\.0|2\.5|3|3\.\d)-(?:flash-lite|flash|pro)(?:-preview|-latest)?(?:-\d[\d-]*)?"
    r"|gemini-(?:flash-lite|flash|pro)-latest"
)
"""Text models whose input limit is that by Google's model pages; for these no library need be imported to know it."""


def model_window(model: str) -> int | None:
    """The tokens a model takes, by its name; ``None`` when that is not known."""
    if _FAMILY.fullmatch(model.removeprefix("models/")):
        return _FAMILY_WINDOW
    known = look_up(model, Usage(input_tokens=1))
    return None if known is None else known.model.context_window


def window_of(settings: Settings) -> int:
    """The window in use: the one asked for, or the model's when that is smaller."""
    return min(settings.context_window, _limit(settings) or settings.context_window)


def window_notice(settings: Settings) -> str:
    """What the reader must know about the window, if anything."""
    limit, asked = _limit(settings), settings.context_window
    if settings.choose_engine() == "offline" or (limit is not None and limit >= asked):
        return ""
    if limit is None:
        return f"How many tokens {settings.model} takes is not known; context-window ({asked:,}) is used as given."
    return f"{settings.model} takes {limit:,} tokens; that is used in place of context-window ({asked:,})."


def _limit(settings: Settings) -> int | None:
    return None if settings.choose_engine() == "offline" else model_window(settings.model)
