"""Values that a language prints by one and the same statement, whatever they are: PHP, and the pages of servers.

Kinds of sinks: ``output`` is put out by a server page, ``sent`` is HTML that a function of PHP gives back and that has
what a request gave, ``made`` any other that it gives back or collects, ``assigned`` is handed to a template that does
not escape, ``shortcode`` is what WordPress puts into a post.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint
from devpulse.core.rules.built_pages import TAG
from devpulse.core.rules.declared_types import is_no_page
from devpulse.core.rules.escaped_beside import is_bare_parameter, is_left_raw, is_variable_left_raw
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.written_texts import is_in_text, is_tagged, is_written_raw
from devpulse.core.text import lines_of

_IN_PAGE = re.compile(r"<\?(?:=|php\s+(?:echo|print)\b)|</?[a-z]")
_HANDS_ON = re.compile(
    r"(?i)(?:param|request|input|unslash|slashes|trim|url|replace|decode|concat|format|render|reverse)\w*$"
)
_OPEN_ATTRIBUTE = re.compile(r"\w=[\"'][^\"'<>]*$")
_PRINTED_IN_ATTRIBUTE = re.compile(r"\w=[\"'][^\"'<>]{0,100}<\?(?:=|php\s{1,4}(?:echo|print)\b)")
_LONGEST_ATTRIBUTE = 200
_LONGEST_LINE = 2_000
"""Characters that are looked at for the begin of an attribute."""

_LESS_SURE = re.compile(r"^(?:shortcode_atts|current\.path)\b")  # authors write the one, browsers encode the other


def of_php(taint: Taint, use: Use) -> Reach | None:
    """PHP prints everything by the same statement, also what functions made that say nothing of it by their names."""
    if taint.origin.level is not Level.REQUEST:
        left = is_left_raw(taint, use) or is_variable_left_raw(taint, use) or is_bare_parameter(taint, use.value.taints)
        in_page = TAG.search(use.value.skeleton or "") or _IN_PAGE.search(use.text) or _begins_tag(use)
        told = (in_page and left) or ((in_page or is_in_text(taint, use)) and is_written_raw(taint, use))
        return Reach(taint, Confidence.MEDIUM) if told else None
    if not all(_HANDS_ON.search(ask.callee) for ask in taint.asks):
        return Reach(taint, Confidence.LOW)
    doubtful = taint.asks or _LESS_SURE.search(taint.origin.label)
    return Reach(taint, Confidence.MEDIUM if doubtful else Confidence.HIGH)


def _begins_tag(use: Use) -> bool:
    """Whether a tag of PHP stands at the end of the line before: what it prints is within a page."""
    lines = lines_of(use.source.text)
    before = lines[use.call.start_line - 2] if use.call.start_line > 1 else ""
    return use.call.start_line > 2 and before.rstrip().endswith(("<?php", "<?="))


def is_sent(taint: Taint) -> bool:
    """Whether a value came with the request, through nothing that may have made HTML of it."""
    return taint.origin.level is Level.REQUEST and all(_HANDS_ON.search(ask.callee) for ask in taint.asks)


def of_sent(taint: Taint, use: Use) -> Reach | None:
    """HTML that a function makes of what was sent, which whoever called it shows."""
    told = is_sent(taint) and not use.value.collection and TAG.search(use.value.skeleton or "")
    return Reach(taint, Confidence.MEDIUM) if told else None


def of_made(taint: Taint, use: Use) -> Reach | None:
    """HTML that a function makes of a text that people wrote."""
    told = not use.value.collection and is_tagged(taint, use) and is_written_raw(taint, use)
    return Reach(taint, Confidence.MEDIUM) if told else None


def of_assigned(taint: Taint, use: Use) -> Reach | None:
    """A value of a template whose engine escapes nothing unless it is told to."""
    return Reach(taint, Confidence.MEDIUM) if is_sent(taint) and not use.value.collection else None


def is_in_attribute(use: Use) -> bool:
    """Whether everything that is printed stands in the values of attributes, whose quotes it can end."""
    skeleton = use.value.skeleton or ""
    if skeleton == HOLE:
        return use.text.count("<?") == 1 and _PRINTED_IN_ATTRIBUTE.search(use.text[:_LONGEST_LINE]) is not None
    parts = skeleton.split(HOLE)[:-1]
    return bool(parts) and all(_OPEN_ATTRIBUTE.search(part[-_LONGEST_ATTRIBUTE:]) for part in parts)


def of_shortcode(taint: Taint, use: Use) -> Reach | None:
    """An attribute of a shortcode in the HTML that it stands for, which other people than its author look at."""
    value = use.value
    if taint.origin.level is not Level.REQUEST or value.collection or not TAG.search(value.skeleton or ""):
        return None
    return Reach(taint, Confidence.LOW if taint.asks else Confidence.MEDIUM)


def of_output(taint: Taint, use: Use) -> Reach | None:
    """A server page puts out everything by the same tag, also what functions made that say nothing of it by their
    names."""
    if taint.origin.level is not Level.REQUEST or is_no_page(use):
        return None
    return Reach(taint, Confidence.HIGH if all(_HANDS_ON.search(ask.callee) for ask in taint.asks) else Confidence.LOW)


KINDS: dict[str, Callable[[Taint, Use], Reach | None]] = {
    "output": of_output,
    "sent": of_sent,
    "made": of_made,
    "assigned": of_assigned,
    "shortcode": of_shortcode,
}
"""The judges of the kinds of sinks that are about what a language prints."""
