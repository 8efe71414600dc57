"""Progress without secrets: file names and reasons may hold some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from devpulse.core.review import Outcome
from devpulse.ports import Progress


class MaskedProgress:
    """Passes on to another what is shown of a run, masked."""

    def __init__(self, shown: Progress, mask: Callable[[str], str]) -> None:
        self._shown = shown
        self._mask = mask

    def started(self, total: int) -> None:
        """As ``Progress.started``."""
        self._shown.started(total)

    def began(self, path: str) -> None:
        """As ``Progress.began``."""
        self._shown.began(self._mask(path))

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:
        """As ``Progress.finished``."""
        masked = replace(outcome, reason=self._mask(outcome.reason))
        self._shown.finished(self._mask(path), masked, findings, level, tokens)

    def closed(self) -> None:
        """As ``Progress.closed``."""
        self._shown.closed()
