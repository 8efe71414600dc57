"""The size of the context over a run, as places of a small drawing inside the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devpulse.core.comparison import Arm, Comparison

LEFT, RIGHT, TOP, GROUND = 76, 708, 12, 226
"""Where the axes stand in a drawing of 720 by 260, as the page's template draws them; ``y`` counts downwards."""

MAX_POINTS = 300
"""Of a longer run each point stands for the largest of several requests."""


@dataclass(frozen=True, slots=True)
class ContextChart:
    """Both arms as points of a line, request by request. ``limit`` is the height of the most a request may hold,
    ``tokens`` and ``requests`` the ends of the axes, ``told`` the same in words."""

    before: str
    after: str
    limit: float
    tokens: int
    requests: int
    told: str


def context_chart(comparison: Comparison) -> ContextChart:
    """The drawing of a comparison."""
    before, after = comparison.before, comparison.after
    requests = max(len(before.sizes), len(after.sizes), 1)
    tokens = max(before.largest, after.largest, comparison.limit, 1)
    told = "; ".join(f"{arm.name}: {len(arm.sizes):,} requests, largest {arm.largest:,}" for arm in (before, after))
    return ContextChart(
        before=_points(before, requests, tokens),
        after=_points(after, requests, tokens),
        limit=_height(comparison.limit, tokens),
        tokens=tokens,
        requests=requests,
        told=f"Tokens of each request. {told}.",
    )


def _points(arm: Arm, requests: int, tokens: int) -> str:
    sizes = _thinned([size.tokens for size in arm.sizes])
    return " ".join(f"{_across(number, requests)},{_height(size, tokens)}" for number, size in sizes)


def _across(number: int, requests: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * (number - 1) / max(1, requests - 1), 1)


def _height(tokens: int, most: int) -> float:
    return round(GROUND - (GROUND - TOP) * tokens / most, 1)


def _thinned(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Number and size of at most so many requests: of each stretch its largest."""
    step = -(-len(sizes) // MAX_POINTS) or 1
    numbered = list(enumerate(sizes, 1))
    return [max(numbered[start : start + step], key=lambda one: one[1]) for start in range(0, len(sizes), step)]
