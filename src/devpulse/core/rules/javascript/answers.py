"""Answers of Javascript servers that are pages: what sends them, and how each says what it sends.

Kinds of sinks: ``status`` sends a text behind other calls on the answer, ``reply`` is Fastify's, whose texts are plain
unless they are said to be HTML, ``body`` is Koa's, which takes a text for HTML that begins with a tag, ``declared`` is
an answer that is made with its content type.
"""

from __future__ import annotations

import re

from devpulse.core.flow.values import Taint, Value, trail_of
from devpulse.core.rules.declared_types import declares_page
from devpulse.core.rules.flow_rule import Use

KINDS = frozenset({"status", "reply", "body", "declared"})

_CHAIN = re.compile(r"\b(?:res|response|resp)\s*\.\s*(?:status|type|code|contentType|set|header|cookie|append)\(")
_REPLY_CHAIN = re.compile(r"\breply\s*\.\s*(?:status|type|code|header)\(")
_TAGS = re.compile(r"[\"'`>]\s{0,100}<[a-z]")
_SERVES = re.compile(r"\b(?:req|request|ctx|context)\b")
_ADDRESS = re.compile(r"^req(?:uest)?\.(?:url|originalUrl|path)$")
_CHANGED = re.compile(r"^(?:through|returned by)\b")
_OTHER_TYPE = re.compile(r"\.(?:type|contentType)\(\s*['\"](?!html|text/html|\.html)")


def is_plausible(kind: str, text: str) -> bool:
    """Whether a file can have what a kind of sinks needs: cheap, since other files are not followed for it."""
    if kind == "part":
        return ".html(" in text or _TAGS.search(text) is not None
    if kind == "declared":
        return "text/html" in text
    return kind not in ("status", "body") or _SERVES.search(text) is not None


def is_encoded(taint: Taint) -> bool:
    """Whether a value is the address of the request as it was sent, in which browsers encode what would be a tag."""
    return _ADDRESS.search(taint.origin.label) is not None and not any(_CHANGED.match(m.note) for m in trail_of(taint))


def is_page(use: Use, value: Value) -> bool:
    """Whether a text that one of these sinks is given is sent as a page."""
    kind, text = use.sink.kind, use.text
    if kind == "body":
        return (value.skeleton or "").lstrip().startswith("<")
    if kind == "declared":
        return "text/html" in text
    if _OTHER_TYPE.search(text):
        return False
    if kind == "reply" or _REPLY_CHAIN.search(text):
        return "html" in use.text or declares_page(use)
    return _CHAIN.search(text) is not None
