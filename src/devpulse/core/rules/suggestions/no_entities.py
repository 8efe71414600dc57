"""A document read by lxml is read with a parser that resolves no entities (https://lxml.de/parsing.html#parser-options)."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import field_of, node_text, parts_of
from devpulse.core.imports import imported_names
from devpulse.core.rules.suggestions.editing import Edit, has_comment, nodes_of, only, replaced_lines
from devpulse.core.source import Source

_READERS = frozenset({"parse", "fromstring", "XML"})


def suggest(source: Source, hit: Hit) -> str | None:
    """The lines with a parser as the second argument."""
    calls = nodes_of(source, hit, "call")
    return only([text for call in calls if (text := _hardened(source, hit, call)) is not None])


def _hardened(source: Source, hit: Hit, call: Node) -> str | None:
    module, _, name = node_text(field_of(call, "function")).rpartition(".")
    arguments = parts_of(call.child_by_field_name("arguments"))
    known = imported_names(source.language, source.text).get(module)
    if name not in _READERS or known is None or (known.module, known.name) != ("lxml", "etree"):
        return None
    if len(arguments) != 1 or arguments[0].type in ("keyword_argument", "list_splat") or has_comment(call):
        return None
    parser = f"{module}.XMLParser(resolve_entities=False)"
    return replaced_lines(source, hit, [Edit(arguments[0], f"{node_text(arguments[0])}, {parser}")])
