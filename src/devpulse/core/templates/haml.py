"""Haml: ``=`` escapes in Rails; ``!=``, ``!{ }``, ``raw`` and ``html_safe`` do not.

https://haml.info/docs/yardoc/file.REFERENCE.html#unescaping_html
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Tag, assignments
from devpulse.core.templates.erb import RUBY
from devpulse.core.templates.lines import template_lines, without_comment

_SCRIPT = lazy(
    r"\s*(?:[%.#][\w:.#-]{0,100}(?:\{[^{}]{0,500}\}|\([^()]{0,500}\)|\[[^\[\]]{0,100}\])?)?[<>]{0,2}(?P<mark>[!&]?==?|~)(?=\s)\s*(?P<value>.+)"
)
_HOLE = lazy(r"(?P<raw>[!#])\{(?P<value>[^{}]{1,500})\}")


def tags(text: str) -> Iterator[Tag]:
    """Every value that a line writes."""
    for line in template_lines(text):
        script = _SCRIPT.match(line.text)
        if script is not None:
            start, mark = line.start + script.start("mark"), script.group("mark")
            yield Tag(
                start,
                line.start + len(line.text),
                without_comment(script.group("value"), "#"),
                mark.startswith("!"),
                place=line.place,
            )
            continue
        for hole in _HOLE.finditer(line.text):
            raw = hole.group("raw") == "!"
            yield Tag(line.start + hole.start(), line.start + hole.end(), hole.group("value"), raw, place=line.place)


FORMAT = Format("haml", RUBY, tags, assignments(r"(?m:^)[ \t]*-[ \t]*(@?[a-z_]\w{0,60})\s*=\s*(?![=~>])([^\n]{1,400})"))
