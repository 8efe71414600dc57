"""What a function says of the type of its answer: by a call of its own, or where the answer is made."""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.rules.flow_rule import Inside, Use

CONTENT_TYPES = ("content_type", "mimetype", "media_type", "contentType")
"""Arguments by name that say the type of an answer."""

_TO_ANSWER = re.compile(
    r"(?:Fprint\w*|WriteString)\(\s*(?:w|rw|rsp|out|res\w*|wr|writer|ctx|c|[\w.]+\.(?:Writer|Response\(\))|\w*[rR]esponseWriter)\s*,"
)
_TYPED = re.compile(r"content-type:\s*(?!text/html|image/svg)[a-z]+/")
_NAMES_TYPE = frozenset({"setContentType", "contentType", "SetContentType", "type"})
_DECLARING = _NAMES_TYPE | {"Set", "setHeader", "addHeader", "header", "set", "Header"}
_OTHER_ENDINGS = frozenset({"txt", "text", ".txt", "json", ".json", "csv", "css", "js"})
"""What Express calls a content type that is none of HTML."""


def is_no_page(use: Use) -> bool:
    """Whether the answer is said to be something else than HTML."""
    for name in CONTENT_TYPES:
        given = use.call.keyword(name)
        if given is not None and "html" not in (given.skeleton or ""):
            return True
    if use.sink.pattern.startswith(("fmt.F", "io.WriteString")) and not _TO_ANSWER.search(use.text):
        return True
    return declares_other(use.function)


@lru_cache(maxsize=64)
def declares_other(function: Inside) -> bool:
    """Whether the function says, in a call of its own, that what it sends is something else than HTML."""
    for call in function.calls:
        if call.method in _DECLARING:
            texts = [(argument.value.skeleton or "").lower() for argument in call.arguments]
            if len(texts) == 1 and _TYPED.match(texts[0]):  # PHP's, with name and value in one
                return True
            if call.method == "type" and texts and texts[-1] in _OTHER_ENDINGS:
                return True
            named = call.method in _NAMES_TYPE or "content-type" in texts
            if named and texts and "/" in texts[-1] and "html" not in texts[-1]:
                return True
    return False


def declares_page(use: Use) -> bool:
    """Whether a function, or the answer itself, says in so many words that what is sent is HTML."""
    own = (part for argument in use.call.arguments for _, part in argument.value.fields)
    return any("text/html" in (part.skeleton or "") for part in own) or _declares_html(use.function)


@lru_cache(maxsize=64)
def _declares_html(function: Inside) -> bool:
    for call in function.calls:
        texts = [(argument.value.skeleton or "").lower() for argument in call.arguments]
        if call.method in _DECLARING and texts and "text/html" in texts[-1]:
            return True
        if call.method == "Type" and "html" in texts:
            return True
    return False
