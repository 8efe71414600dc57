"""JSF: a component with ``escape="false"`` writes its value as it is.

https://jakarta.ee/specifications/faces/4.0/vdldoc/h/outputText.html
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Place, Tag
from devpulse.core.templates.jsp import JAVA

_OUTPUT = lazy(r"<!--|<\w{1,20}:\w{1,40}(?=\s)((?:[^<>\"']|\"[^\"<]{0,1000}\"|'[^'<]{0,1000}'){0,400}?)/?>")
_RAW = lazy(r"\bescape\s*=\s*[\"']false[\"']")
_VALUE = lazy(r"\b(?:value|summary)\s*=\s*(?:\"[^\"#]{0,500}#\{([^{}\"]{1,1000})\}|'[^'#]{0,500}#\{([^{}']{1,1000})\})")


def tags(text: str) -> Iterator[Tag]:
    """Every component that does not escape its value."""
    place = 0
    while (found := _OUTPUT.search(text, place)) is not None:
        place = found.end()
        if found.group() == "<!--":
            end = text.find("-->", place)
            place = len(text) if end < 0 else end
            continue
        attributes = found.group(1)
        value = _VALUE.search(attributes) if _RAW.search(attributes) else None
        if value is not None:
            yield Tag(found.start(), found.end(), value.group(1) or value.group(2), raw=True, place=Place.TEXT)


FORMAT = Format("jsf", JAVA, tags)
