"""Comments in code that accept a finding: ``devpulse: ignore[sql-injection] why``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from devpulse.core.lazy_pattern import lazy

_OPENING = r"(?:#|//|--|/\*|\*|<!--|\{#|;|%)"
_COMMENT = lazy(rf"{_OPENING}[ \t]*devpulse:[ \t]*ignore\[([a-z, -]{{1,200}})\][ \t]*(.*)")
_ALONE = lazy(rf"\s*{_OPENING}")
_CLOSING = lazy(r"\s*(?:\*/|-->|#\})\s*$")
_REASON_LIMIT = 200


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """An acceptance. ``offset`` counts its line from the first of the code it stands at: -1 is the line above.

    ``column`` is where it begins on its line, from 0.
    """

    offset: int
    reason: str
    column: int = field(default=0, compare=False)


def find_ignore(lines: Sequence[str], start: int, end: int, category: str) -> IgnoreComment | None:
    """The comment on lines ``start`` to ``end`` (from 1), or alone on the line above, that accepts a category there.

    One without a reason does not count, nor one behind other code on the line above, which is about that code.
    """
    for number in range(max(1, start - 1), min(end, len(lines)) + 1):
        line = lines[number - 1]
        match = _COMMENT.search(line)
        if match is None or (number < start and not _ALONE.match(line)):
            continue
        reason = _CLOSING.sub("", match[2]).strip()[:_REASON_LIMIT]
        if reason and category in (each.strip() for each in match[1].split(",")):
            return IgnoreComment(number - start, reason, match.start())
    return None


def rest_of_ignore(line: str) -> str | None:
    """What a line with such a comment says beside it; ``None`` for a line without one."""
    match = _COMMENT.search(line)
    return None if match is None else f"{line[: match.start()]} {match[2]}"
