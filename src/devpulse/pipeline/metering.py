"""An engine with a meter: what it is really sent, and what it reports."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from devpulse.core.history import declared_tokens, request_tokens
from devpulse.core.messages import ModelReply, ModelRequest, Usage
from devpulse.ports import ReviewModel

if TYPE_CHECKING:
    from devpulse.core.comparison import SentSize


def whole_request_tokens(request: ModelRequest) -> int:
    """Estimated input tokens of a request: its messages and the declarations of its tools."""
    return request_tokens(request.messages) + declared_tokens(request.tools)


class Meter:
    """Measures each request before it is sent, also one that fails. Safe to use from several threads.

    ``label`` goes in front of the task's name, so that requests written down as they are sent can be told apart.
    """

    def __init__(self, model: ReviewModel, label: str = "") -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self.sizes: list[SentSize] = []
        self.reported = Usage()
        self.tokens = 0
        self._model = model
        self._label = label
        self._lock = Lock()

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        from devpulse.core.comparison import SentSize  # noqa: PLC0415  (only compared runs are measured)

        size = SentSize(request.task, whole_request_tokens(request))
        with self._lock:
            self.sizes.append(size)
            self.tokens += size.tokens
        reply = self._model.complete(replace(request, task=f"{self._label}{request.task}"))
        with self._lock:
            self.reported += reply.usage
        return reply
