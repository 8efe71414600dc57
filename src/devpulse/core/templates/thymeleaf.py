"""Thymeleaf: ``th:utext`` and ``[( )]`` do not escape.

https://www.thymeleaf.org/doc/tutorials/3.1/usingthymeleaf.html#unescaped-text
"""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.base import Format, Place, Tag
from devpulse.core.templates.tokens import Syntax

SPRING = Syntax(requests=frozenset({"param", "parameters"}))
_SET = lazy(
    r"(?<![\w-])(?:data-)?th[:-]utext\s*=\s*(?:\"([^\"]{0,20000})\"|'([^']{0,20000})')|\[\(((?:[^()]|\([^()]{0,400}\)){1,1000}?)\)\]|<!--"
)
_VALUE = lazy(r"[$*]\{")
_NO_VALUE = lazy(r"[@~]\{[^{}]{0,500}\}")
_MESSAGE = lazy(r"#\{([\w.-]{1,100})")


def tags(text: str) -> Iterator[Tag]:
    """Every value that is not escaped."""
    place = 0
    while (found := _SET.search(text, place)) is not None:
        place = found.end()
        written = found.group(1) or found.group(2) or found.group(3)
        if found.group() == "<!--" and not text.startswith("/*", place):
            end = text.find("-->", place)
            place = len(text) if end < 0 else end
        elif written is not None and (found.group(3) is None or "{" in written):
            yield Tag(found.start(), found.end(), _plain(written), raw=True, place=Place.TEXT)


def _plain(written: str) -> str:
    """The expression without the marks of its values; of a message its key and what is put into it."""
    text = _NO_VALUE.sub("''", written)
    text = _MESSAGE.sub(lambda found: f"message('{found.group(1)}', ", text) if "#{" in text else text
    text = _VALUE.sub("(", text.replace("#strings.", "").replace("#httpServletRequest", "request"))
    return text.replace("}", ")").replace("#request", "request").replace("#", "")


FORMAT = Format("thymeleaf", SPRING, tags)
