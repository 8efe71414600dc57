"""Which engine reviews, and which takes over when it is down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from devpulse.adapters.atomic import write_atomic
from devpulse.adapters.offline import OfflineEngine
from devpulse.core.pacing import Limits
from devpulse.errors import ArtifactError
from devpulse.main.deadline import Deadline
from devpulse.main.prices import PricedModel, Prices
from devpulse.ports import ReviewModel
from devpulse.settings import Settings

if TYPE_CHECKING:
    from devpulse.adapters.gemini.config import SentRequest
    from devpulse.adapters.gemini.pacing import Pacer

_OFFLINE_AT_ONCE = 1


@dataclass(frozen=True, slots=True)
class Chosen:
    """The engine of a run; ``fallback`` is ``None`` when the user asked for this very one, ``pacer`` when it is not a
    service that could be asked too much."""

    model: ReviewModel
    fallback: ReviewModel | None
    pacer: Pacer | None = None

    def at_once(self, most: int) -> int:
        """How many files, of at most so many, are reviewed at the same time.

        Where nothing is waited for, more threads than one only take the interpreter from each other: two need a quarter
        more CPU for the same files, eight nearly twice as much, and no less time.
        """
        return min(most, _OFFLINE_AT_ONCE) if self.pacer is None else most


def choose_engine(settings: Settings, deadline: Deadline) -> Chosen:
    """Build the engine.

    Raises:
        ConfigurationError: Gemini is asked for and there is no key.
        ModelMisconfigured: the key, the model's name or the base URL cannot be right.
    """
    key = settings.gemini_api_key
    if settings.choose_engine() == "offline" or key is None:
        return Chosen(OfflineEngine(), None)
    from devpulse.adapters.gemini.config import GeminiConfig  # noqa: PLC0415  (offline there is no use for it)
    from devpulse.adapters.gemini.model import GeminiModel  # noqa: PLC0415  (as above)

    limits = Limits(settings.max_parallel, settings.requests_per_minute, settings.tokens_per_minute)
    config = GeminiConfig(key, settings.model, settings.gemini_base_url, limits=limits)
    model = GeminiModel(config, remaining=deadline.remaining, on_request=_writer(settings.show_requests), sleep=_pause)
    prices = Prices(settings.model, settings.price_input, settings.price_output)
    return Chosen(PricedModel(model, prices), OfflineEngine() if settings.engine == "auto" else None, model.pacer)


def warm_up(settings: Settings) -> None:
    """Import the model library beside whatever comes next, when it is going to be needed."""
    if settings.choose_engine() == "gemini":
        from devpulse.adapters.gemini.model import preload  # noqa: PLC0415  (as above)

        threading.Thread(target=preload, name="preload", daemon=True).start()


def _pause(seconds: float) -> None:
    time.sleep(seconds)


def _writer(folder: str | None) -> Callable[[SentRequest], None] | None:
    if folder is None:
        return None

    def write(sent: SentRequest) -> None:
        path = Path(folder) / f"{sent.task}-step{sent.step}-attempt{sent.attempt}.json"
        try:
            write_atomic(path, sent.body)
        except OSError as error:
            raise ArtifactError(
                f"requests cannot be written to {folder}: {error.strerror or error}",
                hint="Choose another folder with --show-requests.",
            ) from error

    return write
