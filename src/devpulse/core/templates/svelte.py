"""Svelte: ``{@html }`` does not escape. https://svelte.dev/docs/svelte/@html"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from devpulse.core.templates.base import Format, Place, Tag, assignments, pieces
from devpulse.core.templates.ejs import SCRIPT

_read = assignments(r"\b(?:let|const|var|\$:)\s*(\w{1,60})(?:\s*:\s*\w+)?\s*=\s*([^;\n]{1,400})")


def tags(text: str) -> Iterator[Tag]:
    """Every ``{@html }``."""
    for piece in pieces(text, {"{@html": "}", "<!--": "-->"}):
        inner = piece.inner.strip() if piece.opening != "<!--" else None
        yield Tag(piece.start, piece.end, inner, raw=True, place=Place.TEXT)


def assigned(text: str) -> Mapping[str, str]:
    """What the script of the component gives its names: only what is called counts, since others may change."""
    return {name: value for name, value in _read(text).items() if "(" in value and not value.lstrip().startswith("$")}


FORMAT = Format("svelte", SCRIPT, tags, assigned)
