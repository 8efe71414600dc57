"""Where a Java file makes parsers of XML that resolve external entities, and where it makes those that do not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.source import Source
from devpulse.core.syntax import parse
from devpulse.core.text import bytes_at

_MADE = re.compile(
    r"\b(?:(?:DocumentBuilder|SAXParser|XMLInput)Factory[\w.]{0,200}\.new(?:Instance|Factory|DefaultInstance|NSInstance)\s*\(|"
    r"XMLReaderFactory\.createXMLReader\s*\(|new\s+(?:[\w.]*\.)?(?:SAXReader|SAXBuilder|SAXParser|DOMParser|Digester|"
    r"DocumentBuilderFactoryImpl|SAXParserFactoryImpl)\s*\()"
)
HARDENED = (
    r"disallow-doctype-decl|ACCESS_EXTERNAL_|SUPPORT_DTD|supportDTD|IS_SUPPORTING_EXTERNAL_ENTITIES|"
    r"external-general-entities|isSupportingExternalEntities|setExpandEntities\(\s*false|FEATURE_SECURE_PROCESSING|"
    r"load-external-dtd|XMLConstants\.FEATURE|(?i:(?:set|new\s+\w*)EntityResolver|setXMLResolver)|"
    r"DISALLOW_DOCTYPE|DOCTYPE_DECL"
)
"""What code says that hardens a parser of Java's, as a pattern."""

_HARDENED = re.compile(HARDENED)
_SOFTENED = re.compile(
    r"\bset\w{1,20}\(\s*+(?:[^;()]{0,200}(?:disallow-doctype-decl|DISALLOW_DOCTYPE\w{0,20})[^;()]{0,20},\s*+(?:Boolean\.)?(?i:false)|"
    r"[^;()]{0,200}(?:external-(?:general|parameter)-entities|load-external-dtd|SUPPORT_DTD|"
    r"IS_SUPPORTING_EXTERNAL_ENTITIES)[^;()]{0,20},\s*+(?:Boolean\.)?(?i:true))\s*+\)"
)
"""The same features set so that entities are resolved."""

_HARDENING = re.compile(
    r"(?i)\b\w*(?:secur|harden|safe|xxe|features?|disable|protect|restrict|external|configure)\w*\s*\("
)
"""A call whose name says that it hardens the parser; ``setFeature`` itself is judged by what it sets."""

_OF_HELPER = re.compile(
    r"\b(?:SAXBuilder|SAXReader|SAXParser|XMLReader|XMLStreamReader|XMLEventReader|DocumentBuilder|(?:DocumentBuilder|SAXParser|"
    r"XMLInput|Transformer|Schema)Factory)\s+\w{1,60}\s*=\s*(?!\w{0,60}Factory\.)[A-Z]\w{0,60}\.(?:get|new|create|make|build|secure|safe)\w{0,60}\("
)
"""A parser that a class of the program's own gives."""

_PLAIN = re.compile(r"\b(?:[sg]etFeatures?|isSecure|setExternal\w*Location)\s*\(")
_FUNCTIONS = frozenset({"method_declaration", "constructor_declaration", "static_initializer", "lambda_expression"})
_MOST = 20
"""Places of one file that are looked at: a parser made, or a function found, behind them is left out."""


@dataclass(frozen=True, slots=True)
class Made:
    """A place that makes a parser: the lines of the function around, and whether entities are resolved."""

    lines: range
    resolves: bool


def parsers_of(source: Source) -> list[Made]:
    """The places in code where a file makes parsers, those of a field with the line alone."""
    found = list(islice(_MADE.finditer(source.text), _MOST))
    if not found:
        return []
    root = parse("java", source.text).root_node
    made: list[Made] = []
    for at in bytes_at(source.text, [match.start() for match in found]):
        node = root.descendant_for_byte_range(at, at + 1)
        if node is None or "comment" in node.type or "string" in node.type:
            continue
        around = _function(node)
        # That of a field is hardened by a constructor, an initialiser or where it is used.
        text = node_text(around) if around.type in _FUNCTIONS else source.text
        made.append(Made(range(around.start_point[0] + 1, around.end_point[0] + 2), not is_hardened(text)))
    return made


def takes_of_helper(source: Source) -> bool:
    """Whether a file takes a parser from a class of the program's own, which then says what it resolves."""
    return _OF_HELPER.search(source.text) is not None


def resolves_at(made: list[Made], line: int) -> bool:
    """Whether a parser used at a line resolves entities: one that is made in its function, or else any of the file."""
    here = [place for place in made if line in place.lines]
    return any(place.resolves for place in here) if here else all(place.resolves for place in made)


def functions_at(source: Source, pattern: re.Pattern[str]) -> list[range]:
    """The lines of the functions in whose code a pattern is found; of a field the line alone."""
    found = list(islice(pattern.finditer(source.text), _MOST))
    if not found:
        return []
    root = parse("java", source.text).root_node
    nodes = (
        root.descendant_for_byte_range(at, at + 1) for at in bytes_at(source.text, [item.start() for item in found])
    )
    around = [_function(node) for node in nodes if node is not None and "comment" not in node.type]
    return [range(node.start_point[0] + 1, node.end_point[0] + 2) for node in around]


def is_stored(source: Source, field: str) -> bool:
    """Whether a field holds what a constructor or setter was given."""
    name = field.removeprefix("this.")
    stored = re.search(rf"\bthis\.{re.escape(name)}\s*=\s*(\w+)\s*;", source.text)
    return stored is not None and stored.group(1) not in ("null", "true", "false")


def _function(node: Node) -> Node:
    """The named function around a node, else the declaration of a field, else the node itself."""
    found = above = node
    while above.parent is not None and above.parent.type != "class_body":
        above = above.parent
        if above.type in _FUNCTIONS:
            found = above
    return found if found is not node else above


def is_hardened(text: str) -> bool:
    """Whether code tells a parser not to resolve external entities."""
    text = _SOFTENED.sub("", text)
    if _HARDENED.search(text):
        return True
    return any(not _PLAIN.match(text, match.start()) for match in _HARDENING.finditer(text))
