"""Finding secrets in a file, and keeping them out of everything that leaves the process."""

from __future__ import annotations

import base64
import json
import re
import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

from devpulse.core.categories import Confidence
from devpulse.core.secrets.assignments import find_assigned
from devpulse.core.secrets.model import Secret, Span
from devpulse.core.secrets.placeholders import entropy, is_placeholder
from devpulse.core.secrets.providers import PROVIDERS
from devpulse.core.secrets.structures import find_connection_passwords, find_private_keys

MIN_REMEMBERED = 8
"""Shorter values are not looked for elsewhere: they would hit ordinary words."""

_MAX_PASSES = 4
_NAME_HINTS = ["pass", "pwd", "secret", "token", "key", "auth"]
_PROVIDER_HINTS = sorted({hint for provider in PROVIDERS for hint in provider.hints})
_STRUCTURE_HINTS = ["://", "pwd=", "password="]


_ALL_HINTS = sorted({*_NAME_HINTS, *_PROVIDER_HINTS, *_STRUCTURE_HINTS})
_FORMAT_HINTS = sorted({*_PROVIDER_HINTS, *_STRUCTURE_HINTS})
# Unlike ``str.lower`` this never changes the length, so that offsets stay true.
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def find_secrets(path: str, text: str) -> tuple[Secret, ...]:
    """Every secret of a file with its exact place, in order, none overlapping another.

    ``path`` decides how bare values are written (``.env``, YAML …) and where test data is expected.
    """
    spans = _find_all(text, path)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    return tuple(_located(span, text, starts) for span in spans)


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Replace every secret by a marker of the same length; lines and columns stay as they are."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    spans = [
        Span(
            secret.kind,
            starts[secret.start_line - 1] + secret.start_column,
            starts[secret.end_line - 1] + secret.end_column,
            secret.confidence,
        )
        for secret in secrets
    ]
    return _replace(text, sorted(spans, key=lambda span: span.start))


class Redactor:
    """Remembers secrets and masks them wherever they turn up. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forms: dict[str, str] = {}

    def learn(self, secrets: Iterable[Secret]) -> None:
        """Remember values as written, JSON-escaped, URL-encoded and in base64; doubtful and short ones are not."""
        found = {
            form: secret.kind
            for secret in secrets
            if secret.confidence is not Confidence.LOW
            for value in _values(secret.value)
            for form in _forms(value)
        }
        with self._lock:
            # Longest first, so that a value is replaced as a whole before one that is part of it.
            merged = {**self._forms, **found}
            self._forms = dict(sorted(merged.items(), key=lambda item: (-len(item[0]), item[0])))

    def mask(self, text: str) -> str:
        """``text`` without any remembered value and without any secret in a provider's format."""
        for form, kind in self._forms.items():
            if form in text:
                text = text.replace(form, _cover(form, kind))
        return _replace(text, _find_all(text, None))


def _values(value: str) -> Iterator[str]:
    """The value, and each long line of a key: a tool result may show one line of it only."""
    yield value
    if "\n" in value or "\\n" in value:
        yield from (line for line in re.split(r"\s|\\r|\\n|[\"']", value) if len(line) >= 16)


def _forms(value: str) -> set[str]:
    raw = value.encode("utf-8", errors="surrogatepass")
    encoded = (base64.b64encode(raw).decode("ascii"), base64.urlsafe_b64encode(raw).decode("ascii"))
    forms = {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    forms.update((quote(raw, safe=""), quote_plus(raw), quote(raw)))
    forms.update(form.rstrip("=") for form in encoded)
    return {form for form in forms if len(form) >= MIN_REMEMBERED and len(value) >= MIN_REMEMBERED}


def _find_all(text: str, path: str | None) -> list[Span]:
    """Spans of all secrets, searched again in the masked text until nothing is left.

    A marker changes what stands next to its neighbour, so one search is not enough to make
    redaction of redacted text find nothing. Without a path only formats count, not names.
    """
    found: list[Span] = []
    for _ in range(_MAX_PASSES):
        spans = _merge(_find_once(text, path))
        if not spans:
            break
        found = _merge([*found, *spans])
        text = _replace(text, spans)
    return found


def _find_once(text: str, path: str | None) -> Iterator[Span]:
    yield from find_private_keys(text)
    lowered = text.translate(_LOWER)
    for start in _hinted_lines(lowered, _FORMAT_HINTS if path is None else _ALL_HINTS):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for span in _find_in_line(text[start:end], lowered[start:end], path):
            yield Span(span.kind, start + span.start, start + span.end, span.confidence)


def _hinted_lines(lowered: str, hints: Iterable[str]) -> list[int]:
    """Where the lines start that hold any of the hints: nearly all lines are passed over at the speed of a search."""
    starts: set[int] = set()
    for hint in hints:
        position = lowered.find(hint)
        while position >= 0:
            starts.add(lowered.rfind("\n", 0, position) + 1)
            end = lowered.find("\n", position)
            position = lowered.find(hint, end) if end >= 0 else -1
    return sorted(starts)


def _find_in_line(line: str, lowered: str, path: str | None) -> Iterator[Span]:
    for provider in PROVIDERS:
        if any(hint in lowered for hint in provider.hints):
            for match in provider.pattern.finditer(line):
                group = 1 if provider.pattern.groups else 0
                value = match.group(group)
                if not is_placeholder(value) and entropy(value) >= 2.5:
                    yield Span(provider.kind, *match.span(group), Confidence.HIGH)
    yield from find_connection_passwords(line)
    if path is not None and any(hint in lowered for hint in _NAME_HINTS):
        yield from find_assigned(path, line)


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


def _located(span: Span, text: str, starts: list[int]) -> Secret:
    first = bisect_right(starts, span.start) - 1
    last = bisect_right(starts, span.end) - 1
    return Secret(
        kind=span.kind,
        start_line=first + 1,
        start_column=span.start - starts[first],
        end_line=last + 1,
        end_column=span.end - starts[last],
        confidence=span.confidence,
        value=text[span.start : span.end],
    )


def _replace(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    position = 0
    for span in spans:
        start = max(span.start, position)
        if span.end <= start:
            continue
        parts += (text[position:start], _cover(text[start : span.end], span.kind))
        position = span.end
    return "".join((*parts, text[position:]))


def _cover(value: str, kind: str) -> str:
    """Markers line by line; indentation and line ends stay."""
    lines = value.split("\n")
    covered = []
    for line in lines:
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
