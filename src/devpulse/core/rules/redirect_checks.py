"""Functions of Go and Java that ask whether an address stays on the site, and forget the backslash.

Browsers read it as a slash: ``/\\other.example`` does not begin with two slashes, and leads to another host.
https://cwe.mitre.org/data/definitions/601.html, https://url.spec.whatwg.org/#special-authority-slashes-state
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import GO, JAVA, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording

WORDING = Wording(
    title="Check of an address that a backslash passes",
    description="Browsers take `/\\` at the begin of an address for `//`: the visitor is sent to the host behind it.",
    fix="Refuse addresses with a backslash, or parse the address and refuse every one that has a host.",
)
_STAYS = r"(?:valid|safe|same|local|relative|internal|allowed|trusted|unsafe)"
_ADDRESS = r"(?:redirect|url|uri|return|next|location|target|site|link)"
_NAMED = lazy(
    rf"(?i)(?<![\w.])(?:is|has|check|validate|allow|can)(?=\w{{0,20}}{_STAYS})(?=\w{{0,30}}{_ADDRESS})\w{{4,50}}(?=\()"
)
_SLASHES = re.compile(
    r"\w\[1\]\s{0,9}[!=]=\s{0,9}'/'|\.charAt\(1\)\s{0,9}[!=]=\s{0,9}'/'|(?:HasPrefix\([^\n;]{1,80},\s{0,9}|startsWith\()\"//\"\)"
)
"""The question whether two slashes begin an address."""

_KNOWS = re.compile(
    r"\\\\|%5[cC]|\b(?:url\.Parse|ParseRequestURI|new\s+UR[IL]|URI\.create)\b|\.(?:Host|getHost|Hostname)\b|[rR]egexp?\b|Pattern|"
    r"\.matches\(|MatchString"
)
"""What looks at backslashes, or at the host that an address has."""

_LONGEST = 4_000


def _judge(site: Site) -> Confidence | None:
    function = site.function
    if site.call is not None or function is None or function.end_byte - function.start_byte > _LONGEST:
        return None
    text = site.function_text
    if _KNOWS.search(text):
        return None
    return Confidence.MEDIUM if _SLASHES.search(text) else None


_WORDS = ("edirect", "URL", "Url", "url", "URI", "Uri", "Site", "Link", "Next", "Return", "Location", "Target")
FORMS = (Form(GO | JAVA, _WORDS, _NAMED, _judge, Weakness("open-redirect"), WORDING),)
RULE = form_rule("redirect-checks", "open-redirect", GO | JAVA, FORMS)
