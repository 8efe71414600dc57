"""How much of a model's window each part of a context may take, measured in estimated tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

CHARACTERS_PER_TOKEN = 4
DEFAULT_WINDOW = 32_000

SYSTEM_PERCENT = 5
CONTENT_PERCENT = 50
HISTORY_PERCENT = 25
OUTPUT_PERCENT = 20
PLANNED_PERCENT = 90
"""Of the room for content what a plan fills: headings and escapes of hidden characters come on top."""

REQUEST_PERCENT = 80
"""A request above this part of the window is never sent: the rest is the room for the answer."""


def estimate_tokens(text: str) -> int:
    """Tokens of a text by the usual rule of thumb: one for four characters, rounded up, at least one."""
    return max(1, -(-len(text) // CHARACTERS_PER_TOKEN))


def estimate_all(texts: Iterable[str]) -> int:
    """Tokens of several texts together."""
    return sum(map(estimate_tokens, texts))


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """The shares of one context window; all figures are tokens."""

    window: int = DEFAULT_WINDOW

    @property
    def system(self) -> int:
        """Room for the system prompt."""
        return self.window * SYSTEM_PERCENT // 100

    @property
    def active_content(self) -> int:
        """Room for the annotated diff a child starts with."""
        return self.window * CONTENT_PERCENT // 100

    @property
    def planned_content(self) -> int:
        """What the annotated diff of a part, with the functions around it, is planned to take at most."""
        return self.active_content * PLANNED_PERCENT // 100

    @property
    def history(self) -> int:
        """Room for everything said and looked up after the first request."""
        return self.window * HISTORY_PERCENT // 100

    @property
    def output(self) -> int:
        """Room for one answer."""
        return self.window * OUTPUT_PERCENT // 100

    @property
    def request(self) -> int:
        """The most that one request may hold."""
        return self.window * REQUEST_PERCENT // 100

    def should_compress(self, history_tokens: int) -> bool:
        """Whether a history has outgrown its share."""
        return history_tokens > self.history

    def should_abort(self, request_tokens: int) -> bool:
        """Whether a request is too large to be sent at all."""
        return request_tokens > self.request
