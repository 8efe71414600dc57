"""HTML that Python puts together by hand, outside of templates and of what declares a text to be safe.

Kinds of sinks: ``printed`` is the whole answer of a script that a gateway runs. ``built`` is what a function gives back
that reads the request and writes tags, ``composed`` what any other does that writes tags. ``written`` sends a part of a
page. ``markdown`` makes HTML of a text, and leaves the tags in it. ``json`` is an answer of Twisted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import HOLE, Ask, Level, Taint
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.declared_types import declares_other
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.page_values import escapes, is_code, is_own_text, is_plain_name, is_plain_text
from devpulse.core.source import Source
from devpulse.core.text import first_in

TAG = re.compile(r"<[/!a-zA-Z]|&\w+;")
"""Signs of HTML in a text."""

_KEPT = lazy(r"(?im)^[ \t]*[\w.]+\.\w+[ \t]*=[ \t]*[\w.]*markdown\w*\(")
_STRICT = lazy(
    r"(?i)bleach|nh3|sanit|safe_mode|escape\s*=\s*True|html\s*=\s*False|DOMPurify|lxml_html_clean|clean_html"
)
_TWISTED = "twisted.web"
_WRITES_TAGS = lazy(r"[\"'>]\s*<[a-z]")
_HAS_TAGS = lazy(r"</?[a-z][a-z0-9]{0,9}[ />]")
_ASKS = lazy(r"\breq(?:uest)?\.(?:args|form|values|GET|POST|REQUEST|params|query_params)\b|get_(?:query_)?argument\(")
_PART_OF_PAGE = lazy(
    r"<(?:[abip]|abbr|audio|button|code|div|em|h[1-6]|iframe|img|input|label|li|object|option|pre|script|select"
    r"|small|span|strong|t[dhr]|table|textarea|ul|video)[ />]"
)
"""Tags of parts of pages, which other languages with tags do not have."""

_ANY_TEXT = frozenset({"val", "value", "text", "title", "name", "label", "message"})
_GIVES_HTML = lazy(r"(?i)html")
_NAMED_HTML = lazy(r"def \w{0,40}html")
_FIRST_OF_LIST = lazy(r"request\.args(?:\.get\([^()\n]{1,60}\)|\[[^\[\]\n]{1,60}\])\[0\]")
_OF_FILTER = "filter.return"
_CASTS = lazy(r"(?:^|\.)(?:(?:force|smart|to|ensure)_(?:str|text|unicode)|text_type|unicode|native_str)$")
_READ_OUT = lazy(r"(?<![\w.])(\w{1,60})(?:\.|\[[\"'])(\w{1,60})")
_LONGEST_READ = 2_000
"""Characters of a statement in which it is looked for what is read out of a parameter."""

_HEADER = lazy(r"\s*[A-Z][\w-]{2,30}:\s")
_PAGE = lazy(r"(?i)content-?[ -]?type:\s*text/html")


def _of_built(taint: Taint, use: Use) -> Reach | None:
    """Whoever sends what a function gives back hardly looks into it for what came with the request."""
    if taint.origin.level is not Level.REQUEST or use.value.collection or not _has_tags(use):
        return None
    return Reach(taint, Confidence.LOW if taint.asks else Confidence.MEDIUM)


def _of_written(taint: Taint, use: Use) -> Reach | None:
    if use.value.collection or any(decides(ask.callee) for ask in taint.asks):
        return None
    if not _has_tags(use):
        return Reach(taint, Confidence.MEDIUM) if _is_of_twisted(taint, use) else None
    if taint.origin.level is Level.REQUEST:
        return Reach(taint, Confidence.LOW if taint.asks else Confidence.HIGH)
    told = is_own_text(taint) or (taint.origin.level is Level.PARAMETER and is_plain_text(taint))
    return Reach(taint, Confidence.MEDIUM) if told else None


def _is_of_twisted(taint: Taint, use: Use) -> bool:
    """Whether Twisted sends as it is what it was asked with: as a page, unless it is told the type."""
    sent = taint.origin.level is Level.REQUEST and taint.origin.label.endswith("request.args") and not taint.asks
    return sent and _TWISTED in use.source.text and not declares_other(use.function)


def _of_json(taint: Taint, use: Use) -> Reach | None:
    """JSON that a page of Twisted gives back: it is sent as HTML unless it is told another type.

    Twisted gives each parameter as a list; its request is a parameter of the method, Flask's is none.
    """
    sent = taint.origin.level is Level.REQUEST and taint.origin.label == "request.args" and not taint.asks
    asked = sent and {"self", "request"} <= {parameter.name for parameter in use.call.scope.parameters}
    listed = asked and first_in(_FIRST_OF_LIST, use.source.text) is not None
    return Reach(taint, Confidence.MEDIUM) if listed and not declares_other(use.function) else None


def _of_composed(taint: Taint, use: Use) -> Reach | None:
    """HTML with a text in it that whoever called the function gave it, or that somebody wrote who is kept."""
    skeleton, level = use.value.skeleton or "", taint.origin.level
    if use.value.collection or is_code(taint) or not all(map(_is_cast, taint.asks)):
        return None
    if _PART_OF_PAGE.search(skeleton) is None:
        return Reach(taint, Confidence.MEDIUM) if _is_named_html(taint, use) else None
    plain = use.sink.pattern == _OF_FILTER or is_plain_text(taint) or _is_plain_part(taint, use)
    told = level is Level.REQUEST or (level is Level.PARAMETER and plain)
    return Reach(taint, Confidence.MEDIUM) if told or is_own_text(taint) else None


def _is_named_html(taint: Taint, use: Use) -> bool:
    """Whether a function that is called after HTML makes a text, and no more, of what its caller gives it."""
    if taint.trail is None and not taint.asks:
        return False  # HTML as it came
    given = [known for known in use.value.taints if known.origin.level is not Level.UNKNOWN]
    whole = use.value.skeleton == HOLE and use.sink.pattern == "def.return" and given == [taint]
    named = taint.origin.label in _ANY_TEXT and _GIVES_HTML.search(use.call.scope.name) is not None
    return whole and named and taint.origin.level is Level.PARAMETER


def _is_cast(ask: Ask) -> bool:
    """Whether a function that is not known makes a text of what it is given, and nothing else."""
    return not ask.check and _CASTS.search(ask.callee) is not None


def _is_plain_part(taint: Taint, use: Use) -> bool:
    """Whether what is put there is a text by its name that was read out of a parameter: ``header["text"]``."""
    label = taint.origin.label
    return any(found[1] == label and is_plain_name(found[2]) for found in _READ_OUT.finditer(use.text[:_LONGEST_READ]))


def _of_markdown(taint: Taint, use: Use) -> Reach | None:
    """A text of somebody else that is kept as HTML: Markdown hands on the tags in it."""
    if not _KEPT.search(use.text) or first_in(_STRICT, use.source.text) or escapes(use.function.calls):
        return None
    told = taint.origin.level is Level.REQUEST or (taint.origin.level is Level.PARAMETER and is_plain_text(taint))
    return Reach(taint, Confidence.MEDIUM) if told and not taint.asks else None


def _has_tags(use: Use) -> bool:
    return TAG.search(use.value.skeleton or "") is not None


def _of_printed(taint: Taint, use: Use) -> Reach | None:
    """What a script of a gateway prints is the page; what it prints before an empty line are headers."""
    skeleton = use.value.skeleton or ""
    if taint.origin.level is not Level.REQUEST or use.value.collection or _HEADER.match(skeleton):
        return None
    if not is_plausible("printed", use.source) or any(decides(ask.callee) for ask in taint.asks):
        return None
    return Reach(taint, Confidence.HIGH if _has_tags(use) and not taint.asks else Confidence.MEDIUM)


KINDS: dict[str, Callable[[Taint, Use], Reach | None]] = {
    "built": _of_built,
    "printed": _of_printed,
    "written": _of_written,
    "markdown": _of_markdown,
    "composed": _of_composed,
    "json": _of_json,
}
"""What a taint does at a sink of one of these kinds."""


def is_plausible(kind: str, source: Source) -> bool:
    """Whether a file has what a kind of sinks needs."""
    if kind == "markdown":
        return _KEPT.search(source.text) is not None and _STRICT.search(source.text) is None
    if kind == "printed":
        return _prints_page(source.text)
    if kind == "json":
        return _FIRST_OF_LIST.search(source.text) is not None
    if kind == "composed":
        return _PART_OF_PAGE.search(source.text) is not None or _NAMED_HTML.search(source.text) is not None
    if kind == "built":
        return _ASKS.search(source.text) is not None and _WRITES_TAGS.search(source.text) is not None
    return _HAS_TAGS.search(source.text) is not None or _TWISTED in source.text


@lru_cache(maxsize=8)
def _prints_page(text: str) -> bool:
    """Whether a script is one of a gateway and says that it answers with HTML."""
    return "FieldStorage(" in text and _PAGE.search(text) is not None
