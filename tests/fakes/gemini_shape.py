"""A whole exchange of the real client with the fake service, as text for the documentation; the same each time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fakes import gemini_replies as say
from fakes.gemini import FakeGemini, script
from fakes.gemini_client import a_request, gemini_for
from fakes.gemini_replies import Call

from devpulse.core.messages import AssistantMessage, ModelReply, ToolMessage
from devpulse.core.tool_specs import TOOLS

BEGIN = "<!-- recorded by scripts/record_gemini_shape.py -->"
END = "<!-- end of the recording -->"
_SHOWN_HEADERS = ("content-type", "x-goog-api-key", "x-server-timeout")


def recorded_shape() -> str:
    """Two turns, a call and its result between them, with one tool declared instead of all."""
    tools = [tool for tool in TOOLS if tool.name == "read_lines"]
    call = Call("read_lines", {"path": "app.py", "start_line": 1, "end_line": 2})
    replies = [say.calls(call), say.text("Nothing to report.")]
    bodies: list[Mapping[str, Any]] = []
    with FakeGemini(script(replies), sent=bodies.append) as fake:
        model = gemini_for(fake)
        first = model.complete(a_request(tools=tools))
        second = a_request(*_answered(first), tools=tools, step=2, forced_tool="read_lines")
        model.complete(second)
    headers = {name: fake.wire[0].headers[name] for name in _SHOWN_HEADERS} | {"x-goog-api-key": "(the key)"}
    lines = [f"POST {fake.wire[0].target}", *(f"{name}: {value}" for name, value in headers.items())]
    parts = [BEGIN, "", "Where requests go, with some of their headers:", "", "```http", *lines, "```", ""]
    before, after = (request.body for request in fake.requests)
    changed = {name: value for name, value in after.items() if value != before.get(name)}
    titles = ["First request", "First reply", "Second request, with the tool forced; the rest is as before"]
    exchanged = [before, bodies[0], changed]
    for title, body in zip(titles, exchanged, strict=True):
        parts += [f"{title}:", "", "```json", json.dumps(body, indent=2), "```", ""]
    return "\n".join([*parts, END])


def _answered(reply: ModelReply) -> list[AssistantMessage | ToolMessage]:
    answers = [ToolMessage(call.id, call.name, "1 import os") for call in reply.tool_calls]
    return [AssistantMessage(reply.text, reply.tool_calls, reply.provider_state), *answers]


def with_recording(document: str, shape: str) -> str:
    """The document with what stands between the two marks replaced."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + shape + after
