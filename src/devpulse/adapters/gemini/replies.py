"""From LangChain's reply to the core's: why it stopped comes first, what it says second."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, message_to_dict

from devpulse.adapters.gemini.failures import Failure
from devpulse.core.messages import AssistantMessage, ModelReply, ModelRequest, StopReason, ToolCall, Usage
from devpulse.errors import ModelError

MAX_TEXT = 1_000_000
"""The longest text of a reply that is accepted, in characters; tool arguments are validated where they are used."""

_SIGNATURES = "__gemini_function_call_thought_signatures__"
_KEPT_METADATA = ("model_provider", "model_name")
_STOPS = {
    "MAX_TOKENS": StopReason.TRUNCATED,
    "RECITATION": StopReason.RECITATION,
    "MALFORMED_FUNCTION_CALL": StopReason.MALFORMED_CALL,
    "UNEXPECTED_TOOL_CALL": StopReason.MALFORMED_CALL,
    "TOO_MANY_TOOL_CALLS": StopReason.MALFORMED_CALL,
    **dict.fromkeys(("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "MODEL_ARMOR"), StopReason.BLOCKED),
}


def to_reply(message: AIMessage, request: ModelRequest, attempts: int) -> ModelReply | Failure:
    """The reply, with call ids that are new to the history of ``request``."""
    text = str(message.text)
    if len(text) > MAX_TEXT:
        return Failure(
            ModelError(
                f"Gemini answered with {len(text)} characters of text, more than the {MAX_TEXT} accepted",
                hint="Lower context-window, or try another model.",
            )
        )
    kept = _renumbered(message, request)
    stop, detail = stop_of(message, text)
    return ModelReply(
        text=text,
        tool_calls=tuple(ToolCall(str(call["id"]), call["name"], call["args"]) for call in kept.tool_calls),
        stop=stop,
        usage=_usage(message, attempts),
        model=str(message.response_metadata.get("model_name") or ""),
        detail=detail,
        provider_state=message_to_dict(kept),
    )


def stop_of(message: AIMessage, text: str) -> tuple[StopReason, str]:
    """Why the model stopped, and the provider's word for it unless the answer is complete."""
    metadata = message.response_metadata
    finish = metadata.get("finish_reason")
    if finish is None:
        return _unfinished(message, text, metadata.get("prompt_feedback") or {})
    if finish != "STOP":
        stop = _STOPS.get(finish, StopReason.OTHER)
        return stop, f"answer withheld, {finish}" if stop is StopReason.BLOCKED else finish
    if message.invalid_tool_calls or not all(call["name"] for call in message.tool_calls):
        return StopReason.MALFORMED_CALL, "a call without a name or with arguments that are no object"
    if message.tool_calls:
        return StopReason.TOOL_CALLS, ""
    return (StopReason.STOP, "") if text else (StopReason.EMPTY, "neither text nor a call")


def _unfinished(message: AIMessage, text: str, feedback: Mapping[str, Any]) -> tuple[StopReason, str]:
    if reason := feedback.get("block_reason"):
        return StopReason.BLOCKED, f"prompt refused, {getattr(reason, 'value', reason)}"
    if text or message.tool_calls:
        return StopReason.OTHER, "no finish reason"
    return StopReason.EMPTY, "no candidate"


def _renumbered(message: AIMessage, request: ModelRequest) -> AIMessage:
    """The message with ids of our own: Gemini may give none (the library then makes random ones) or the same again."""
    ids = _fresh_ids(request, len(message.tool_calls))
    new = {str(call["id"]): own for call, own in zip(message.tool_calls, ids, strict=True)}
    calls = [{**call, "id": own} for call, own in zip(message.tool_calls, ids, strict=True)]
    extras = dict(message.additional_kwargs)
    if signatures := extras.get(_SIGNATURES):
        extras[_SIGNATURES] = {new[old]: signature for old, signature in signatures.items() if old in new}
    metadata = {name: message.response_metadata[name] for name in _KEPT_METADATA if name in message.response_metadata}
    # The message's own id is random and is not sent.
    changes = {"id": None, "tool_calls": calls, "additional_kwargs": extras, "response_metadata": metadata}
    return message.model_copy(update=changes)


def _fresh_ids(request: ModelRequest, count: int) -> list[str]:
    replies = [message for message in request.messages if isinstance(message, AssistantMessage)]
    used = {call.id for reply in replies for call in reply.tool_calls}
    numbered = (f"call-{request.step}-{number}" for number in itertools.count(1))
    return list(itertools.islice((each for each in numbered if each not in used), count))


def _usage(message: AIMessage, attempts: int) -> Usage:
    """The tokens as reported; a reply without candidates reports none through the library."""
    reported = message.usage_metadata
    if reported is None:
        return Usage(requests=attempts)
    return Usage(
        requests=attempts,
        input_tokens=reported["input_tokens"],
        cached_tokens=reported.get("input_token_details", {}).get("cache_read", 0),
        output_tokens=reported["output_tokens"],
        thinking_tokens=reported.get("output_token_details", {}).get("reasoning", 0),
    )
