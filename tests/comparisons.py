"""Builders of comparisons: arms of given request sizes, and the two arms side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from devpulse.core.comparison import AFTER, BEFORE, Arm, ComparedTask, Comparison, SentSize
from devpulse.core.finding import Finding
from devpulse.core.messages import Usage


def make_arm(name: str = BEFORE, sizes: Iterable[tuple[str, int]] = (), *found: Finding, **overrides: Any) -> Arm:
    """An arm whose requests are given as task and tokens."""
    values: dict[str, Any] = {
        "name": name,
        "about": f"what {name} is",
        "sizes": tuple(SentSize(task, tokens) for task, tokens in sizes),
        "findings": found,
        "reported": Usage(),
    }
    return Arm(**values | overrides)


def make_comparison(before: Arm | None = None, after: Arm | None = None, **overrides: Any) -> Comparison:
    """Two tasks, of which the second carries the first in the arm BEFORE."""
    values: dict[str, Any] = {
        "engine": "offline",
        "model": None,
        "window": 32_000,
        "limit": 25_600,
        "tasks": (ComparedTask("a-1", "app/a.py", ""), ComparedTask("b-2", "app/b.py", "1 of 2")),
        "before": before or make_arm(BEFORE, [("a-1", 1_000), ("b-2", 9_000)]),
        "after": after or make_arm(AFTER, [("a-1", 1_000), ("b-2", 1_000)]),
    }
    return Comparison(**values | overrides)
