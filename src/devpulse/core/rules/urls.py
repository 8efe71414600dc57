"""What the rules about addresses share: whether a value can choose the host of a URL."""

from __future__ import annotations

import re

from devpulse.core.flow.values import HOLE, Level, Taint, Value

_FIXED_HOST = re.compile(r"^\s*(?:(?:[a-zA-Z][\w+.-]*|\ufffc):)?//[^/?#\\\ufffc]+[/?#\\]")
_WHOLE_HOST = re.compile(r"^\s*(?:(?:[a-zA-Z][\w+.-]*|\ufffc):)?//[^/?#\\\ufffc]+$")
_BEGUN = re.compile(r"(?:^|\.)location\.(?:search|hash)$")
_LOCAL = re.compile(r"^\s*(?:[^\s?#]*[?#]|/(?![/\\\ufffc])|\?|#|\.{1,2}/|[\w-]+(?:/|\.[a-z]{2,5}(?:\?|$)))")
_ENDED = re.compile(r"\ufffc(?:/[^/\\\ufffc]|[?#])")
_WRITTEN_END = re.compile(r"[\"'`](?:%s)?(?:/[^/\\\"'`]|[?#])")
_OTHER = Level.UNKNOWN
_OPENED = re.compile(r"(?:[\"'`](?:\$?\{|#\{)|[(=,:])\s{0,9}$")
"""Code in front of what an address begins with."""

_LAST_NAME = re.compile(r"\(.*$")
_BEGINS = re.compile(r"`\$\{([\w$.]{1,80})\}/")
_SAME_SITE = re.compile(
    r"(?:\.|^)(?:path|full_path|path_info|self\.request\.uri|get_full_path|originalUrl|script_root|url_rule|endpoint|location\.pathname)(?:\(\))?$"
)


def chooses_host(value: Value) -> bool:
    """Whether what is put into a URL stands where its host can still be decided: before it ends."""
    skeleton = value.skeleton
    if skeleton is None or HOLE not in skeleton:
        return True
    before, _, behind = skeleton.partition(HOLE)
    if behind.startswith("://"):  # the first value is a scheme
        before = f"{before}{HOLE}{behind.partition(HOLE)[0]}"
    if _WHOLE_HOST.match(before):  # what follows it begins with a question mark or a number sign, or goes on with it
        return not all(_BEGUN.search(taint.origin.label) for taint in value.taints if taint.origin.level is not _OTHER)
    return not (_FIXED_HOST.match(before) or _LOCAL.match(before))


def may_stand_later(taint: Taint, value: Value, text: str) -> bool:
    """Whether a URL begins with another value and a slash, so that this one may well be part of its path; ``text`` is
    the code that builds it, in which what is written first tells.
    """
    skeleton = (value.skeleton or "").lstrip()
    origins = {other.origin.id: other.origin.label for other in value.taints}
    first = skeleton.startswith(HOLE + "/")
    if not first and skeleton.count("://" + HOLE + "/") != 1:
        return False
    others = [other for other in value.taints if other.origin is not taint.origin]
    several = skeleton.count(HOLE) > 1
    own = text.find(_LAST_NAME.sub("", taint.origin.label))
    opens = own >= 0 and _OPENED.search(text, max(0, own - 20), own) is not None
    if first and several and not opens and all(other.origin.level < taint.origin.level for other in others):
        return True  # what is the program's own begins the address
    if len(set(origins.values())) == 1:
        return several and _stands_behind(_LAST_NAME.sub("", taint.origin.label), text)
    places = {key: text.find(_LAST_NAME.sub("", label)) for key, label in origins.items()}
    own = places[taint.origin.id]
    return own < 0 or any(0 <= place < own for place in places.values())


def stands_later(taint: Taint, value: Value, text: str) -> bool:
    """Whether a redirect begins with another value and what ends a host, and this one comes after that: in the code
    that builds it behind the text that begins so. A slash alone is no such text, since another may follow it.
    """
    skeleton = (value.skeleton or "").lstrip()
    if _ENDED.match(skeleton) is None or HOLE not in skeleton[1:]:
        return False
    written, own = _WRITTEN_END.search(text), text.find(_LAST_NAME.sub("", taint.origin.label))
    if own >= 0:
        return written is not None and own > written.start()
    return may_stand_later(taint, value, text)


def _stands_behind(label: str, text: str) -> bool:
    """Whether a template of Javascript begins with a constant of somewhere else: ``${API}/users/${id}``."""
    first = _BEGINS.search(text)
    return first is not None and not first[1].startswith(label) and 0 <= first.start() < text.find(label)


def is_same_site(label: str) -> bool:
    """Whether an origin is the path of the very request, which cannot name another host."""
    return _SAME_SITE.search(label) is not None
