"""What kinds of symbols are: code that runs, what holds definitions, and values. The extractors' words."""

from __future__ import annotations

_CONTAINERS = frozenset(
    {"class", "interface", "struct", "trait", "enum", "type", "impl", "object", "record", "union", "protocol"}
    | {"module", "namespace", "package", "annotation", "extension", "mixin", "alias", "typedef"}
)
_VALUES = frozenset({"constant", "variable", "property", "field", "attribute", "enumerator"})


def is_container(kind: str) -> bool:
    """Whether a symbol of this kind holds definitions and types rather than code."""
    return kind in _CONTAINERS


def is_value(kind: str) -> bool:
    """Whether a symbol of this kind is a constant, a variable or a field."""
    return kind in _VALUES


def is_function(kind: str) -> bool:
    """Whether a symbol of this kind is code: functions, methods, routes and whatever else has a body that runs."""
    return not is_container(kind) and not is_value(kind)
