"""What functions in a cloud answer: a table with a status, headers and a body."""

from __future__ import annotations

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import Level, Taint
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach


def of_cloud(taint: Taint, use: Use) -> Reach | None:
    """The body of what a function in a cloud answers, where the headers beside it say that it is a page."""
    body, headers = use.value.field("body"), use.value.field("headers")
    if body is None or headers is None or taint.origin.level is not Level.REQUEST:
        return None
    declared = [value.skeleton or "" for name, value in headers.fields if name.lower() == "content-type"]
    known = any(item.origin is taint.origin for item in body.taints)
    return Reach(taint, Confidence.HIGH) if known and "html" in " ".join(declared) else None
