"""The Gemini engine: the model port over the network."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from devpulse.adapters.gemini.config import GeminiConfig, SentRequest
from devpulse.adapters.gemini.failures import Failure
from devpulse.adapters.gemini.pacing import Pacer
from devpulse.adapters.gemini.retrying import Timing, persist
from devpulse.core.finding import FindingSource
from devpulse.core.history import declared_tokens, request_tokens
from devpulse.core.messages import ModelReply, ModelRequest
from devpulse.errors import ModelUnavailable

if TYPE_CHECKING:
    from devpulse.adapters.gemini.client import GeminiClient


_SHORTEST_TIMEOUT = 0.1
"""Seconds; the library counts in whole milliseconds and takes zero for no limit."""


def preload() -> None:
    """Import the model library, a second's work, so that a thread can do it while the diff is read."""
    from devpulse.adapters.gemini import client  # noqa: PLC0415, F401  (slow to import)


def no_deadline() -> None:
    """A run without a time budget."""


class GeminiModel:
    """Asks Gemini, through one client for all threads; built with the first request.

    ``remaining`` gives the seconds left of the run, or None. ``on_request`` sees each attempt as it is sent, in the
    thread that sends it; it may raise a ``DevpulseError``, nothing else. The other arguments are time and chance,
    for tests.

    Raises:
        ModelMisconfigured: the key, the model's name or the base URL cannot be right.
    """

    name = "gemini"
    source = FindingSource.MODEL

    def __init__(
        self,
        config: GeminiConfig,
        *,
        remaining: Callable[[], float | None] = no_deadline,
        on_request: Callable[[SentRequest], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        config.check()
        self.version = f"{config.model}-{config.thinking_level}-1"
        self._config = config
        self._timing = Timing(remaining, sleep, clock, jitter)
        self.pacer = Pacer(config.limits, self._timing)
        self._on_request = on_request
        self._building = threading.Lock()
        self._client: GeminiClient | None = None

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask, and ask again while there is a chance.

        Raises:
            ModelMisconfigured: wrong key, model, permission, proxy or certificate.
            ModelUnavailable: the service is down, unreachable or over its limits, or the run's time is used up.
            ContextOverflow: the request is longer than the model takes.
            ModelError: any other refusal, or an answer that cannot be read.
        """
        client = self._ready()
        result = persist(lambda number: self._attempt(client, request, number), self._config.retry, self._timing)
        if isinstance(result, Failure):
            # Raised here, outside of any handler, so that no library error with a request inside hangs on to it.
            raise result.error
        return result

    def _attempt(self, client: GeminiClient, request: ModelRequest, number: int) -> ModelReply | Failure:
        turn = self.pacer.enter(self._tokens(request))
        if turn is None:
            return Failure(ModelUnavailable("the run's time is used up", hint="Raise time-budget-minutes."))
        result = None
        try:
            seconds = self._config.timeout_seconds
            remaining = self._timing.remaining()
            if remaining is not None:
                seconds = max(min(seconds, remaining), _SHORTEST_TIMEOUT)
            result = client.attempt(request, number, seconds)
            return result
        finally:
            self.pacer.leave(turn, result)

    def _tokens(self, request: ModelRequest) -> int:
        """Estimated tokens of a request; zero where nobody asks."""
        if self._config.limits.tokens is None:
            return 0
        return request_tokens(request.messages) + declared_tokens(request.tools)

    def _ready(self) -> GeminiClient:
        with self._building:
            if self._client is None:
                from devpulse.adapters.gemini.client import GeminiClient  # noqa: PLC0415  (slow to import)

                self._client = GeminiClient(self._config, self._timing.clock, self._on_request)
            return self._client
