"""What Java and Kotlin share: annotations, documentation comments, what makes a definition parse by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from devpulse.core.languages.base import dedented
from devpulse.core.languages.declarations import span_of

FAMILY = "jvm"

TYPES = frozenset({"class", "interface", "enum", "record", "annotation", "object", "type"})

ANNOTATIONS = frozenset({"annotation", "marker_annotation"})

_ROUTE = re.compile(
    rb"""@\s*(?:[\w.]+\.)?(?:
        (?:Get|Post|Put|Patch|Delete|Request|Message|Subscribe|Query|Mutation|Subscription|Schema)Mapping\b
      | (?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b(?!\s*\()  # Retrofit's, which have a path, are a client's
      | Path\s*\(
      | (?:Get|Post|Put|Patch|Delete|Head|Options)\b\s*(?:\(\s*(?:(?:uri|value)\s*=\s*)?"|\Z)
    )""",
    re.VERBOSE,
)
"""Annotations of a method that make it a web entry point: Spring, JAX-RS, Micronaut."""

_INLINE_TAG = re.compile(r"\{@\w+\s+([^{}]*)\}")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,100}>")


def annotations_of(node: Node) -> list[tuple[int, int]]:
    """The bytes of a declaration's annotations."""
    first = node.named_children[0] if node.named_child_count else None
    if first is None or first.type != "modifiers":
        return []
    return [span_of(child) for child in first.named_children if child.type in ANNOTATIONS]


def is_route(annotations: Sequence[tuple[int, int]], source: bytes) -> bool:
    """Whether one of a method's annotations binds it to a path."""
    return any(_ROUTE.match(source[start:end]) for start, end in annotations)


def documented(text: str) -> str:
    """Javadoc or KDoc without its markup."""
    return " ".join(_MARKUP.sub("", _INLINE_TAG.sub(r"\1", text)).split()) if "<" in text or "{@" in text else text


def standalone(kind: str, text: str) -> str:
    """A definition cut out of a file such that it parses by itself: what is no type needs a class around it."""
    return dedented(kind, text) if kind in TYPES else f"class Of {{\n{text}\n}}"
