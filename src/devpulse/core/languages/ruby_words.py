"""The words by which Ruby defines methods and routes without a keyword."""

from __future__ import annotations

import re

from devpulse.core.languages.folding import fold

ATTRIBUTES = frozenset(
    {"attr", "attr_reader", "attr_writer", "attr_accessor", "class_attribute", "cattr_accessor", "cattr_reader"}
    | {"cattr_writer", "mattr_accessor", "mattr_reader", "mattr_writer"}
)
"""Calls that make accessors of the names given as symbols."""

DEFINING = frozenset({"define_method", "define_singleton_method"})

ROUTE_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "link", "unlink", "match"})
RESOURCES = frozenset({"resources", "resource"})

ROUTE_OPTIONS = frozenset({"to", "on", "via", "controller", "action"})
"""Options that tell a registered route from a test's request (``get "/x", as: :json``)."""

HANDLING = re.compile(rb"[ \t)]do\b|[ \t)]\{|=>|\b(?:to|on|via|controller|action):")
"""The same in text: a block, a target or such an option behind the path."""

_PATH_LIMIT = 100


def route_name(verb: str, path: str) -> str:
    """How a route is called: ``GET /x``; Rails lets the first slash away."""
    return fold(f"{verb.upper()} {path if path.startswith(('/', '*')) else '/' + path}", _PATH_LIMIT)
