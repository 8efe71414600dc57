"""Components of Svelte: their scripts, and what ``{@html …}`` shows (https://svelte.dev/docs/svelte/@html)."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.embedded.components import Output, component_parts
from devpulse.core.embedded.masking import Parts
from devpulse.core.lazy_pattern import lazy

_SHOWN = lazy(r"\{@html\s((?:[^{}\n]++|\{[^{}\n]*+\})*+)\}")


def parts_of(text: str) -> Parts:
    """The scripts of a component."""
    return component_parts(text, _outputs(text) if "{@html" in text else ())


def _outputs(text: str) -> Iterator[Output]:
    for found in _SHOWN.finditer(text):
        yield found.start(), *found.span(1)
