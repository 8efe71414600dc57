"""Components of Astro: the script between their fences, those of the page, and what ``set:html`` shows
(https://docs.astro.build/en/reference/directives-reference/#sethtml)."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.embedded.components import Output, component_parts
from devpulse.core.embedded.masking import Parts
from devpulse.core.embedded.scripts import Script
from devpulse.core.lazy_pattern import lazy

_FENCE = lazy(r"(?m)^---[ \t]*\r?$")
_SHOWN = lazy(r"(?<=\s)set:html=\{((?:[^{}\n]++|\{[^{}\n]*+\})*+)\}")


def parts_of(text: str) -> Parts:
    """The scripts of a component; what its fences hold runs on the server, and is Typescript."""
    return component_parts(text, _outputs(text) if "set:html" in text else (), _fenced(text))


def _fenced(text: str) -> list[Script]:
    first = _FENCE.search(text)
    if first is None or text[: first.start()].strip():
        return []
    last = _FENCE.search(text, first.end())
    return [Script("typescript", first.end(), last.start(), "")] if last is not None else []


def _outputs(text: str) -> Iterator[Output]:
    for found in _SHOWN.finditer(text):
        yield found.start(), *found.span(1)
