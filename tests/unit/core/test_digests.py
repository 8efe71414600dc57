"""Digests of messages."""

from __future__ import annotations

import re

from devpulse.core.digests import message_digest, message_digests
from devpulse.core.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, UserMessage


def _call(**changes):
    return ToolCall(**{"id": "c1", "name": "read_lines", "arguments": {"path": "a", "start_line": 1}, **changes})


def test_message_digest__says_who_speaks():
    messages = (SystemMessage("x"), UserMessage("x"), AssistantMessage("x"), ToolMessage("c1", "read_lines", "x"))
    digests = message_digests(messages)
    assert [digest[:2] for digest in digests] == ["s:", "u:", "a:", "t:"]
    assert all(re.fullmatch("[suat]:[0-9a-f]{16}", digest) for digest in digests)
    assert digests == message_digests(messages)


def test_message_digest__changes_with_all_that_is_said():
    different: list[Message] = [
        SystemMessage("x"),
        SystemMessage("y"),
        UserMessage("caf\udce9"),
        AssistantMessage("x"),
        AssistantMessage("", (_call(),)),
        AssistantMessage("", (_call(), _call())),
        AssistantMessage("", (_call(id="c2"),)),
        AssistantMessage("", (_call(name="search_codebase"),)),
        AssistantMessage("", (_call(arguments={"path": "b", "start_line": 1}),)),
        ToolMessage("c1", "read_lines", "x"),
        ToolMessage("c2", "read_lines", "x"),
        ToolMessage("c1", "search_codebase", "x"),
        ToolMessage("c1", "read_lines", "y"),
    ]
    assert len(set(message_digests(different))) == len(different)


def test_message_digest__the_engines_own_form_and_the_order_of_arguments_do_not_matter():
    one = AssistantMessage("", (_call(arguments={"a": 1, "b": 2}),), object())
    other = AssistantMessage("", (_call(arguments={"b": 2, "a": 1}),))
    assert message_digest(one) == message_digest(other)
