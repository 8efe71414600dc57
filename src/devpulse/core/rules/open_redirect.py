"""Open redirects: answers that send the browser to an address that came with the request.

Kinds of sinks: ``location`` sends to an address. ``last`` does so with its last argument. ``header`` sets a header
from a text, a redirect when that begins with its name. ``pair`` sets a header by its name and its value,
``headers`` by a table of them. ``chain`` sends to an address behind ``redirect()``. ``view``
names a view, a redirect when it says so. ``props`` are what a page of Next is made with, or where it is instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint, Value, trail_of
from devpulse.core.rules.flow_rule import Danger, Inside, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.rooted_addresses import is_rooted, may_name_host
from devpulse.core.rules.urls import chooses_host, is_same_site, stands_later
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.text import first_in, lines_of

WORDING = Wording(
    title="Redirect to an address from the request",
    description="A link to this site can lead to any other, which makes phishing look trustworthy.",
    fix="Redirect to local paths only, or to addresses from a fixed list; check the host of what was asked for.",
)
_HEADER = re.compile(r"(?i)^\s*(?:location|refresh)\s*:\s*")
_HEADERS = frozenset({"location", "refresh"})
_NAMES_HEADER = re.compile(r"(?i)\"(?:location|refresh)\"|HeaderLocation|\bLOCATION\b")
_REDIRECTS = re.compile(r"\bredirect\(\)\s*->\s*to\(")
_HOST = re.compile(r"^(?:r|req|request)\.Host$")
_WITH_HOST = re.compile(r"https?://\ufffc")
_ROUTE_HELPER = re.compile(r"(?<!redirect)(?<!return)(?<!next)(?<!back)(?<!target)_(?:path|url)$")
"""Rails' ``posts_path(page: …)`` makes addresses of this site only."""

_OF_RECORD = re.compile(r"^(?:\$?[a-z_][\w$]*(?:\.\w+)*)?\.(?i:(?:get_?)?\w{0,40}(?:url|link|uri))$")
"""A method that gives an object's own address: of what was found or made by the request, not one that came with it."""

_OWN_BASE = re.compile(
    r"(?:(?i:location:)\s*['\"]\s*\.|(?:redirect|away|to|Response)\s*\()\s*(?:[A-Z][A-Z\d_]{2,60}\s*\.\s*['\"]|"
    r"(?:\w{1,40}(?:::|->)|\$this->)?(\w{0,40}(?i:url)|config)\((?:[^()$]{0,80}\)\s*\.\s*['\"]|[^()$]{0,80}/['\"]\)\s*\.))"
)
"""In PHP, an address that begins with a constant or with what a call without values gives that is named for addresses
or settings: this site's own.
"""

_ASKED_FOR = (None, "url", "fullUrl")
"""Of a request, the address that was asked for: ``Request::url()``."""

_GIVES_ADDRESS = re.compile(r"^[a-z]\w*(?:\.\w+)*\.get\w{0,40}U(?:rl|RL)$")
_MAKES = re.compile(
    r"^(?:@?[a-z_]\w*(?:\.\w+)*|[A-Z]\w*(?:::[A-Z]\w*)*)?\.(?:build|new|create!?|find\w*|first_or_\w+)$"
)
_VIEW = re.compile(r"^redirect:")

_CHOOSES = re.compile(
    r"(?i)safe|saniti|valid|clean|check|allow|trust|next|redirect|return_?url|(?<![a-z])local|internal|relative"
)
"""Functions whose name says that they choose where a visitor may be sent, or ask whether he may."""

_ITSELF = re.compile(r"(?:^|\.)request\.(?:url|base_url|root_url|url_root|build_absolute_uri)(?:\(.*\))?$")
_OWN_PATHS = frozenset({"self.request.path", "self.request.uri"})
_TAKES_FIRST = re.compile(r"\.(?:l?strip|replace|removeprefix|sub|partition)\(|normpath")
_BEHIND_QUESTION = re.compile(r"\ufffc{1,2}\?")
"""A value and a query: if the path of the request is one of the values, it is the first."""

_OF_QUERY = ("parse_qs", "parse_qsl")
_OWN_ADDRESS = re.compile(r"\.URL\.(?:String\(\)|Host\b|Scheme\b)|\.RequestURI\b")
_MAKES_ROUTE = re.compile(r"(?i)(?:^|\.)(?:url_?for|url_?path_?for|reverse)$")
_CHOSEN_PART = re.compile(r"\.URL\.(?:Query\(|RawQuery|Path\b)|ParseQuery")
"""In Go the address of the request itself has no host but what a proxy is asked for; its parts are the visitor's."""

