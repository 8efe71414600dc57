"""Calls of Javascript that are told by a known call of another name."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.operations import Argument
from devpulse.core.flow.syntax_nodes import node_text

ELEMENT = "$element"
"""What an element of the page is called."""

_BY_NAME: dict[str, tuple[str, int]] = {
    **dict.fromkeys(
        (
            "path.join", "path.posix.join", "path.win32.join", "pth.join", "Path.join", "nodePath.join", "p.join",
            "_path.join",
        ),
        ("node_join", 0),
    ),
    "join": ("node_join", 2),
    "resolve": ("path.resolve", 2),
    **dict.fromkeys(("util.format", "sprintf", "vsprintf", "printf.sprintf"), ("format_verbs", 1)),
    "URL": ("node_url", 2),
}  # fmt: skip
"""What a call is like, and how many arguments it has at least to be so."""

_ELEMENT = frozenset({".attr", ".prop", ".val", ".css", ".data"})
"""Methods of jQuery that give back the element, of which they set something that is no HTML; so does ``text``."""

_READS = {"attr": 1, "data": 1, "getAttribute": 1, "text": 0, "val": 0}
"""What reads a text off an element of the page, and how many arguments it is given to do so."""

_READ_ATTRIBUTE = re.compile(
    r"['\"`](?:data-[\w-]{0,60}|title|href|src|alt|name|label|value|placeholder|content)(?<!id)(?<!type)['\"`]"
)
"""Attributes that hold what somebody wrote."""

_OWN_DATA = re.compile(r"(?i)(?:id|type|index|count|key|state|size|width|height)['\"`]$|^[^'\"`]")
"""What a program keeps at an element for itself."""

_QUERY = re.compile(r"^(?:[\w$.]{0,40}\.)?(?:\$\w{0,40}|jQuery)(?:$|[.(])")
"""An element that jQuery found, or one that is kept under a name which says so."""

_SHOWN_ATTRIBUTE = re.compile(
    r"['\"`](?:data-(?:title|content|label|text|name|original-title)|title|alt|label|placeholder)['\"`]"
)
"""Attributes with words that an element shows, which nothing but an element has."""

_ASKS_SERVER = re.compile(r"(?:^|\.)(?:\$?http|\$?axios|api|ky|superagent)\.(?:get|post|put|patch|delete|request)$")


def like_of(callee: str, given: tuple[Argument, ...]) -> str:
    """A known call whose result and proof a call shares.

    ``replace`` takes the first match only, unless its pattern is global, and what it puts in comes to the rest;
    ``util.format`` fills in a template; ``indexOf`` proves what ``includes`` does (``of_index``), ``path.join`` leaves
    no ``..`` inside, and ``new URL(path, base)`` may choose the host.
    """
    if callee.endswith(".indexOf") or _ASKS_SERVER.search(callee):
        return "includes" if callee.endswith(".indexOf") else "fetch"
    if given and (callee in _ELEMENT or (callee.endswith(".text") and len(given) == 1)):
        return "escapeHtml"
    like, least = _BY_NAME.get(callee, ("", 0))
    if like:
        return like if len(given) >= least else ""
    if not given:
        return ""
    if callee == "format" and "%s" in node_text(given[0].node)[:400]:
        return "format_verbs"
    return _of_replacement(given[0].node) if callee.endswith(".replace") else ""


def page_read(callee: str, receiver: Node | None, given: tuple[Argument, ...]) -> str:
    """Under what name a call is known that reads a text off an element of the page; empty for any other call.

    Such a text is what its element shows, in which tags are plain words, whoever wrote it.
    """
    name = callee.rpartition(".")[2]
    if receiver is None or _READS.get(name) != len(given):
        return ""
    word = node_text(given[0].node)[:80] if given else ""
    if given and (_OWN_DATA.search(word) if name == "data" else not _READ_ATTRIBUTE.fullmatch(word)):
        return ""
    told = name in ("getAttribute", "val") or (name == "attr" and _SHOWN_ATTRIBUTE.fullmatch(word) is not None)
    found = told or _QUERY.match(node_text(receiver)[:120]) is not None
    return f"{ELEMENT}.{name}" if found else ""


def _of_replacement(pattern: Node) -> str:
    if _text_of_pattern(pattern).startswith("^") or "g" in node_text(pattern.child_by_field_name("flags")):
        return ""
    return "concat"


def _text_of_pattern(node: Node) -> str:
    return node_text(node.child_by_field_name("pattern")) if node.type == "regex" else ""
