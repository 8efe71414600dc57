"""The live bar on a terminal; apart from the other ways to watch a run, since what draws it is slow to import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from threading import Lock

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from devpulse.adapters.progress import count_of, line_of, one_line
from devpulse.core.review import Outcome
from devpulse.output.columns import shortened
from devpulse.output.paths import display_path


class BarProgress:
    """A live bar with the files at work, findings and tokens so far; findings are printed above it as they come."""

    def __init__(self, console: Console) -> None:
        self._work = _AtWork()
        self._bar = _Display(self._work, console)
        self._task = self._bar.add_task(
            "reviewing", total=None, found=count_of(0, "finding"), tokens=count_of(0, "token")
        )
        self._found = 0
        self._tokens = 0

    def started(self, total: int) -> None:
        """As ``Progress.started``."""
        self._bar.update(self._task, total=total)
        self._bar.start()

    def began(self, path: str) -> None:
        """As ``Progress.began``."""
        self._work.add(path)

    def finished(self, path: str, outcome: Outcome, findings: int, level: str, tokens: int) -> None:
        """As ``Progress.finished``."""
        self._work.remove(path)
        self._found += findings
        self._tokens += tokens
        line = line_of(path, outcome, findings, level, columns=self._bar.console.width)
        if line:
            self._bar.console.print(Text(line))
        self._bar.update(
            self._task, advance=1, found=count_of(self._found, "finding"), tokens=count_of(self._tokens, "token")
        )

    def closed(self) -> None:
        """As ``Progress.closed``."""
        self._bar.stop()


class _AtWork:
    """The files that threads are at work on; a file in parts is there once, as long as one of them is."""

    def __init__(self) -> None:
        self._paths: Counter[str] = Counter()
        self._lock = Lock()

    def add(self, path: str) -> None:
        with self._lock:
            self._paths[path] += 1

    def remove(self, path: str) -> None:
        with self._lock:
            self._paths[path] -= 1
            if self._paths[path] <= 0:
                del self._paths[path]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.line(options.max_width), style="dim", no_wrap=True)

    def line(self, columns: int) -> str:
        """The file that is at work for the longest time, and how many others there are."""
        with self._lock:
            first, others = next(iter(self._paths), None), len(self._paths) - 1
        if first is None:
            return ""
        more = f" and {others} more" if others else ""
        return f"  {shortened(one_line(display_path(first)), columns - len(more) - 2)}{more}"


class _Display(Progress):
    """The bar, and below it the files at work."""

    def __init__(self, work: _AtWork, console: Console) -> None:
        self._at_work = work
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[found]}, {task.fields[tokens]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            expand=True,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """As ``rich.progress.Progress`` does it, with one line more."""
        yield from super().get_renderables()
        yield self._at_work
