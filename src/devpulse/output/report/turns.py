"""How large each request of a run was, read back from its log."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_low


@dataclass(frozen=True, slots=True)
class Turn:
    """One request: the task and turn (from 1) it was, its estimated tokens, and the most it might have had."""

    task: str
    step: int
    tokens: int
    limit: int


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """The requests that were a context's so many-th turn."""

    step: int
    requests: int
    median: int
    largest: int


def turns_of_log(text: str) -> tuple[Turn, ...]:
    """The requests since the last plan, by task, those of a task in their order; a log goes on over runs.

    Threads and machines end in any order, a report is the same each time. What is no such event is passed over.
    """
    turns: list[Turn] = []
    for line in text.split("\n"):
        if '"event": "planned"' in line:
            turns.clear()
        elif '"event": "request"' in line and (turn := _turn(line)) is not None:
            turns.append(turn)
    return tuple(sorted(turns, key=lambda turn: turn.task))


def by_turn(turns: Iterable[Turn]) -> list[TurnFigures]:
    """Figures for each turn number: how contexts grow."""
    sizes: dict[int, list[int]] = defaultdict(list)
    for turn in turns:
        sizes[turn.step].append(turn.tokens)
    return [TurnFigures(step, len(of), median_low(of), max(of)) for step, of in sorted(sizes.items())]


def _turn(line: str) -> Turn | None:
    try:
        row = json.loads(line)
    except ValueError:  # the end of a log that a sudden death cut off
        return None
    if not isinstance(row, dict):
        return None
    numbers = [row.get(name) for name in ("step", "whole", "limit")]
    task = row.get("task")
    step, whole, limit = (number if type(number) is int and number >= 0 else None for number in numbers)
    if step is None or whole is None or limit is None or not isinstance(task, str):
        return None
    return Turn(task, step, whole, limit)
