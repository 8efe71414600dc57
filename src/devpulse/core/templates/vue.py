"""Vue: ``v-html`` sets the HTML of an element. https://vuejs.org/guide/best-practices/security.html"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Place, Tag
from devpulse.core.templates.ejs import SCRIPT

_SET = lazy(r"(?<![\w-])v-html\s*=\s*(?:\"([^\"]{0,20000})\"|'([^']{0,20000})')")
_COMMENT = lazy(r"<!--")
_NAME = lazy(r"[A-Za-z_$]\w*")
_ESCAPES = lazy(r"(?i)sanitiz|purif|escape|\bxss\b|\bmarked\b|markdown|highlight|\$?\bt\(|render|v?html")
_WINDOW = 500
MAX_NAMES = 200
MAX_PLACES = 20
"""Names that are looked up in the component, and places of each at which it may be defined."""

_DEFINED = lazy(r"([A-Za-z_$]\w*+)\s{0,20}+(?=[(:=])(?!===?|=>)")


def tags(text: str) -> Iterator[Tag]:
    """Every ``v-html`` outside of comments."""
    place = 0
    while (found := _SET.search(text, place)) is not None:
        opened, closed = text.rfind("<!--", place, found.start()), text.rfind("-->", place, found.start())
        place = found.end()
        if opened > closed:
            end = text.find("-->", found.end())
            place = len(text) if end < 0 else end
            continue
        yield Tag(found.start(), found.end(), found.group(1) or found.group(2) or "", raw=True, place=Place.TEXT)


def assigned(text: str) -> Mapping[str, str]:
    """Names that the component gives HTML: what it computes with a cleaner or from Markdown."""
    script = text[text.find("<script") :] if "<script" in text else ""
    names = dict.fromkeys(("label", "description", "caption"), "given")  # which one component gives another
    shown = (
        name for match in _SET.finditer(text) for name in _NAME.findall(match.group(1) or match.group(2) or "")[:5]
    )
    wanted = set(islice(dict.fromkeys(name for name in shown if name not in names), MAX_NAMES))
    seen: Counter[str] = Counter()
    for defined in _DEFINED.finditer(script) if wanted else ():
        name = defined.group(1)
        if name in wanted and name not in names and seen[name] < MAX_PLACES:
            seen[name] += 1
            if _ESCAPES.search(script, defined.end(), defined.end() + _WINDOW):
                names[name] = "madeHtml"
    return names


FORMAT = Format("vue", SCRIPT, tags, assigned)
