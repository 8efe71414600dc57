"""Server-side request forgery: requests of the server to a host that somebody else chose.

Kinds of sinks: ``client`` requests an address. ``perhaps`` does so when its argument is an address; it also takes
other things. ``facade`` is a method of Laravel's ``Http``. ``host`` takes the name of a host. ``typed`` requests an
address where what it is called on was made by, or is declared to be, a client of a known library. ``of-address`` reads
from an address, a file or a stream alike, ``rest`` is called on a request of Resty's, ``spring`` on a client of
Spring's. ``place`` takes a host together with a port, ``option`` an address where the option is that.
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Taint, Value, trail_of
from devpulse.core.rules.flow_rule import Danger, Inside, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.python.http_clients import clients_of, names_clients
from devpulse.core.rules.urls import chooses_host, is_same_site, may_stand_later
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.text import lines_of

WORDING = Wording(
    title="Request to an address somebody else chose",
    description="Whoever chooses the address makes the server fetch internal services and cloud credentials.",
    fix="Take the host from a fixed list, and refuse private addresses after the name is resolved.",
)


_QUESTION = "is|are|has|not|no|non|check|assert|ensure|validate|verify|reject|refuse|deny|block|forbid"
_ASKS = re.compile(
    r"(?i)(?:^|_)(?:private|loopback|blocked|blocklist(?:ed)?|forbid|forbidden|ssrf|getaddrinfo|gethostby\w+)(?:_|$)|"
    rf"(?:^|_)(?:{_QUESTION})_(?:\w{{1,30}}_)?(?:internal|public)(?:_|$)|"
    r"^Is(?:Private|Loopback|GlobalUnicast|LinkLocalUnicast)$"
)
"""Whole words in the name of a function that looks at where an address leads, and the questions of Go's library."""

_READS = frozenset({"ip_address", "IPv4Address", "IPv6Address"})
_RANGE = re.compile(r"\.is_(?:private|global|loopback|link_local|reserved)\b")
"""What an address of Python's library is asked once it was read."""

_ADDRESS = re.compile(r"\bUR[LI]\b|toUR[LI]\(")
_GIVEN_ADDRESS = re.compile(r"(?i)^\$\w{0,20}(?:url|uri|link|href|feed|src)$")
_TAKES_IN = re.compile(
    r"(?i)import|proxy|upload|feed|avatar|image|photo|thumb|preview|oembed|embed|remote|webhook|mirror|sideload|grab"
)
"""Words of functions that take in what stands at an address of somebody else."""

_REST = re.compile(r"\.R\(\)")
_OF_CURL = re.compile(r"\.URL\s*,")
_CALLED_ADDRESS = re.compile(r"(?i)\.\w{0,20}(?:url|uri|link|href|webhook|endpoint|feed|rss|wsdl)$")
_OF_FACADE = re.compile(r"(?<![\w\\])Http::\w{1,40}\([^;]{0,400}?\)\s*->")
_ADDRESSES = ("url", "uri", "href", "baseURL", "host", "hostname")
"""What an options object calls the address, or the host, of a request."""

_NOWHERE = Value(collection=True)


def _address(value: Value, taint: Taint) -> Value:
    """The address in an options object that an origin is part of; a host stands at the begin of one."""
    for name in _ADDRESSES if value.collection else ():
        item = value.field(name)
        if item is not None and not item.collection and any(known.origin is taint.origin for known in item.taints):
            return item
    return value


def _host_of(value: Value, taint: Taint) -> Value:
    """The host of a pair of a host and a port, if the origin is part of that."""
    host = value.field("0") if value.collection else None
    return host if host is not None and any(known.origin is taint.origin for known in host.taints) else _NOWHERE


_OWN_REQUEST = re.compile(r"(?:^|\.)(?:request|req)\.(?:url|uri)$")
"""Where an option takes the address of a whole request, it is one that a client makes."""