_CONTEXT_PATH = re.compile(r"\(\s*(?:\w+\.)?getContextPath\(\)\s*\+")
_PREFIXES = frozenset({"HasPrefix", "startsWith", "startswith", "start_with?", "str_starts_with"})
_ANY_HOST = "any host"
"""Stands for the question whether an address has a host at all."""

_ABSOLUTE = frozenset({"IsAbs", "isAbsolute"})
_SECOND = re.compile(
    r"(?<!\w)(\$?\w++)(?:\[1\]|\.(?:charAt|at|codePointAt)\(1\))\s{0,20}[!=]={1,2}\s{0,20}['\"][/\\]|"
    r"(?<!\w)(\$?\w++)(?:\[:2\]|\.(?:slice|substring|substr)\(0,\s?2\)|,\s?0,\s?2\))\s{0,20}[!=]={1,2}\s{0,20}['\"]//"
)
"""Questions what the second character of a text is."""
_FIRST = re.compile(
    r"\w(?:\[0\]|\[:1\]|\.(?:charAt|at|codePointAt|CharAt)\(0\)|\.(?:slice|substring|substr)\(0,\s?1\)|,\s?0,\s?1\))\s{0,20}[!=]={1,2}|"
    r"(?:[sS]tarts?_?[wW]ith\??|HasPrefix)\b[^\n]{0,40}['\"]/['\"]"
)
"""Questions whether a text begins with a slash."""

_NAMES = re.compile(r"\$?\w+")
_NAMING = frozenset({"python", "go", "java", "ruby", "php"})
_REFERRER = re.compile(r"(?i)referr?er")


def _location_of(value: Value) -> Value | None:
    return next((item for key, item in value.fields if key.lower() == "location"), None)


def _destination_of(value: Value) -> Value | None:
    redirect = value.field("redirect")
    return redirect.field("destination") if redirect is not None else None


_TABLES = {"headers": _location_of, "props": _destination_of}
"""Where in a table the address stands, by the kind of its sinks."""


def _judge(taint: Taint, use: Use) -> Reach | None:
    if _is_path_of_tornado(taint, use):
        return Reach(taint, Confidence.MEDIUM)
    return _judge_address(taint, use)


def _judge_address(taint: Taint, use: Use) -> Reach | None:  # noqa: C901, PLR0911  (one return for each case)
    value, kind = use.value, use.sink.kind
    given = [argument.value for argument in use.call.arguments]
    if kind == "last" and value is not given[-1]:
        return None
    if (kind == "chain" and _REDIRECTS.search(use.text) is None) or (
        kind == "pair" and (given[0].skeleton or "").lower() not in _HEADERS
    ):
        return None
    if kind in _TABLES:
        named = _TABLES[kind](value)
        if named is None or not any(known.origin is taint.origin for known in named.taints):
            return None
        value = named
    start = {"header": _HEADER, "view": _VIEW}.get(kind)
    if start is not None:
        text, count = start.subn("", value.skeleton or "", count=1)
        if not count:
            return None
        value = replace(value, skeleton=text)
    rooted = is_rooted(value)
    if value.collection or not (rooted or chooses_host(value)) or _is_itself(taint, use):
        return None
    if taint.origin.level is not Level.REQUEST or _own_host(value) or _of_route(taint, use) or _of_record(taint, use):
        return None
    if stands_later(taint, value, use.text) or _is_own_address(taint, use):
        return None
    if rooted and not may_name_host(taint, use):
        return None
    if _is_kept_local(taint, use) or _is_address_of(taint, use):
        return Reach(taint, Confidence.LOW)
    chosen = use.source.language in _NAMING and any(_CHOOSES.search(ask.callee) for ask in taint.asks)
    # A page can lead back to itself only: whoever made it has the visitor there already.
    if chosen or _REFERRER.search(use.text):
        return Reach(taint, Confidence.LOW)
    return Reach(taint, Confidence.MEDIUM if rooted else Confidence.HIGH)


def _is_itself(taint: Taint, use: Use) -> bool:
    """Whether the address is the one that was asked for, with its host or without it."""
    own_path = any(is_same_site(other.origin.label) for other in use.value.taints)
    if own_path and _BEHIND_QUESTION.match(use.value.skeleton or ""):
        return True
    if is_same_site(taint.origin.label):
        return not any(ask.callee.endswith(_OF_QUERY) for ask in taint.asks)
    return use.source.language == "python" and _ITSELF.search(taint.origin.label) is not None


def _is_path_of_tornado(taint: Taint, use: Use) -> bool:
    """Whether the address begins with the path that Tornado was asked for, which may begin with two slashes."""
    if taint.origin.label not in _OWN_PATHS or use.sink.pattern != "self.redirect":
        return False
    if not (use.value.skeleton or "").startswith(HOLE) or any(ask.callee != "" for ask in taint.asks):
        return False
    begins = _asked_in(use.function).get(id(taint.origin), frozenset())
    lines = lines_of(use.source.text)
    written = " ".join([use.text, *(lines[mark.line - 1] for mark in trail_of(taint) if mark.line <= len(lines))])
    return "//" not in begins and _TAKES_FIRST.search(written) is None


