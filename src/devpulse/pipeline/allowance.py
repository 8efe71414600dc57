"""The tokens a whole run may use: counted at the engine, so that whatever asks is counted."""

from __future__ import annotations

from threading import Lock

from devpulse.core.finding import FindingSource
from devpulse.core.history import request_tokens
from devpulse.core.messages import ModelReply, ModelRequest
from devpulse.pipeline.metering import whole_request_tokens
from devpulse.ports import ReviewModel

SPENT = "token budget used up"


class Allowance:
    """How many tokens a run has used of those it may use; ``limit`` is ``None`` for any number.

    Input and output as reported. What is not reported is estimated: the engine of rules, a request that failed, and
    requests under way, so that many at once cannot each find the same tokens left. Safe to use from several threads.
    """

    def __init__(self, limit: int | None) -> None:
        self.used = 0
        self._limit = limit
        self._lock = Lock()

    def stopped(self) -> str:
        """Why nothing more may be asked, or an empty text while tokens are left."""
        return SPENT if self._limit is not None and self.used >= self._limit else ""

    def take(self, tokens: int) -> None:
        """Use tokens; a negative number gives back what was taken too much."""
        with self._lock:
            self.used += tokens


class CountedModel:
    """An engine whose requests are taken out of an allowance."""

    def __init__(self, model: ReviewModel, allowance: Allowance) -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self._model = model
        self._allowance = allowance

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        estimated = self._estimate(request)
        self._allowance.take(estimated)
        reply = self._model.complete(request)
        reported = reply.usage.input_tokens + reply.usage.output_tokens
        if reported:
            self._allowance.take(reported - estimated)
        return reply

    def _estimate(self, request: ModelRequest) -> int:
        # Declarations of tools go to a service; the engine of rules knows its tools.
        counted = whole_request_tokens if self.source is FindingSource.MODEL else _messages
        return counted(request)


def _messages(request: ModelRequest) -> int:
    return request_tokens(request.messages)
