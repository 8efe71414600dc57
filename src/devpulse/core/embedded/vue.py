"""Components of Vue: their scripts, and what ``v-html`` shows (https://vuejs.org/api/built-in-directives.html#v-html)."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.embedded.components import Output, component_parts
from devpulse.core.embedded.masking import Parts
from devpulse.core.lazy_pattern import lazy

_SHOWN = lazy(r"(?<=\s)v-html=(?:\"([^\"\n]{1,500})\"|'([^'\n]{1,500})')")


def parts_of(text: str) -> Parts:
    """The scripts of a component."""
    return component_parts(text, _outputs(text) if "v-html" in text else ())


def _outputs(text: str) -> Iterator[Output]:
    for found in _SHOWN.finditer(text):
        start, end = found.span(1 if found[1] is not None else 2)
        yield found.start(), start, end
