"""What a found secret is."""

from __future__ import annotations

from dataclasses import dataclass, field

from devpulse.core.categories import Confidence


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret value in a text. ``value`` never shows in ``repr``.

    Lines start at 1; columns are character offsets from 0, ``end_column`` is exclusive, so that
    ``line[start_column:end_column]`` is the value when it stands on one line.

    HIGH is a provider's own format or a key; MEDIUM a telling name with a convincing value; LOW a
    telling name with a value that could be a label or test data: hidden, but not reported.
    """

    kind: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    confidence: Confidence
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Span:
    """A secret by its offsets in the text it was found in; ``end`` is exclusive."""

    kind: str
    start: int
    end: int
    confidence: Confidence
