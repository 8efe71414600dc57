"""Weak authentication in Javascript and Typescript: fast password hashes, plain comparisons, unverified tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.javascript import callee_text
from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, short_text, walk
from devpulse.core.rules import fixed_keys
from devpulse.core.rules.credentials import (
    COMPARING,
    HASH_WORDING,
    HASHING,
    UNVERIFIED_WORDING,
    VERIFYING,
    holds_password,
    judge_comparison,
)
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.javascript.signing_keys import literal_keys
from devpulse.core.rules.wording import make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

_MENTIONED = (
    "createhash", "md5", "sha1", "passw", "pwd", "token", "secret", "signature", "hmac", "digest", "jwt", "apikey",
    "api_key",
)  # fmt: skip
"""Words without which a file has nothing for the rule: each is found at the speed of a search, in small letters."""

_HASH = re.compile(r"(?i)createHash\(\s*['\"`](md5|sha-?1|sha-?224|sha-?256|sha-?384|sha-?512|ripemd160)['\"`]")
_BROKEN = re.compile(r"(?i)md5|sha-?1['\"`]|^sha1$")
_DIRECT = re.compile(r"(?i)^(?:md5|sha1|sha256|CryptoJS\.(?:MD5|SHA1|SHA256)|forge\.md\.\w+)$")
_STRETCHED = re.compile(r"(?i)pbkdf2|bcrypt|scrypt|argon2|pwned|hibp|breach")
_CONSTANTS = frozenset(
    {"string", "null", "undefined", "true", "false", "number", "array", "object", "template_string", "unary_expression"}
)
_NO_ALGORITHM = re.compile(r"(?i)algorithms?\s*:\s*\[?[^\]}]*['\"`]none['\"`]")
_NO_KEY = re.compile(r"^\(\s*[^,()]+,\s*(?:null|undefined|false|''|\"\")\s*[,)]")
_DECODES = re.compile(r"(?i)^(?:jwt|jsonwebtoken)\.decode$")
_VERIFIES = re.compile(r"(?i)\b(?:jwt|jsonwebtoken)\.verify\b|jwtVerify|\bverify\(")


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the rule's fixed signature)
    """Hits of all three kinds, once a line."""
    lowered = source.text.lower()
    if source.language is None or not any(word in lowered for word in _MENTIONED):
        return
    seen: set[int] = set()
    for hit in _Reader(source).read(parse(source.language, source.text).root_node):
        if hit.start_line not in seen:
            seen.add(hit.start_line)
            yield hit


class _Reader:
    """One pass in source order that remembers hash objects by their names."""

    def __init__(self, source: Source) -> None:
        text = source.text
        self._path = source.path
        self._text = text
        self._signed = "hmac" in text.lower()
        self._verified = _VERIFIES.search(text) is not None
        self._stretched = _STRETCHED.search(text) is not None
        self._hashes: dict[str, str] = {}

    def read(self, root: Node) -> Iterator[Hit]:
        for node in walk(root):
            if node.type == "variable_declarator":
                value = short_text(node.child_by_field_name("value"), 120)
                if _HASH.search(value):
                    self._hashes[node_text(node.child_by_field_name("name"))] = value
            elif node.type == "call_expression":
                yield from self._call(node)
                yield from self._keys(node, "function")
            elif node.type == "new_expression":
                yield from self._keys(node, "constructor")
            elif node.type == "binary_expression":
                yield from self._comparison(node)

    def _call(self, node: Node) -> Iterator[Hit]:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        callee, given = callee_text(function), short_text(arguments, 200)
        lines = (line_of(node), end_line_of(node))
        if self._is_unverified(callee, given):
            yield make_hit(VERIFYING, UNVERIFIED_WORDING, lines, Confidence.HIGH)
        algorithm = self._algorithm(function, callee)
        if algorithm and holds_password(given) and not self._stretched:
            confidence = Confidence.HIGH if _BROKEN.search(algorithm) else Confidence.MEDIUM
            yield make_hit(HASHING, HASH_WORDING, (end_line_of(function), lines[1]), confidence)

    def _keys(self, node: Node, called: str) -> Iterator[Hit]:
        """Literals by which the server knows what it signed."""
        function, arguments = node.child_by_field_name(called), node.child_by_field_name("arguments")
        if function is None or arguments is None or arguments.type != "arguments":
            return
        for found in literal_keys(callee_text(function), arguments, self._text):
            line = found if isinstance(found, int) else line_of(found)
            confidence = fixed_keys.sureness(self._path, self._text, line)
            if confidence is not None:
                yield make_hit(fixed_keys.WEAKNESS, fixed_keys.WORDING, (line, line), confidence)

    def _is_unverified(self, callee: str, given: str) -> bool:
        if _DECODES.match(callee):
            return not self._verified
        if callee.endswith("jwt.sign"):
            return _NO_ALGORITHM.search(given) is not None
        return callee.endswith("jwt.verify") and bool(_NO_ALGORITHM.search(given) or _NO_KEY.match(given))

    def _algorithm(self, function: Node, callee: str) -> str:
        """The hash whose input a call is, or nothing."""
        if _DIRECT.match(callee):
            return callee
        if not callee.endswith("update"):
            return ""
        receiver = function.child_by_field_name("object")
        text = short_text(receiver, 160)
        match = _HASH.search(text)
        if match:
            return match.group()
        return self._hashes.get(text, "")

    def _comparison(self, node: Node) -> Iterator[Hit]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node_text(node.child_by_field_name("operator"))
        if left is None or right is None or operator not in ("==", "===", "!=", "!=="):
            return
        if left.type in _CONSTANTS or right.type in _CONSTANTS:
            return
        sides = [short_text(side, 201).replace("?.", ".") for side in (left, right)]
        found = judge_comparison(sides[0], sides[1], signed=self._signed)
        if found is not None:
            yield make_hit(COMPARING, found.wording, (line_of(node), end_line_of(node)), found.confidence)


RULE = Rule(id="javascript-weak-authentication", category="weak-authentication", languages=LANGUAGES, check=check)
