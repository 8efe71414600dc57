"""One history for all tasks: what an agent has that never starts afresh. Only comparisons use it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from devpulse.core.compaction import DENIED
from devpulse.core.fence import Fence
from devpulse.core.history import request_tokens
from devpulse.core.messages import (
    AssistantMessage,
    Message,
    ModelReply,
    ModelRequest,
    StopReason,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from devpulse.core.reference import decision_line
from devpulse.core.task_text import FILE_KIND
from devpulse.core.tool_specs import SUBMIT_REVIEW
from devpulse.pipeline.other_requests import is_review
from devpulse.ports import ReviewModel

_TAKEN = "Taken."
"""Answers the calls that ended a task: a history may not hold a call without a result."""

_READY = AssistantMessage("Ready for the next task.")
"""Stands between a result and the next task, since both are the user's turn, and turns take turns."""


@dataclass(frozen=True, slots=True)
class _Chapter:
    """A finished task: everything that was said in it, and what must outlive a summary word for word."""

    messages: tuple[Message, ...]
    lasting: tuple[str, ...]
    calls: int


class SharedHistory:
    """Puts all earlier tasks in front of the newest one. For one thread: tasks must come one after the other.

    What checks or concludes a review keeps its own context. ``limit`` are the tokens that finished tasks may take;
    beyond it the oldest half of them becomes one summary, and again until the rest fits. Without one nothing is
    ever left out.
    """

    def __init__(self, model: ReviewModel, fence: Fence, limit: int | None = None) -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self._model = model
        self._fence = fence
        self._limit = limit
        self._chapters: list[_Chapter] = []
        self._summed_up: list[_Chapter] = []
        self._own: tuple[Message, ...] = ()
        self._reply: ModelReply | None = None

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        if not is_review(request):
            return self._model.complete(request)
        system, *own = request.messages
        if self._own and own[0] is not self._own[0]:
            self._close()
        self._own, self._reply = tuple(own), None
        self._reply = self._model.complete(replace(request, messages=(system, *self._earlier(), *own)))
        return self._reply

    def _close(self) -> None:
        """The task before is over: its last answer goes into the history with the rest of it."""
        messages = (*self._own, *_ended(self._reply))
        if isinstance(messages[-1], ToolMessage):
            messages = (*messages, _READY)
        calls = [c for message in messages if isinstance(message, AssistantMessage) for c in message.tool_calls]
        self._chapters.append(_Chapter(messages, self._lasting(messages, calls), len(calls)))
        while self._limit is not None and self._chapters and request_tokens(self._earlier()) > self._limit:
            half = (len(self._chapters) + 1) // 2
            self._summed_up += self._chapters[:half]
            del self._chapters[:half]

    def _lasting(self, messages: Iterable[Message], calls: Sequence[ToolCall]) -> tuple[str, ...]:
        denials = [m.text for m in messages if isinstance(m, ToolMessage) and m.text.startswith(DENIED)]
        submitted = [call.arguments for call in calls if call.name == SUBMIT_REVIEW]
        level = submitted[-1].get("overall_risk", "none") if submitted else "unknown"
        opening = self._own[0].text
        about = json.loads("".join(self._fence.blocks(FILE_KIND, opening)))
        return (*denials, decision_line(about["path"], str(level)))

    def _earlier(self) -> list[Message]:
        kept = [message for chapter in self._chapters for message in chapter.messages]
        if not self._summed_up:
            return kept
        calls = sum(chapter.calls for chapter in self._summed_up)
        rows = [f"Summary of {len(self._summed_up)} earlier tasks with {calls} tool calls; all of them are done."]
        rows += (line for chapter in self._summed_up for line in chapter.lasting)
        return [UserMessage("\n".join(rows)), *kept]


def _ended(reply: ModelReply | None) -> list[Message]:
    if reply is None or reply.stop not in (StopReason.STOP, StopReason.TOOL_CALLS):
        return []
    said = AssistantMessage(reply.text, reply.tool_calls, reply.provider_state)
    return [said, *(ToolMessage(call.id, call.name, _TAKEN) for call in reply.tool_calls)]
