"""Which flaws there can be in code that runs in a browser: it serves nobody and answers no requests."""

from __future__ import annotations

from devpulse.core.finding import Hit
from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates import makes_no_page

OF_SERVERS = frozenset(
    {
        "sql-injection", "ldap-injection", "xpath-injection", "path-traversal", "xml-external-entity",
        "insecure-deserialization", "ssrf", "csrf", "weak-authentication", "broken-access-control",
    }
)  # fmt: skip
"""Categories of what only a server can do wrong."""

_REQUEST = lazy(r"`(?:this\.)?(?:req|request|ctx|context|event|reply)\.[^`]*`: read from the request$")
"""The request of a server, by the names that are usual for it: here it is an event, or what sends requests."""


def is_of_made_file(hit: Hit, path: str) -> bool:
    """Whether a hit of the code in a template can be true of the file that it makes: markup does harm in pages only."""
    return hit.category != "cross-site-scripting" or not makes_no_page(path) or ".js." in path


def is_of_page(hit: Hit) -> bool:
    """Whether a hit of another category can be true of the code of a page."""
    return hit.trace is None or _REQUEST.match(hit.trace.source.note) is None
