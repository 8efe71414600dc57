"""Values known to be secret, looked for in any text: whole, or cut off at either end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devpulse.core.categories import Confidence
from devpulse.core.secrets.model import Span

_PIECE = 8
"""How many characters of each end of a value are looked up."""

_FEW = 60
"""Up to this many pieces it is faster to search for each than to look up every place of the text."""


@dataclass(frozen=True, slots=True)
class Known:
    """Forms of values by their first and last characters, each with its kind."""

    heads: dict[str, tuple[tuple[str, str], ...]]
    tails: dict[str, tuple[tuple[str, str], ...]]

    @classmethod
    def of(cls, forms: Iterable[tuple[str, str]]) -> Known:
        """Index pairs of a form (of at least eight characters) and its kind."""
        heads: dict[str, tuple[tuple[str, str], ...]] = {}
        tails: dict[str, tuple[tuple[str, str], ...]] = {}
        for form, kind in sorted(forms, key=lambda pair: (-len(pair[0]), pair)):
            heads[form[:_PIECE]] = (*heads.get(form[:_PIECE], ()), (form, kind))
            tails[form[-_PIECE:]] = (*tails.get(form[-_PIECE:], ()), (form, kind))
        return cls(heads, tails)

    def spans(self, text: str) -> Iterator[Span]:
        """Where a known value stands, or a third of one: what a cut leaves of a secret is still a secret."""
        for piece in _present(text, self.heads):
            for place in _places(text, piece):
                for form, kind in self.heads[piece]:
                    length = _agreeing(text[place : place + len(form)], form)
                    if length >= _least(form):
                        yield Span(kind, place, place + length, Confidence.HIGH)
        for piece in _present(text, self.tails):
            for place in _places(text, piece):
                end = place + _PIECE
                for form, kind in self.tails[piece]:
                    length = _agreeing(text[max(0, end - len(form)) : end][::-1], form[::-1])
                    if length >= _least(form):
                        yield Span(kind, end - length, end, Confidence.HIGH)


def _present(text: str, pieces: dict[str, tuple[tuple[str, str], ...]]) -> set[str]:
    if len(pieces) <= _FEW:
        return {piece for piece in pieces if piece in text}
    return pieces.keys() & {text[place : place + _PIECE] for place in range(len(text) - _PIECE + 1)}


def _places(text: str, piece: str) -> Iterator[int]:
    place = text.find(piece)
    while place >= 0:
        yield place
        place = text.find(piece, place + 1)


def _agreeing(text: str, form: str) -> int:
    """How many of the first characters are the same."""
    if text == form:
        return len(form)
    return next(
        (place for place, (left, right) in enumerate(zip(text, form, strict=False)) if left != right), len(text)
    )


def _least(form: str) -> int:
    """The shortest cut that is still told: half of a short value, of a long one more than its kind's prefix."""
    return len(form) if len(form) <= 10 else max(_PIECE, min(16, (len(form) + 1) // 2))