def _judge(taint: Taint, use: Use) -> Reach | None:
    value = _host_of(use.value, taint) if use.sink.kind == "place" else _address(use.value, taint)
    if value.collection or not chooses_host(value) or is_same_site(taint.origin.label):
        return None
    if not _fits(taint, value, use) or (use.sink.kind == "option" and _OWN_REQUEST.search(taint.origin.label)):
        return None
    if taint.origin.level is Level.REQUEST:
        if may_stand_later(taint, value, use.text) or _is_asked(taint, use):
            return Reach(taint, Confidence.LOW)
        return Reach(taint, Confidence.HIGH if use.sink.certain else Confidence.MEDIUM)
    if taint.origin.level is not Level.PARAMETER:
        return None
    return Reach(taint, Confidence.MEDIUM if _is_fetched(taint, use) else Confidence.LOW)


def _fits(taint: Taint, value: Value, use: Use) -> bool:
    """Whether a use is what its kind of sinks is about."""
    kind = use.sink.kind
    if kind == "typed":
        return _is_client(use)
    if kind == "of-address":
        return _is_address(taint, use)
    if kind == "perhaps":
        return "://" in (value.skeleton or "") or _is_called_address(taint, use) or _is_fetched(taint, use)
    needed = {"rest": _REST, "facade": _OF_FACADE, "option": _OF_CURL}.get(kind)
    return needed is None or needed.search(use.text) is not None


def _is_asked(taint: Taint, use: Use) -> bool:
    """Whether a function was shown the address, or its host, that looks by its name at where that leads."""
    if use.source.language not in ("python", "go"):
        return False
    lines, last = lines_of(use.source.text), use.call.start_line - 1
    return any(
        known.origin is taint.origin
        for call in _asking(use.function)
        if call.start_line <= last
        if call.method not in _READS or any(map(_RANGE.search, lines[call.start_line - 1 : last]))
        for value in (call.receiver, *(argument.value for argument in call.arguments))
        if value is not None
        for known in value.taints
    )


@lru_cache(maxsize=8)
def _asking(function: Inside) -> tuple[CallRecord, ...]:
    """The calls of a function that may look at where an address leads: looked for once, however many uses it has."""
    return tuple(call for call in function.calls if call.method in _READS or _ASKS.search(call.method))


def _is_address(taint: Taint, use: Use) -> bool:
    """Whether what is read from was made an address on the way, and not the body of an upload."""
    lines = lines_of(use.source.text)
    written = " ".join([use.text, *(lines[mark.line - 1] for mark in trail_of(taint) if mark.line <= len(lines))])
    return _ADDRESS.search(written) is not None and "getInputStream(" not in use.text


def _is_fetched(taint: Taint, use: Use) -> bool:
    """Whether a function of PHP that takes in what others have gets it from an address that it is given."""
    if use.source.language != "php" or use.value.skeleton not in (None, HOLE) or taint.asks:
        return False
    return _GIVEN_ADDRESS.match(taint.origin.label) is not None and _TAKES_IN.search(use.call.scope.name) is not None


def _is_called_address(taint: Taint, use: Use) -> bool:
    """Whether PHP opens as it is what a request calls an address."""
    called = _CALLED_ADDRESS.search(taint.origin.label) is not None
    return called and use.source.language == "php" and use.value.skeleton in (None, HOLE)


def _is_client(use: Use) -> bool:
    """Whether what is called is a client, and the value stands where that takes an address."""
    owner = use.call.callee.rpartition(".")[0]
    if owner not in clients_of(use.source.text):
        return False
    address = use.call.argument(1 if use.call.method in ("request", "stream", "open", "urlopen") else 0, "url")
    return use.value == address


def _plausible(kind: str, source: Source) -> bool:
    if kind == "rest":
        return _REST.search(source.text) is not None
    if kind == "option":
        return _OF_CURL.search(source.text) is not None
    if kind == "spring":
        return "estTemplate" in source.text
    if kind == "facade":
        return "Http::" in source.text
    return kind != "typed" or names_clients(source.text)


RULE = flow_rule(Danger(Weakness("ssrf"), WORDING, _judge, plausible=_plausible))
