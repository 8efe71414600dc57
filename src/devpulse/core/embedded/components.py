"""What kinds of files share that hold one component: scripts, and expressions that are put out as they are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from devpulse.core.embedded.masking import Canvas, Parts, called
from devpulse.core.embedded.scripts import MAX_CODE, Script, is_packed, scripts_in

Output = tuple[int, int, int]
"""Where the mark of an output begins, and its expression from start to end; one character behind it is the mark's."""


def component_parts(text: str, outputs: Iterable[Output], code: Iterable[Script] = ()) -> Parts:
    """The scripts of a component, each language by itself, and what is put out as it is in the first one's.

    ``code`` is that which runs on the server.
    """
    served = [*code]
    scripts = [*served, *(script for script in scripts_in(text) if script.language)]
    own_kind = (scripts[0].language, "server" if served else "page") if scripts else ("javascript", "page")
    kept: list[tuple[int, tuple[str, str], str]] = []
    skipped, left = False, MAX_CODE
    for script in scripts:
        own = text[script.start : script.end]
        left -= len(own)
        if left < 0 or is_packed(own):
            skipped = True
        elif own.strip():
            kind = (script.language, "server" if script in served else "page")
            kept += ((script.start, kind, own), (script.end, kind, ";"))
    inside = _Spans([*((script.start, script.end) for script in scripts), *_comments(text)])
    for mark, start, end in outputs:
        if not inside.have(mark):
            kept.append((mark, own_kind, f";{called(text[mark + 1 : start])}{text[start:end]})"))
    canvases: dict[tuple[str, str], Canvas] = {}
    for place, kind, own in sorted(kept, key=lambda item: item[0]):
        canvases.setdefault(kind, Canvas(text)).keep(place, own)
    return Parts({kind: canvas.masked() for kind, canvas in canvases.items()}, skipped)


class _Spans:
    """Parts of a text, of which a place is asked whether it is in one."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        spans.sort()
        self._starts = [start for start, _ in spans]
        self._ends = list(accumulate((end for _, end in spans), max))

    def have(self, place: int) -> bool:
        """Whether a place is in one of the parts."""
        before = bisect_right(self._starts, place)
        return before > 0 and place < self._ends[before - 1]


def _comments(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        found.append((start, end))
        start = text.find("<!--", end)
    return found
