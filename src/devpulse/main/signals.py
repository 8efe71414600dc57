"""Signals as exceptions: Ctrl-C and a runner's cancel both let the run conclude with what it has."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from devpulse.errors import ExitStatus

_ONE_PRESS_SECONDS = 0.3
"""A wrapper may pass on the Ctrl-C that the terminal has sent to us as well: two so close are one."""

_SHOW_CURSOR = b"\x1b[?25h\n"


class Terminated(KeyboardInterrupt):
    """SIGTERM: handled like Ctrl-C, told apart by its exit status."""


def exit_status_of(interrupt: KeyboardInterrupt) -> ExitStatus:
    """130 after SIGINT, 143 after SIGTERM."""
    return ExitStatus.TERMINATED if isinstance(interrupt, Terminated) else ExitStatus.INTERRUPTED


@contextmanager
def signals_raise() -> Iterator[None]:
    """While active, SIGINT and SIGTERM raise in the main thread, even where SIGINT was ignored at start.

    A second Ctrl-C ends the process at once: nothing that is finished is lost, but no report is made of it."""
    pressed: list[float] = []

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if pressed and now - pressed[0] < _ONE_PRESS_SECONDS:
            return
        if pressed:
            _end_at_once()
        pressed.append(now)
        raise KeyboardInterrupt

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, interrupt),
        signal.SIGTERM: signal.signal(signal.SIGTERM, terminate),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once() -> None:
    # Not through Python's streams: the signal may have come in the middle of writing to one.
    if sys.stderr is not None and sys.stderr.isatty():
        os.write(sys.stderr.fileno(), _SHOW_CURSOR)  # a progress bar hides it
    os._exit(ExitStatus.INTERRUPTED)


@contextmanager
def signals_wait() -> Iterator[None]:
    """While active, signals are only remembered; the first of them is raised at the end, as it would have been."""
    seen: list[tuple[int, FrameType | None]] = []
    before = {
        number: signal.signal(number, lambda number, frame: seen.append((number, frame)))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if seen:
        handler = before[signal.Signals(seen[0][0])]
        if callable(handler):
            handler(*seen[0])
