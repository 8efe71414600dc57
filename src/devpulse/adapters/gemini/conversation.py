"""From the core's messages and tools to LangChain's and Gemini's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

from google.genai import types
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_from_dict,
)
from langchain_core.messages.tool import tool_call

from devpulse.core import messages as core
from devpulse.errors import ModelError


def to_langchain(history: Sequence[core.Message]) -> list[BaseMessage]:
    """The history as LangChain's messages; replies that came from Gemini are put back as they were.

    The task and a summary of what followed it become one turn of two parts, since the user's turns and the model's
    take turns.

    Raises:
        ModelError: a tool result has no call before it. The library would drop it without a word.
    """
    called: set[str] = set()
    converted: list[BaseMessage] = []
    for message in history:
        if isinstance(message, core.UserMessage) and converted and isinstance(converted[-1], HumanMessage):
            converted[-1] = _with_part(converted[-1], message.text)
            continue
        if isinstance(message, core.AssistantMessage):
            called.update(call.id for call in message.tool_calls)
        elif isinstance(message, core.ToolMessage) and message.call_id not in called:
            raise ModelError(
                f"the result of {message.name} has no call", hint="This is a fault of the program; please report it."
            )
        converted.append(_message(message))
    return converted


def _with_part(turn: HumanMessage, text: str) -> HumanMessage:
    parts = [turn.content] if isinstance(turn.content, str) else turn.content
    return HumanMessage([*parts, {"type": "text", "text": text}])


def _message(message: core.Message) -> BaseMessage:
    match message:
        case core.SystemMessage(text):
            return SystemMessage(text)
        case core.UserMessage(text):
            return HumanMessage(text)
        case core.ToolMessage(call_id, name, text):
            # As JSON, because the library parses what looks like it: a result "1e400" would become infinity.
            return ToolMessage(json.dumps({"output": text}), tool_call_id=call_id, name=name)
        case core.AssistantMessage(text, calls, state):
            if state is not None:
                return messages_from_dict([cast("dict[str, object]", state)])[0]
            wanted = [tool_call(name=call.name, args=dict(call.arguments), id=call.id) for call in calls]
            return AIMessage(text, tool_calls=wanted)


def to_declarations(tools: Sequence[core.ToolSpec]) -> list[types.Tool]:
    """The tools as Gemini's own type: LangChain's conversion would drop ``minimum`` and other keywords.

    Raises:
        ValueError: a tool's parameters use a keyword that Gemini's schema does not have.
    """
    declarations = [
        types.FunctionDeclaration(
            name=tool.name,
            description=tool.description,
            parameters=types.Schema.model_validate(dict(tool.parameters)),
        )
        for tool in tools
    ]
    return [types.Tool(function_declarations=declarations)] if declarations else []
