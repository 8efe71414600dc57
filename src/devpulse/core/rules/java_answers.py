"""What writes an answer in Java: writers of something else, and the server of the JDK itself."""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import Level, Taint
from devpulse.core.rules.built_pages import TAG
from devpulse.core.rules.declared_types import declares_other
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach

_ELSEWHERE = (
    r"\w*File(?:OutputStream|Writer)|ByteArrayOutputStream|StringWriter|Zip\w*|"
    r"(?:Print(?:Writer|Stream)|Buffered(?:Writer|OutputStream)|OutputStreamWriter|DataOutputStream)\(\s*(?:new\s+|\w*[sS]ocket)"
)
"""What a program makes to write to something else than an answer."""
_MADE_ELSEWHERE = re.compile(rf"(?<!\w)(\w++)\s*+=\s*+new\s++(?:{_ELSEWHERE})")
_MADE_OF_ANSWER = re.compile(r"(?<!\w)(\w++)\s*+=\s*+\w{0,40}\.get(?:Writer|OutputStream)")
_WRITER = re.compile(r"(?i)get(?:Writer|OutputStream)\s*\(|\bout\b|writer")
BODY = "getResponseBody"


def is_no_writer(use: Use) -> bool:
    """Whether a Java method is called on a result, ``text.append(a).append(b)``, that is no writer of an answer."""
    if use.source.language != "java":
        return False
    if use.call.callee.startswith("."):
        return _WRITER.search(use.text) is None
    return use.call.callee.rpartition(".")[0].rpartition(".")[2] in _written_elsewhere(use.source.text)


@lru_cache(maxsize=8)
def _written_elsewhere(text: str) -> frozenset[str]:
    """The names of a Java file that are writers of something else than an answer, and of none anywhere."""
    return frozenset(_MADE_ELSEWHERE.findall(text)).difference(_MADE_OF_ANSWER.findall(text))


def of_exchange(taint: Taint, use: Use) -> Reach | None:
    """What is written into the body of an answer of the JDK's own server, which says nothing of its type by itself."""
    value = use.value
    if taint.origin.level is not Level.REQUEST or value.collection or declares_other(use.function):
        return None
    chained = use.call.callee.startswith(".")
    if (chained and BODY not in use.text) or not any(call.method == BODY for call in use.function.calls):
        return None
    return Reach(taint, Confidence.HIGH) if TAG.search(value.skeleton or "") else None
