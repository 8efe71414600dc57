"""Answers of the fake Gemini, each as the service would phrase it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fakes.http_server import Fault

MODEL_VERSION = "gemini-3.8-flash-001"
USAGE = {
    "promptTokenCount": 120,
    "cachedContentTokenCount": 40,
    "candidatesTokenCount": 20,
    "thoughtsTokenCount": 7,
    "totalTokenCount": 147,
}
_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


@dataclass(frozen=True)
class Reply:
    """One answer: a JSON body checked against the published types, or raw bytes that are not."""

    body: Mapping[str, Any] | None = None
    raw: bytes | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    fault: Fault | None = None


@dataclass(frozen=True)
class Call:
    """A function call to answer with; ``id`` is left out unless given, as Gemini may do."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    id: str | None = None

    def part(self) -> dict[str, Any]:
        return {"functionCall": {**({"id": self.id} if self.id else {}), "name": self.name, "args": dict(self.args)}}


def _candidate(parts: list[dict[str, Any]] | None, finish: str | None = "STOP", **extra: Any) -> Reply:
    candidate: dict[str, Any] = {"index": 0, **extra}
    if parts is not None:
        candidate["content"] = {"role": "model", "parts": parts}
    if finish is not None:
        candidate["finishReason"] = finish
    return Reply({"candidates": [candidate], "usageMetadata": dict(USAGE), "modelVersion": MODEL_VERSION})


def text(words: str, finish: str | None = "STOP") -> Reply:
    """A plain answer."""
    return _candidate([{"text": words}], finish)


def calls(*wanted: Call, words: str = "", finish: str = "STOP") -> Reply:
    """One or more function calls, after some text if there is any."""
    return _candidate([*([{"text": words}] if words else []), *(call.part() for call in wanted)], finish)


def thoughts_only(words: str = "thinking") -> Reply:
    """Nothing but a summary of thoughts."""
    return _candidate([{"text": words, "thought": True}])


def truncated(words: str | None = None) -> Reply:
    """Stopped at the output limit; without ``words`` the thoughts used it all up."""
    return _candidate([{"text": words}] if words is not None else None, "MAX_TOKENS")


def blocked_prompt(reason: str = "PROHIBITED_CONTENT") -> Reply:
    """The request was refused before any answer."""
    body = {
        "promptFeedback": {"blockReason": reason},
        "usageMetadata": {"promptTokenCount": 120, "totalTokenCount": 120},
        "modelVersion": MODEL_VERSION,
    }
    return Reply(body)


def blocked_answer(reason: str = "SAFETY") -> Reply:
    """The answer was begun and withheld."""
    return _candidate(None, reason, finishMessage="withheld by the service")


def recitation() -> Reply:
    """The answer repeated somebody's published text."""
    return _candidate(None, "RECITATION")


def malformed_call() -> Reply:
    """The model wrote a call that the service could not read."""
    return _candidate(None, "MALFORMED_FUNCTION_CALL", finishMessage="Malformed function call: submit_review(")


def finished(reason: str | None) -> Reply:
    """No content and the given reason."""
    return _candidate(None, reason)


def empty() -> Reply:
    """A complete answer without a word."""
    return _candidate([])


def no_candidates() -> Reply:
    """Not even a candidate, and no reason."""
    return Reply({"usageMetadata": {"promptTokenCount": 120, "totalTokenCount": 120}, "modelVersion": MODEL_VERSION})


def huge(characters: int) -> Reply:
    """Far more text than anybody asked for."""
    return text("x" * characters)


def http_error(
    status: int,
    message: str = "refused",
    *,
    retry_after: str | None = None,
    retry_info: str | None = None,
    details: tuple[Mapping[str, Any], ...] = (),
) -> Reply:
    """An error as Google's services write it; ``retry_info`` is a duration such as ``"2.5s"``."""
    every = [dict(detail) for detail in details]
    if retry_info is not None:
        every.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": retry_info})
    error: dict[str, Any] = {"code": status, "message": message, "status": _STATUS.get(status, "UNKNOWN")}
    if every:
        error["details"] = every
    headers = {"retry-after": retry_after} if retry_after is not None else {}
    return Reply(raw=json.dumps({"error": error}).encode(), status=status, headers=headers)


def raw(body: bytes, status: int = 200, content_type: str = "application/json") -> Reply:
    """Bytes as they are, whatever they mean."""
    return Reply(raw=body, status=status, headers={"content-type": content_type})


def slow(seconds: float, reply: Reply | None = None) -> Reply:
    """The answer after a while."""
    return replace(reply or text("late"), delay=seconds)


def cut_connection() -> Reply:
    """Half of an answer, then nothing."""
    return replace(text("half of this arrives"), fault=Fault.CUT)


def reset() -> Reply:
    """A reset instead of an answer."""
    return replace(text("never sent"), fault=Fault.RESET)


def trickle() -> Reply:
    """An answer that never ends, always quick enough for a read timeout."""
    return replace(text("never complete"), fault=Fault.TRICKLE)
