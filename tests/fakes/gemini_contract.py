"""What the published descriptions of the Gemini API say about a request and a reply.

Requests are parsed as Google's v1beta protobufs; replies are read with google-genai's types, which know every
published field and refuse others.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping
from importlib import import_module
from typing import Any

SENTINEL = "skip_thought_signature_validator"
"""What a client sends in place of a lost thought signature: the check is skipped, and the thought is lost."""


@functools.cache
def _protobufs() -> tuple[Any, Any]:
    # A second to import, so only for the tests that reach a fake.
    service = import_module("google.ai.generativelanguage_v1beta.types.generative_service")
    return service.GenerateContentRequest.pb(), import_module("google.protobuf.json_format")


def request_faults(body: Mapping[str, Any]) -> list[str]:
    """Why the service would not take this request, by its published description."""
    message, json_format = _protobufs()
    try:
        json_format.ParseDict(_without_newer_fields(body), message())
    except json_format.ParseError as error:
        return [f"not a GenerateContentRequest: {error}"]
    return []


def _without_newer_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """The request less what the service documents but the published protobufs do not have yet."""
    known = copy.deepcopy(dict(body))
    thinking = known.get("generationConfig", {}).get("thinkingConfig", {})
    for name in ("thinkingLevel", "thinking_level"):
        thinking.pop(name, None)
    calling = known.get("toolConfig", {}).get("functionCallingConfig", {})
    if calling.get("mode") == "VALIDATED":
        calling["mode"] = "AUTO"
    return known


def check_reply(body: Mapping[str, Any]) -> None:
    """Fail when a reply of the fake is not one the service could send.

    Raises:
        pydantic.ValidationError: a field is unknown or of another type.
    """
    from google.genai import types  # noqa: PLC0415  (slow to import)

    types.GenerateContentResponse.model_validate(body)


def turn_faults(contents: list[Mapping[str, Any]]) -> list[str]:
    """Broken rules about turns: roles take turns, calls follow a user turn, and results answer all calls of the turn
    before, in order."""
    faults = []
    for number, content in enumerate(contents):
        before = contents[number - 1] if number else {}
        called = [part["functionCall"]["name"] for part in parts_of(before) if "functionCall" in part]
        answered = [part["functionResponse"]["name"] for part in parts_of(content) if "functionResponse" in part]
        if content.get("role") == before.get("role"):
            faults.append(f"turn {number} is a second turn of one role")
        if not parts_of(content):
            faults.append(f"turn {number} has no part")
        if any("functionCall" in part for part in parts_of(content)) and before.get("role") != "user":
            faults.append(f"turn {number} calls a function but does not follow a user turn")
        if called != answered:
            faults.append(f"turn {number} answers {answered}, but the turn before calls {called}")
    if not contents or contents[-1].get("role") != "user":
        faults.append("the last turn is not the user's")
    elif any("functionCall" in part for part in parts_of(contents[-1])):
        faults.append("the user's turn holds a call")
    return faults


def parts_of(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The parts of one turn."""
    return list(content.get("parts", ()))
