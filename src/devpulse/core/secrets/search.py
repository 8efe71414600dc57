"""Finding all secrets of a text: formats anywhere, the rest on the lines that hold a hint of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from devpulse.core.secrets.assignments import NAME_HINTS, find_assigned
from devpulse.core.secrets.connections import CONNECTION_HINTS, find_connection_passwords
from devpulse.core.secrets.headers import HEADER_HINTS, find_in_headers
from devpulse.core.secrets.markers import replace_spans
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.places import weighed
from devpulse.core.secrets.providers import find_formats
from devpulse.core.secrets.structures import find_private_keys

_MAX_PASSES = 4
# Unlike ``str.lower`` this never changes the length, so that offsets stay true.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def find_spans(text: str, path: str | None) -> list[Span]:
    """Spans of all secrets, in order, searched again in the masked text until nothing is left.

    A marker changes what stands next to its neighbour, so one search is not enough to make
    redaction of redacted text find nothing. Without a path only formats count, not names.
    """
    found: list[Span] = []
    for _ in range(_MAX_PASSES):
        spans = _merge(_find_once(text, path))
        if path is not None:
            spans = [weighed(span, path, text) for span in spans]
        if not spans:
            break
        found = _merge([*found, *spans])
        text = replace_spans(text, spans)
    return found


def _find_once(text: str, path: str | None) -> Iterator[Span]:
    yield from find_private_keys(text, path)
    yield from find_formats(text)
    lowered = text.lower() if text.isascii() else text.translate(_LOWER)
    for start, end in _hinted_lines(lowered, CONNECTION_HINTS):
        yield from find_connection_passwords(text, start, end)
    for start, end in _hinted_lines(lowered, HEADER_HINTS):
        yield from find_in_headers(text, start, end)
    if path is not None:
        for start, end in _hinted_lines(lowered, NAME_HINTS):
            yield from find_assigned(path, text, start, end)


def _hinted_lines(lowered: str, hints: Iterable[str]) -> list[tuple[int, int]]:
    """The lines that hold any of the hints: nearly all others are passed over at the speed of a search."""
    lines: dict[int, int] = {}
    for hint in hints:
        position = lowered.find(hint)
        while position >= 0:
            end = lowered.find("\n", position)
            end = len(lowered) if end < 0 else end
            lines[lowered.rfind("\n", 0, position) + 1] = end
            position = lowered.find(hint, end)
    return sorted(lines.items())


def _merge(spans: Iterable[Span]) -> list[Span]:
    """In order, overlapping ones joined; the surer one gives the kind."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end, -span.confidence.rank, span.kind)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            best = span if span.confidence.rank > last.confidence.rank else last
            merged[-1] = Span(best.kind, last.start, max(last.end, span.end), best.confidence)
        else:
            merged.append(span)
    return merged
