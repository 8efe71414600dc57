"""Keys by which a server knows its own tokens and sessions, written into the code: short ones are keys as well.

What a literal is given for tells that it is a key, however little it looks like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import node_text

_SIGNS = re.compile(r"^(?:jwt|JWT|jsonwebtoken)\.(?:sign|verify)$")
_KEYED = re.compile(r"^(?:crypto\.)?createHmac$")
_NAMED_KEY = re.compile(r"(?i)secret|key")
_WITH_OPTIONS = re.compile(
    r"^(?:(?:express)?[sS]ession|cookieSession|express[jJ]wt|jwt|(?:Jwt|JWT)Strategy|JwtModule\.register)$"
)
_OPTIONS = frozenset({"secret", "secretOrKey", "keys"})
_SIGNED_COOKIES = "cookieParser"
_NAME = re.compile(r"[A-Za-z_$][\w$]{0,60}")
_SET = re.compile(
    r"(?m)^[ \t]*+(?:export[ \t]++)?(?:const|let|var)[ \t]++([A-Za-z_$][\w$]{0,60}+)\b[^=\n]{0,60}=[ \t]*+"
    r"(['\"`])[^'\"`\n$]{1,200}\2[ \t]*+[;,]?[ \t]*+(?://[^\n]*)?\r?$"
)
"""A name that is given one literal."""


def literal_keys(callee: str, arguments: Node, text: str) -> Iterator[Node | int]:
    """The literals that a call signs or verifies with: a node, or the line of a name's only setting in the file."""
    given = [child for child in arguments.named_children if child.type != "comment"]
    if _SIGNS.match(callee) and len(given) > 1:
        yield from _literal(given[1], text)
    elif _KEYED.match(callee) and len(given) > 1 and _NAMED_KEY.search(node_text(given[1])[:80]):
        yield from _literal(given[1], text, named=True)
    elif callee == _SIGNED_COOKIES and given:
        yield from _literal(given[0], text)
    elif _WITH_OPTIONS.match(callee) and given and given[0].type == "object":
        for pair in given[0].named_children:
            key = pair.child_by_field_name("key") if pair.type == "pair" else None
            if key is not None and node_text(key).strip("'\"") in _OPTIONS:
                yield from _literal(pair.child_by_field_name("value"), text)


def _literal(node: Node | None, text: str, *, named: bool = False) -> Iterator[Node | int]:
    if node is not None and node.type == "array" and node.named_children:
        node = node.named_children[0]
    if node is None:
        return
    if node.type == "string" and node.named_children and not named:
        yield node
    elif node.type == "identifier" and _NAME.fullmatch(node_text(node)):
        line = _line_set(node_text(node), text)
        if line:
            yield line


def _line_set(name: str, text: str) -> int:
    """The line on which a name gets its only literal; 0 where it has none or several."""
    return _lines_set(text).get(name, 0)


@lru_cache(maxsize=8)
def _lines_set(text: str) -> Mapping[str, int]:
    """The lines on which names get literals, by name; 0 for those that get several."""
    found: dict[str, int] = {}
    line, counted = 1, 0
    for match in _SET.finditer(text):
        line, counted = line + text.count("\n", counted, match.end()), match.end()
        found[match[1]] = 0 if match[1] in found else line
    return found
