"""How much work code does with a text: calls counted, which no busy machine changes; time only as a ratio."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from types import FrameType

_TIMES = 3


def calls_made(work: Callable[[str], object], text: str) -> int:
    """How many calls of functions, ours and the interpreter's, the work takes; each step of a generator is one."""
    counter = itertools.count()

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        if event in ("call", "c_call"):
            next(counter)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work(text)
    finally:
        sys.setprofile(before)
    return next(counter)


def assert_work_in_step(work: Callable[[str], object], text_of: Callable[[int], str], size: int) -> None:
    """Twice the text may take twice the calls, not four times as many."""
    work(text_of(size // 2))  # what is made once, at first use, is not counted; another text, since trees are kept
    few, many = (calls_made(work, text_of(each)) for each in (size, 2 * size))
    assert many < 2.5 * few + 100, (few, many)


def assert_time_in_step(work: Callable[[str], object], text_of: Callable[[int], str], size: int) -> None:
    """Four times the text may take four times as long, not sixteen times; for tests that are marked slow.

    What the regular expression engine and the parsers do inside one call cannot be counted.
    """
    short, long = (min(_seconds(work, text_of(each)) for _ in range(_TIMES)) for each in (size, 4 * size))
    assert long < 9 * short + 0.02, (short, long)


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start
