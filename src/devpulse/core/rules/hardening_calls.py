"""Settings that harden a parser, a template or a cookie, and that a change takes away as lines of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.dropped_checks import COMMENT, MAX_LINE, Dropped

_XML = lazy(
    r"^\s*(?:this\.)?\w{1,60}\s?\.(?:set(?:Feature|Attribute|Property|ExpandEntityReferences|XIncludeAware|EntityResolver)"
    r"|setFeature)\(.{0,200}(?:disallow-doctype|external-(?:general|parameter)|load-external|ACCESS_EXTERNAL"
    r"|SECURE_PROCESSING|SUPPORT_DTD|SUPPORTING_EXTERNAL)|^\s*\w{1,60}\.set(?:ExpandEntityReferences|XIncludeAware)\(false"
    r"|^\s*resolve_entities\s?=\s?False\b"
)
_COOKIE = lazy(
    r"(?i)^\s*(?:\w{1,60}\.set(?:_?http_?only|_?secure)\(true\)|[\"']?http_?only[\"']?\s{0,20}(?::|=>?)\s?true\b"
    r"|session_cookie_(?:httponly|secure)\s?=\s?true\b)"
)
_PAGES = lazy(r"(?i)^\s*[\"']?autoescape[\"']?\s?(?::|=>?)\s?(?:true\b|select_autoescape\(|['\"]html['\"])")
_KINDS = ((_XML, "xml-external-entity"), (_COOKIE, "insecure-cookie"), (_PAGES, "cross-site-scripting"))
_AGAIN = lazy(
    r"(?i)\.set(?:feature|attribute|property|expand|xinclude|entityresolver)|resolve_entities|http_?only|_secure|autoescape"
    r"|secure|harden|xml_?utils|defused|cookie"
)
_OWNER = lazy(r"^\s*(?:this\.)?(\w{1,60})\s?\.set")


def hardening_in(run: Run, head: Collection[str]) -> Iterator[Dropped]:
    """The first removed line of each kind that hardened something; ``head``: the words of the head text.

    An added line at the same place that sets something like it takes its place.
    """
    if any(_AGAIN.search(line[:MAX_LINE]) for _, line in run.added):
        return
    told: set[str] = set()
    for number, line in run.removed:
        if len(line) > MAX_LINE or line.lstrip().startswith(COMMENT):
            continue
        category = next((category for pattern, category in _KINDS if pattern.search(line)), None)
        owner = _OWNER.match(line)
        if category is None or category in told or (owner is not None and owner[1] not in head):
            continue
        told.add(category)
        yield Dropped(number, number, category, frozenset(), line)
