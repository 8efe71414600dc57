"""Slim: ``==`` and ``#{{ }}`` do not escape, nor do ``raw`` and ``html_safe``.

https://github.com/slim-template/slim#text-interpolation
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag
from devpulse.core.templates.erb import RUBY
from devpulse.core.templates.lines import template_lines, without_comment

_SCRIPT = lazy(
    r"\s*(?:[\w.#*][\w.#:-]{0,100}(?:\[[^\[\]]{0,500}\]|\([^()]{0,500}\)|\{[^{}]{0,500}\}|(?:\s+[\w:-]{1,60}=\"[^\"]{0,200}\"){1,10})?\s{0,4})?"
    r"(?<![=!<>])(?P<mark>==?)[<>']{0,2}(?=[\s@])\s*(?P<value>[^=\s].*)"
)
_HOLE = lazy(r"#(?:\{\{(?P<raw>[^{}]{1,500})\}\}|\{(?P<value>[^{}]{1,500})\})")


def tags(text: str) -> Iterator[Tag]:
    """Every value that a line writes."""
    for line in template_lines(text):
        script = _SCRIPT.match(line.text)
        if script is not None:
            start = line.start + script.start("mark")
            raw = script.group("mark") == "=="
            yield Tag(
                start, line.start + len(line.text), without_comment(script.group("value"), "#"), raw, place=line.place
            )
            continue
        for hole in _HOLE.finditer(line.text):
            value = hole.group("raw") or hole.group("value")
            start, end = line.start + hole.start(), line.start + hole.end()
            yield Tag(start, end, value, hole.group("raw") is not None, place=line.place)


FORMAT = Format("slim", RUBY, tags)
