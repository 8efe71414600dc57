"""What stands in a secret's place: markers of the same length, so that lines and columns stay as they are."""

from __future__ import annotations

from collections.abc import Iterable

from devpulse.core.secrets.model import Span


def replace_spans(text: str, spans: Iterable[Span]) -> str:
    """Markers in place of the spans, which are in order."""
    parts: list[str] = []
    position = 0
    for span in spans:
        start = max(span.start, position)
        if span.end <= start:
            continue
        parts += (text[position:start], cover(text[start : span.end], span.kind))
        position = span.end
    return "".join((*parts, text[position:]))


def cover(value: str, kind: str) -> str:
    """Markers line by line; indentation and line ends stay."""
    covered = []
    for line in value.split("\n"):
        body = line.strip(" \t\r")
        before = line[: len(line) - len(line.lstrip(" \t\r"))]
        covered.append(before + _marker(kind, body) + line[len(before) + len(body) :])
    return "\n".join(covered)


def _marker(kind: str, value: str) -> str:
    """``[redacted:kind***]`` of the length of ``value``; stars alone where it does not fit."""
    room = len(value) - len("[redacted]")
    if room < 0:
        return "*" * len(value)
    return f"[redacted{f':{kind}'[:room]}{'*' * (room - len(kind) - 1)}]"
