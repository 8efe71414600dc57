"""The model port's own words: messages, tool calls, requests and replies, free of any model library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

Json = Mapping[str, Any]
"""A JSON object; values come from outside and are validated where they are used."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told about it. ``parameters`` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Json


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for. ``id`` is unique within one child."""

    id: str
    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """The system prompt; always the first message.

    It is the same in every conversation of a kind, so that requests share a prefix.
    """

    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the program says to the model; repository text in it is fenced."""

    text: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """A reply put back into the history. ``provider_state`` is the engine's own form of it, which
    is passed back untouched or thought signatures would be lost."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    provider_state: Any = None


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The result of one call; never parted from it."""

    call_id: str
    name: str
    text: str


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage


class StopReason(StrEnum):
    """Why the model stopped. Only STOP and TOOL_CALLS are complete answers."""

    STOP = "stop"
    TOOL_CALLS = "tool-calls"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    RECITATION = "recitation"
    MALFORMED_CALL = "malformed-call"
    EMPTY = "empty"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more requests, as the engine reports them; zero for the offline engine.

    Cached tokens are part of the input tokens, thinking tokens of the output tokens. ``cost_usd`` is ``None`` when
    the price of any of the requests is unknown; ask ``cost``, which knows that no request costs nothing.
    """

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    cost_usd: Decimal | None = None

    @property
    def cost(self) -> float | None:
        """USD for all of it, ``None`` when that is unknown."""
        if not self.requests:
            return 0.0
        return None if self.cost_usd is None else float(self.cost_usd)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            self.thinking_tokens + other.thinking_tokens,
            _added(self, other),
        )


def _added(one: Usage, other: Usage) -> Decimal | None:
    """Exact, so that the order of adding does not show."""
    if not (one.requests and other.requests):
        return one.cost_usd if one.requests else other.cost_usd
    return None if one.cost_usd is None or other.cost_usd is None else one.cost_usd + other.cost_usd


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request: one step of a child. ``forced_tool`` names the only tool that may be called.

    ``task`` and ``step`` say whose it is, for logs and tests; engines do not send them.
    """

    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    max_output_tokens: int
    task: str
    step: int
    forced_tool: str | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One answer. ``model`` is the version that really served it; ``provider_state`` is opaque."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    stop: StopReason
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    detail: str = ""
    provider_state: Any = None
