"""Redirects to a slash and a value: ``/`` and ``/evil.example`` are together the address of another host."""

from __future__ import annotations

import re

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import HOLE, Taint, Value, trail_of
from devpulse.core.rules.flow_rule import Use
from devpulse.core.text import lines_of

_ROOTED = re.compile(r"^\s*[/\\]\ufffc")
_TAKES_SLASHES = re.compile(
    r"(?i)strip|trim|encode|quote|escape|slug|replace|sanit|basename|clean|normali|urlfor|url_for"
)
"""Functions after which a text no longer begins with a slash, by what they are called."""

_SEGMENT = re.compile(
    r"(?:\.|^)(?:params|match|matchdict|view_args|kwargs|session|user)(?:\.|$|\(\))|(?:^|\.)(?:Param|PathValue|Vars|URLParam|PathParam|ByName)\(\)$"
)
"""Parts of the path that was asked for: routers split it at its slashes."""

_RAILS = re.compile(r"(?i)^params(?:\.|$)")
_GOES_TO = re.compile(
    r"(?i)(?:^|[._])(?:next|back|return|redirect|go_?to|continue|dest|target|path|url|uri|page|location|ref)"
)
_PLAIN = re.compile(r"^\w+$")


def is_rooted(value: Value) -> bool:
    """Whether an address is a slash with a value right behind it, and nothing else that could be this value."""
    skeleton = value.skeleton or ""
    return _ROOTED.match(skeleton) is not None and skeleton.count(HOLE) == 1


def may_name_host(taint: Taint, use: Use) -> bool:
    """Whether what stands behind the slash can begin with another one."""
    label = taint.origin.label
    if Purpose.PATH in taint.cleaned or (_SEGMENT.search(label) and use.source.language != "ruby"):
        return False
    if _PLAIN.match(label) and not _takes_any(label, use):
        return False
    if use.source.language == "ruby" and _RAILS.match(label) and not _GOES_TO.search(label.partition(".")[2]):
        return False
    lines = lines_of(use.source.text)
    written = " ".join([use.text, *(lines[mark.line - 1] for mark in trail_of(taint) if mark.line <= len(lines))])
    return _TAKES_SLASHES.search(written) is None


def _takes_any(name: str, use: Use) -> bool:
    """Whether a parameter of a route may be any text: the rest of a path, or a parameter of the query."""
    if use.source.language == "java":
        given = rf"@(?:RequestParam|QueryParam|FormParam|QueryValue)\b[^;{{}}]{{0,80}}\b{name}\b"
    elif use.source.language == "python":
        given = rf"<path:{name}>|\{{{name}:path\}}|\(\?P<{name}>\.[*+]"
    else:
        return False
    return re.search(given, use.source.text) is not None