def _of_route(taint: Taint, use: Use) -> bool:
    """Whether a route's name made the address of what was asked for."""
    return use.source.language == "ruby" and any(_ROUTE_HELPER.search(ask.callee) for ask in taint.asks)


def _of_record(taint: Taint, use: Use) -> bool:
    """Whether an object that something else made of the request was asked for its address: ``$book->getUrl()``.

    Rails redirects to a record itself, which is at an address of this site.
    """
    if use.source.language == "ruby" and any(_MAKES.search(ask.callee) for ask in taint.asks):
        return True
    return len(taint.asks) > 1 and _OF_RECORD.search(taint.asks[-1].callee) is not None


def _is_address_of(taint: Taint, use: Use) -> bool:
    """Whether a Java object was asked for the address of something by its name: ``wiki.getURL("view", page)``."""
    return use.source.language == "java" and any(_GIVES_ADDRESS.search(ask.callee) for ask in taint.asks)


def _is_own_address(taint: Taint, use: Use) -> bool:
    """Whether an address is one of this site: in PHP below its own base, in Go the very one that was asked for, or that
    of a route by its name.
    """
    if use.source.language == "php":
        base = _OWN_BASE.search(use.text)
        return base is not None and (base[1] in _ASKED_FOR or base[1] not in taint.origin.label)
    if use.source.language != "go":
        return False
    if any(_MAKES_ROUTE.search(ask.callee) for ask in taint.asks):
        return True
    if not taint.origin.label.endswith((".URL", ".RequestURI")):
        return False
    lines = lines_of(use.source.text)
    written = " ".join([use.text, *(lines[mark.line - 1] for mark in trail_of(taint) if mark.line <= len(lines))])
    return _OWN_ADDRESS.search(written) is not None and _CHOSEN_PART.search(written) is None


def _is_second_looked_at(use: Use) -> bool:
    """Whether the function looks at the second character of what it redirects to: ``next[1] != '/'``."""
    looked_at = _second_looked_at(use.function, use.source.text)
    return bool(looked_at) and any(name in looked_at for name in _NAMES.findall(use.text))


@lru_cache(maxsize=8)
def _second_looked_at(function: Inside, text: str) -> frozenset[str]:
    lines = [call.start_line for call in function.calls]
    asked = "\n".join(lines_of(text)[min(lines) - 1 : max(lines)])
    return frozenset(one or other for one, other in _SECOND.findall(asked))


def _is_kept_local(taint: Taint, use: Use) -> bool:
    """Whether the function asks of a value both if it begins as a path and if it begins as another host, or if it has
    a host at all.
    """
    if _CONTEXT_PATH.search(use.text) is not None:
        return True  # but where the path of the application is empty
    begins = _asked_in(use.function).get(id(taint.origin), frozenset())
    if _ANY_HOST in begins:
        return True
    if ("/" in begins or first_in(_FIRST, use.source.text)) and _is_second_looked_at(use):
        return True
    return "/" in begins and any(text.startswith(("//", "/\\")) for text in begins)


@lru_cache(maxsize=8)
def _asked_in(function: Inside) -> Mapping[int, frozenset[str]]:
    """With which texts a function asks whether values begin, by the ids of their origins; looked for once."""
    found: dict[int, set[str]] = {}
    for call in function.calls:
        if call.method not in _ABSOLUTE and call.method not in _PREFIXES:
            continue
        given = [argument.value for argument in call.arguments]
        texts = {value.skeleton for value in given if value.skeleton is not None and not value.taints}
        for value in (*given, *([call.receiver] if call.receiver is not None else [])):
            for taint in value.taints:
                found.setdefault(id(taint.origin), set()).update({_ANY_HOST} if call.method in _ABSOLUTE else texts)
    return {origin: frozenset(texts) for origin, texts in found.items()}


def _own_host(value: Value) -> bool:
    """Whether an address begins with the host that was asked for, which a link cannot choose."""
    hosts = [taint for taint in value.taints if _HOST.search(taint.origin.label)]
    return bool(hosts) and _WITH_HOST.match(value.skeleton or "") is not None


def _plausible(kind: str, source: Source) -> bool:
    if kind == "chain":
        return _REDIRECTS.search(source.text) is not None
    return kind != "pair" or source.language not in ("go", "java") or _NAMES_HEADER.search(source.text) is not None


RULE = flow_rule(Danger(Weakness("open-redirect"), WORDING, _judge, plausible=_plausible))
