"""Pug: ``!=`` and ``!{ }`` do not escape. https://pugjs.org/language/interpolation.html"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, assignments
from devpulse.core.templates.ejs import SCRIPT
from devpulse.core.templates.lines import template_lines, without_comment

_SET = lazy(r"\s*(?:[\w.#+][\w.#:-]{0,100}(?:\([^()]{0,500}\))?)?(?P<mark>!?=)\s+(?P<value>.+)")
_HOLE = lazy(r"(?P<raw>[!#])\{(?P<value>[^{}]{1,500})\}")


def tags(text: str) -> Iterator[Tag]:
    """Every value that a line writes."""
    for line in template_lines(text):
        found = _SET.match(line.text)
        if found is not None:
            start, raw = line.start + found.start("mark"), found.group("mark") == "!="
            yield Tag(
                start, line.start + len(line.text), without_comment(found.group("value"), "//"), raw, place=line.place
            )
            continue
        for hole in _HOLE.finditer(line.text):
            raw = hole.group("raw") == "!"
            yield Tag(line.start + hole.start(), line.start + hole.end(), hole.group("value"), raw, place=line.place)


FORMAT = Format("pug", SCRIPT, tags, assignments(r"\b(?:var|let|const)\s+(\w{1,60})\s*=\s*([^;\n]{1,400})"))
