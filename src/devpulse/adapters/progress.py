"""Who watches a run: a bar on a terminal, plain lines in a log, or nobody."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from devpulse.core.review import Outcome, Reviewed
from devpulse.output.characters import visible
from devpulse.output.paths import display_path


class SilentProgress:
    """Nobody watches."""

    def started(self, total: int) -> None:
        """As ``Progress.started``."""

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

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:  # noqa: ARG002  (the port's signature)
        """As ``Progress.finished``."""
        self._done += 1
        line = _line(path, outcome, findings, level)
        if line:
            print(f"  - {line}", file=self._stream, flush=True)
        if self._done % 100 == 0 or self._done == self._total:
            print(f"reviewed: {self._done} of {self._total}", file=self._stream, flush=True)

    def closed(self) -> None:
        """As ``Progress.closed``."""


class BarProgress:
    """A live bar with findings and tokens so far; findings are printed above it as they come."""

    def __init__(self, console: Console) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[found]} findings, {task.fields[tokens]:,} tokens"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("reviewing", total=None, found=0, tokens=0)
        self._found = 0
        self._tokens = 0

    def started(self, total: int) -> None:
        """As ``Progress.started``."""
        self._bar.update(self._task, total=total)
        self._bar.start()

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:
        """As ``Progress.finished``."""
        self._found += findings
        self._tokens += tokens
        line = _line(path, outcome, findings, level)
        if line:
            self._bar.console.print(Text(line))
        self._bar.update(self._task, advance=1, found=self._found, tokens=self._tokens)

    def closed(self) -> None:
        """As ``Progress.closed``."""
        self._bar.stop()


def _line(path: str, outcome: Outcome, findings: int, level: str) -> str:
    if findings:
        text = f"{display_path(path)}: {findings} finding{'' if findings == 1 else 's'}, highest {level}"
    elif not isinstance(outcome, Reviewed):
        text = f"{display_path(path)}: {type(outcome).__name__.lower()} ({outcome.reason})"
    else:
        return ""
    # One line and no command: GitHub's runner obeys ``::name::`` at the start of a line and ``##[name]`` anywhere.
    return visible(text).replace("\n", "\\n").replace("##[", "##\\[")
