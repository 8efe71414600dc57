"""Finding credentials by the formats their providers publish."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.secrets.formats import Provider
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.placeholders import MARKER, entropy, is_patterned, is_placeholder
from devpulse.core.secrets.platforms import PLATFORMS
from devpulse.core.secrets.services import SERVICES

PROVIDERS: tuple[Provider, ...] = PLATFORMS + SERVICES

_BY_HINT: dict[str, tuple[Provider, ...]] = {
    hint: tuple(provider for provider in PROVIDERS if hint in provider.hints)
    for hint in dict.fromkeys(hint for provider in PROVIDERS for hint in provider.hints)
}

_BY_BEGINNING: dict[str, tuple[str, ...]] = {
    beginning: tuple(hint for hint in _BY_HINT if hint[:2] == beginning)
    for beginning in dict.fromkeys(hint[:2] for hint in _BY_HINT)
}

_FEW = 400
"""In long words of no more characters than this only hints that begin with two letters which stand there are sought."""

_LEAST_ENTROPY = 2.5
_LONG_WORD = lazy(r"[A-Za-z0-9+/=_.~$:!|%@-]{16,}")
# Digits, or capitals among small letters: a name that people wrote seldom has either in a long word. At either end one
# letter is enough; asking for all of them would go over the run of letters before a place again for each of them.
_MIXED = lazy(r"[0-9]|[a-z](?:[A-Z]{1,40}[a-z]{1,40}){2}[A-Z]")
_NAMED = 60
"""How many characters before a long word are read: the name of what it is given to."""


def find_formats(text: str) -> Iterator[Span]:
    """Every credential in a known format; LOW where it calls itself an example or is plainly a pattern.

    Credentials are long words, so that hints are looked for in long words and just before them only.
    """
    places = _long_words(text)
    if not places:
        return
    words = "\n".join(text[start:end] for start, end in places)
    offsets = [0]
    for start, end in places:
        offsets.append(offsets[-1] + end - start + 1)
    for hint in _hints_in(words):
        providers, position = _BY_HINT[hint], words.find(hint)
        while position >= 0:
            number = bisect_right(offsets, position) - 1
            shift = places[number][0] - offsets[number]
            end = position + len(hint)
            for provider in providers:
                for span in _at(provider, text, position + shift):
                    yield span
                    end = max(end, span.end - shift)
            position = words.find(hint, end)


def _hints_in(words: str) -> Iterable[str]:
    """The hints that may stand in the long words of a text."""
    if len(words) > _FEW:
        return _BY_HINT
    pairs = {words[place : place + 2] for place in range(len(words) - 1)}
    return [hint for pair in sorted(pairs & _BY_BEGINNING.keys()) for hint in _BY_BEGINNING[pair]]


def _long_words(text: str) -> list[tuple[int, int]]:
    """Where long words stand, with what is before them; in order, none overlapping another."""
    places: list[tuple[int, int]] = []
    for word in _LONG_WORD.finditer(text):
        if _MIXED.search(text, *word.span()):
            last = places[-1][1] if places else 0
            if last > 0 and word.start() - _NAMED <= last:
                places[-1] = (places[-1][0], word.end())
            else:
                places.append((max(last, word.start() - _NAMED), word.end()))
    return places


def _at(provider: Provider, text: str, position: int) -> Iterator[Span]:
    if provider.before:
        match = provider.pattern.search(text, max(0, position - provider.before), position + 1_000)
        if match is not None and not match.start() <= position < match.end():
            match = None
    else:
        match = provider.pattern.match(text, position)
    if match is None:
        return
    group = 1 if provider.pattern.groups and match.group(1) else 0
    value = match.group(group)
    if entropy(value) >= _LEAST_ENTROPY and not MARKER.search(value):
        sure = provider.sure and _MIXED.search(value) and not is_placeholder(value) and not is_patterned(value)
        if provider.kind == "jwt":
            sure = sure and _is_header(value)
        yield Span(provider.kind, *match.span(group), Confidence.HIGH if sure else Confidence.LOW)


def _is_header(token: str) -> bool:
    """Whether a token begins with the JSON object that a signed token begins with, perhaps encoded twice."""
    for _ in range(2):
        part = token.partition(".")[0]
        part = part[: len(part) // 4 * 4] if part == token else part + "=" * (-len(part) % 4)
        try:
            token = urlsafe_b64decode(part).decode()
        except ValueError:
            return False
        if token.startswith("{"):
            return token.rstrip().endswith("}")
    return False
