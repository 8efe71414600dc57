"""The engine of a run, and what takes its place when it is down."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from devpulse.core.messages import ModelReply, ModelRequest
from devpulse.errors import ModelMisconfigured, ModelUnavailable
from devpulse.ports import ReviewModel, RunLog


class Engines:
    """A breaker: once the engine is down, after all its retries, it is not asked again in this run.

    ``fallback`` is ``None`` when the user asked for this very engine. ``model`` is to be asked through here, so that
    its first answer is known at once. Safe to use from several threads.
    """

    def __init__(self, model: ReviewModel, fallback: ReviewModel | None, log: RunLog) -> None:
        self.model: ReviewModel = _Heard(model, self.answered)
        self.fallback = fallback
        self._log = log
        self._lock = Lock()
        self._answered = False
        self._wrong: ModelMisconfigured | None = None
        self.down = ""

    def check(self) -> None:
        """Refuse to go on when no request of the run can succeed.

        Raises:
            ModelMisconfigured: the engine said so before it ever answered.
        """
        if self._wrong is not None:
            raise self._wrong

    def answered(self) -> None:
        """Note that the engine works: what goes wrong from now on is not a matter of configuration."""
        self._answered = True

    def gave_out(self, error: ModelUnavailable | ModelMisconfigured) -> None:
        """Note why the engine cannot be used any more.

        Raises:
            ModelMisconfigured: it never answered, so that its key, model or permission must be wrong.
        """
        with self._lock:
            if isinstance(error, ModelMisconfigured) and not self._answered:
                self._wrong = error
                raise error
            if not self.down:
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
