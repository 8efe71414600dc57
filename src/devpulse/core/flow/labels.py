"""What values are called in text that leaves the process: by names only, never by a literal, which may be a secret."""

from __future__ import annotations

from functools import lru_cache

from tree_sitter import Node

from devpulse.core.flow.operations import Adapter, Call, Member, Same
from devpulse.core.redaction import find_secrets

NAMELESS = "a value"
_MAX_DEPTH = 50


@lru_cache(maxsize=4096)
def shown_name(dotted: str) -> str:
    """A dotted name as it may be shown: itself, unless it reads as a credential."""
    return NAMELESS if find_secrets("", dotted) else dotted


def label_of(node: Node, adapter: Adapter) -> str:
    """The names an expression begins with: ``request.args`` for ``request.args["x"]``, ``load()`` for ``load("x")``."""
    current = node
    for _ in range(_MAX_DEPTH):
        key = adapter.key(current)
        if key is not None:
            return shown_name(key)
        operation = adapter.operation(current)
        if isinstance(operation, Call):
            return f"{shown_name(operation.callee.lstrip('.'))}()" if operation.callee else NAMELESS
        if isinstance(operation, Member):
            current = operation.object
        elif isinstance(operation, Same):
            current = operation.node
        else:
            break
    return NAMELESS
