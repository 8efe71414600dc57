"""What the messages of a conversation weigh and are."""

from __future__ import annotations

from builders import call

from devpulse.core.history import context_digest, history_tokens, request_tokens
from devpulse.core.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage

PLAIN: list[Message] = [SystemMessage("system"), UserMessage("task")]


def test_context_digest__changes_with_everything_in_it():
    digests = {
        context_digest(messages)
        for messages in (
            PLAIN,
            [PLAIN[0], UserMessage("other")],
            [*PLAIN, AssistantMessage("")],
            [*PLAIN, AssistantMessage("", (call("read_lines", path="a"),))],
            [*PLAIN, ToolMessage("1", "read_lines", "answer")],
        )
    }
    assert len(digests) == 5


def test_request_tokens__adds_up():
    assert request_tokens(PLAIN) == 3
    assert request_tokens([*PLAIN, ToolMessage("1", "t", "x" * 400)]) == 103


def test_history_tokens__leaves_out_system_prompt_and_task():
    assert history_tokens(PLAIN) == 0
    assert history_tokens([*PLAIN, ToolMessage("1", "t", "x" * 400)]) == 100
