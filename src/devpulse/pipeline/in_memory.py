"""The outside world of a run that nobody watches and that leaves nothing behind."""

from __future__ import annotations

from threading import Lock
from typing import Any

from devpulse.core.review import Outcome


class MemorySink:
    """Artifacts that are forgotten with it; lines of logs are not kept at all."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._lock = Lock()

    def write(self, name: str, text: str) -> str:
        """As ``ArtifactSink.write``."""
        with self._lock:
            self._texts[name] = text
        return name

    def append(self, name: str, line: str) -> None:
        """As ``ArtifactSink.append``."""

    def read(self, name: str) -> str | None:
        """As ``ArtifactSink.read``."""
        with self._lock:
            return self._texts.get(name)


class NoLog:
    """Keeps no history of the run."""

    def record(self, event: str, *, task: str = "", step: int = 0, **values: Any) -> None:
        """As ``RunLog.record``."""


class NoProgress:
    """Nobody watches."""

    def started(self, total: int) -> None:
        """As ``Progress.started``."""

    def began(self, path: str) -> None:
        """As ``Progress.began``."""

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:
        """As ``Progress.finished``."""

    def closed(self) -> None:
        """As ``Progress.closed``."""
