"""Who watches a run where no bar can be drawn: plain lines in a log, or nobody."""

from __future__ import annotations

from typing import TextIO

from devpulse.core.review import Outcome, Reviewed
from devpulse.output.characters import visible
from devpulse.output.paths import display_path


class SilentProgress:
    """Nobody watches."""

    def started(self, total: int) -> None:
        """As ``Progress.started``."""

    def began(self, path: str) -> None:
        """As ``Progress.began``."""

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:
        """As ``Progress.finished``."""

    def closed(self) -> None:
        """As ``Progress.closed``."""


class LineProgress:
    """Plain lines: those tasks that found something or did not end well, and a count now and then."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._total = 0
        self._done = 0

    def started(self, total: int) -> None:
        """As ``Progress.started``."""
        self._total = total
        print(f"reviewing: {total} tasks", file=self._stream, flush=True)

    def began(self, path: str) -> None:
        """As ``Progress.began``."""

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:  # noqa: ARG002  (the port's signature)
        """As ``Progress.finished``."""
        self._done += 1
        line = line_of(path, outcome, findings, level)
        if line:
            print(f"  - {line}", file=self._stream, flush=True)
        if self._done % 100 == 0 or self._done == self._total:
            print(f"reviewed: {self._done} of {self._total}", file=self._stream, flush=True)

    def closed(self) -> None:
        """As ``Progress.closed``."""


def count_of(number: int, what: str) -> str:
    """A number of things: ``1 finding``, ``1,200 findings``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def line_of(path: str, outcome: Outcome, findings: int, level: str, *, columns: int | None = None) -> str:
    """What is said of a finished task, nothing where all is well; its path is cut where ``columns`` are too few."""
    if findings:
        said = f"{count_of(findings, 'finding')}, highest {level}"
    elif not isinstance(outcome, Reviewed):
        said = f"{type(outcome).__name__.lower()} ({outcome.reason})"
    else:
        return ""
    shown, said = one_line(display_path(path)), one_line(said)
    if columns is not None:
        from devpulse.output.columns import fits, shortened  # noqa: PLC0415  (only a bar has so many)

        if not fits(f"{shown}: {said}", columns):
            shown = shortened(shown, max(columns - len(said) - 2, columns // 2))
    # No command: GitHub's runner obeys ``::name::`` at the start of a line and ``##[name]`` anywhere.
    return f"{shown}: {said}".replace("##[", "##\\[")


def one_line(text: str) -> str:
    """A text as it is shown, its line breaks as escapes."""
    return visible(text).replace("\n", "\\n")
