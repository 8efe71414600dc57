"""The engine of a run, and what takes its place when it is down."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from devpulse.core.messages import ModelReply, ModelRequest
from devpulse.errors import ModelMisconfigured, ModelUnavailable
from devpulse.ports import ReviewModel, RunLog

OUTAGES = 3
"""So many conversations given up in a row, each after all its retries, are not bad luck: the engine is down."""
PAUSE_SECONDS = 60.0
"""How long an engine that is down is left alone before one conversation may try whether it is back."""


def no_clock() -> float:
    """Time that stands still: an engine that is down stays so."""
    return 0.0


class Engines:
    """A breaker: an engine that is plainly down is not asked again, but for one conversation now and then.

    ``fallback`` is ``None`` when the user asked for this very engine. ``model`` is to be asked through here, so that
    every answer is known at once. ``clock`` gives seconds and never goes back. Safe to use from several threads.

    ``outage`` is why a conversation had to be given up, the first time it happened; ``down`` is why the engine is left
    alone at the moment. Both are empty while there is no such reason.
    """

    def __init__(
        self, model: ReviewModel, fallback: ReviewModel | None, log: RunLog, clock: Callable[[], float] = no_clock
    ) -> None:
        self.model: ReviewModel = _Heard(model, self.answered)
        self.fallback = fallback
        self._log = log
        self._clock = clock
        self._lock = Lock()
        self._answered = False
        self._wrong: ModelMisconfigured | None = None
        self._in_a_row = 0
        self._tried_at = 0.0
        self.outage = ""
        self.down = ""

    @property
    def failing(self) -> bool:
        """Whether the last that was heard of the engine is that a conversation had to be given up."""
        return self._in_a_row > 0

    def check(self) -> None:
        """Refuse to go on when no request of the run can succeed.

        Raises:
            ModelMisconfigured: the engine said so before it ever answered.
        """
        if self._wrong is not None:
            raise self._wrong

    def refusal(self) -> str:
        """Why no conversation may begin; empty while the engine is up, and once in every pause, to try it."""
        with self._lock:
            now = self._clock()
            if not self.down or now - self._tried_at < PAUSE_SECONDS:
                return self.down
            self._tried_at = now
            self._log.record("model_tried", reason=self.down)
            return ""

    def answered(self) -> None:
        """Note that the engine works: what goes wrong from now on is not a matter of configuration."""
        with self._lock:
            self._answered = True
            self._in_a_row = 0
            if self.down:
                self._log.record("model_back", reason=self.down)
                self.down = ""

    def gave_out(self, error: ModelUnavailable | ModelMisconfigured) -> None:
        """Note why a conversation had to be given up.

        Raises:
            ModelMisconfigured: it never answered, so that its key, model or permission must be wrong.
        """
        with self._lock:
            if isinstance(error, ModelMisconfigured) and not self._answered:
                self._wrong = error
                raise error
            self.outage = self.outage or str(error)
            self._in_a_row += 1
            self._tried_at = self._clock()
            if self._in_a_row >= OUTAGES and not self.down:
                self.down = str(error)
                self._log.record("model_down", reason=self.down, fallback=self.fallback is not None)


class _Heard:
    """An engine that says when it has answered."""

    def __init__(self, model: ReviewModel, answered: Callable[[], None]) -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self._model = model
        self._answered = answered

    def complete(self, request: ModelRequest) -> ModelReply:
        reply = self._model.complete(request)
        self._answered()
        return reply
