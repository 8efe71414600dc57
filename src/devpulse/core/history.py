"""What the messages of a conversation weigh and are, as the budget and the log see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devpulse.core.budget import estimate_all, estimate_tokens
from devpulse.core.messages import AssistantMessage, Message, ToolSpec
from devpulse.core.prompt import digest

OPENING = 2
"""The system prompt and the task: what every conversation starts with. What comes after them is its history."""


def request_tokens(messages: Sequence[Message]) -> int:
    """Estimated tokens of messages, calls and their arguments included; tool declarations apart."""
    return sum(estimate_tokens(_content(message)) for message in messages)


def declared_tokens(tools: Iterable[ToolSpec]) -> int:
    """Estimated tokens of tool declarations: names, descriptions and parameters."""
    return estimate_all(f"{tool.name}{tool.description}{dict(tool.parameters)}" for tool in tools)


def history_tokens(messages: Sequence[Message]) -> int:
    """Estimated tokens of all that was said and looked up after the opening."""
    return request_tokens(messages[OPENING:])


def context_digest(messages: Sequence[Message]) -> str:
    """A digest of everything a request holds, for the log."""
    return digest("\x1e".join(_content(message) for message in messages))


def _content(message: Message) -> str:
    if isinstance(message, AssistantMessage):
        calls = "".join(f"{call.name}{dict(call.arguments)}" for call in message.tool_calls)
        return message.text + calls
    return message.text
