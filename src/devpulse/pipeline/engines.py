"""The engine of a run, and what takes its place when it is down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

from devpulse.errors import ModelMisconfigured, ModelUnavailable
from devpulse.ports import ReviewModel, RunLog

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Answered(Generic[Value]):
    """What an engine did, which one it was, and why it was not the one asked for (empty when it was)."""

    value: Value
    model: ReviewModel
    instead_because: str = ""


class Engines:
    """A breaker: once the engine is down, after all its retries, or misconfigured, it is not asked again.

    ``fallback`` is ``None`` when the user asked for this very engine.
    """

    def __init__(self, model: ReviewModel, fallback: ReviewModel | None, log: RunLog) -> None:
        self.model = model
        self._fallback = fallback
        self._log = log
        self._lock = Lock()
        self.down = ""
        self._wrong: ModelMisconfigured | None = None

    def ask(self, work: Callable[[ReviewModel], Value]) -> Answered[Value]:
        """Do the work with the engine, or with the fallback when the engine is down.

        Raises:
            ModelUnavailable: it is down and there is no fallback.
            ModelMisconfigured: no request of the run can succeed.
        """
        if self._wrong is not None:
            raise self._wrong
        if not self.down:
            try:
                return Answered(work(self.model), self.model)
            except ModelMisconfigured as error:
                self._wrong = error
                raise
            except ModelUnavailable as error:
                self._note_down(str(error))
        if self._fallback is None:
            raise ModelUnavailable(self.down, hint="Try again later, or use --engine offline.")
        return Answered(work(self._fallback), self._fallback, self.down)

    def _note_down(self, reason: str) -> None:
        with self._lock:
            if not self.down:
                self.down = reason
                self._log.record("model_down", reason=reason, fallback=self._fallback is not None)
