"""Work spread over several machines: which share is meant, and which machine gets what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heapreplace


@dataclass(frozen=True, slots=True)
class Shard:
    """One machine's share: ``number`` counts from 1 to ``of``."""

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise ValueError(f"there is no shard {self.number} of {self.of}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard that ``2/4`` means.

        Raises:
            ValueError: the text is none.
        """
        number, _, of = text.partition("/")
        return cls(int(number), int(of))


def spread(weights: Mapping[str, int], shards: int) -> dict[str, int]:
    """The number of the shard, from 1, that each name belongs to; the same for the same weights, in whatever order.

    The heaviest goes first, each to the shard that has least so far. No shard then holds more than the mean and the
    heaviest of its own, and none more than four thirds of what the best spread would give it (Graham, 1969).
    """
    loads = [(0, number) for number in range(1, shards + 1)]
    heapify(loads)
    placed = {}
    for name, weight in sorted(weights.items(), key=lambda item: (-item[1], item[0])):
        load, number = loads[0]
        heapreplace(loads, (load + weight, number))
        placed[name] = number
    return placed
