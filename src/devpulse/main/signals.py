"""Signals as exceptions: Ctrl-C and a runner's cancel both let the run conclude with what it has."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from devpulse.errors import ExitStatus


class Terminated(KeyboardInterrupt):
    """SIGTERM: handled like Ctrl-C, told apart by its exit status."""


def exit_status_of(interrupt: KeyboardInterrupt) -> ExitStatus:
    """130 after SIGINT, 143 after SIGTERM."""
    return ExitStatus.TERMINATED if isinstance(interrupt, Terminated) else ExitStatus.INTERRUPTED


@contextmanager
def signals_raise() -> Iterator[None]:
    """While active, SIGINT and SIGTERM raise in the main thread, even where SIGINT was ignored at start."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGTERM: signal.signal(signal.SIGTERM, terminate),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
