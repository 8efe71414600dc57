"""Digests of messages, by which the log tells afterwards what every request was made of."""

from __future__ import annotations

import json
from collections.abc import Iterable

from devpulse.core.messages import AssistantMessage, Message, SystemMessage, ToolMessage
from devpulse.core.prompt import digest


class Digests(tuple[str, ...]):
    """Digests of several messages, in their order. The log writes all of them, however many."""

    __slots__ = ()


def message_digest(message: Message) -> str:
    """Who speaks (``s``, ``u``, ``a`` or ``t``), a colon, and 16 hex digits that change with all that is said."""
    if isinstance(message, SystemMessage):
        return f"s:{digest(message.text)}"
    if isinstance(message, AssistantMessage):
        calls = [[call.id, call.name, dict(call.arguments)] for call in message.tool_calls]
        return f"a:{digest(json.dumps([message.text, calls], sort_keys=True, default=str))}"
    if isinstance(message, ToolMessage):
        return f"t:{digest(json.dumps([message.call_id, message.name, message.text]))}"
    return f"u:{digest(message.text)}"


def message_digests(messages: Iterable[Message]) -> Digests:
    """The digest of each message."""
    return Digests(map(message_digest, messages))
