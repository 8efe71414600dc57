"""Weak authentication in Python: fast password hashes, plain comparisons, tokens that nobody verifies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.python_names import callee_text
from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, short_text, walk
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.credentials import (
    COMPARING,
    HASH_WORDING,
    HASHING,
    UNVERIFIED_WORDING,
    VERIFYING,
    holds_password,
    judge_comparison,
)
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

CLAIMING = Weakness("weak-authentication", cwe=565)
COOKIE_WORDING = Wording(
    title="Rights read from a cookie anybody can write",
    description="The browser sends whatever its user puts into the cookie, so everybody can claim to be anybody.",
    fix="Keep who is logged in, and what they may do, in a session on the server or in a signed cookie.",
)

_MENTIONED = (
    "md5", "sha1", "sha2", "sha_2", "sha5", "passw", "pwd", "token", "secret", "signature", "hmac", "digest", "jwt",
    "apikey", "api_key",
)  # fmt: skip
"""Words without which a file has nothing for the rule: each is found at the speed of a search, in small letters."""

_FAST = lazy(
    r"^(?:hashlib\.)?(md5|sha1|sha224|sha256|sha384|sha512|blake2b|blake2s|new)$|^(?:MD5|SHA1?|SHA256)\.new$|^(?:md5|sha)\.new$"
)
_BROKEN = lazy(r"(?i)md5|sha1|SHA\.|^sha\.")
_STRETCHED = lazy(r"(?i)pbkdf2|bcrypt|scrypt|argon2|pwned|hibp|breach|usedforsecurity\s*=\s*False|hmac\.new")
_RESULT = lazy(
    r"(?i)^(?:hashed_?(?:password|passwd|pwd|pw)|(?:password|passwd|pwd|pw)_?(?:hash(?:ed)?|md5|sha1|sha256|digest))$"
)
_PASSWORD_FUNCTION = lazy(
    r"(?i)(?:hash|encrypt|encode|check|verify|make|set|create|get)_?(?:hashed_?)?(?:password|passwd|pwd)s?(?:_hash)?$"
)
_CONSTANTS = frozenset(
    {"string", "none", "true", "false", "integer", "float", "concatenated_string", "list", "dictionary", "tuple"}
)
_SAYS_WHO = frozenset({"string", "true", "integer"})
_RIGHT = lazy(
    r"(?i)\brequest\.cookies(?:\.get\(|\[)\s*[\"'](?:is_?)?(?:admin|role|roles|user|user_?name|uname|user_?id|uid|id|auth\w*"
    r"|logged_?in|group|level|permission\w*|staff|superuser)[\"']"
)
"""A plain cookie whose name says that it tells who somebody is, or what he may do."""

_UNSAFE_OPTION = lazy(r"[\"']verify_signature[\"']\s*:\s*False|\bverify\s*=\s*False|verify_signature\s*=\s*False")
_VERIFIES = lazy(r"\b(?:jwt|jws)\.(?:decode|verify)\(")
_NO_ALGORITHM = lazy(r"(?i)algorithms?\s*=\s*[\[(]?[^\])]*[\"']none[\"']")


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the rule's fixed signature)
    """Hits of all three kinds, once a line."""
    lowered = source.text.lower()
    if not any(word in lowered for word in _MENTIONED) and not ("cookies" in lowered and _RIGHT.search(source.text)):
        return
    signed = "hmac" in lowered
    seen: set[int] = set()
    verifies = _VERIFIES.search(source.text) is not None
    for hit in _Reader(signed=signed, verifies=verifies).read(parse("python", source.text).root_node):
        if hit.start_line not in seen:
            seen.add(hit.start_line)
            yield hit


class _Reader:
    """One pass in source order that remembers hash objects, the function it is in, and what a result is called."""

    def __init__(self, *, signed: bool, verifies: bool) -> None:
        self._signed = signed
        self._verifies = verifies
        self._hashes: dict[str, str] = {}
        self._functions: list[tuple[int, str, str]] = []
        self._target = (0, "")

    def read(self, root: Node) -> Iterator[Hit]:
        for node in walk(root):
            while self._functions and node.start_byte >= self._functions[-1][0]:
                self._functions.pop()
            if node.type == "function_definition":
                head = f"{node_text(node.child_by_field_name('name'))}"
                self._functions.append((node.end_byte, head, node_text(node)[:4000]))
            elif node.type == "assignment":
                self._remember(node)
            elif node.type == "call":
                yield from self._call(node)
            elif node.type == "comparison_operator":
                yield from self._comparison(node)

    def _remember(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self._target = (node.end_byte, short_text(left))
        if right is not None and right.type == "call":
            function = right.child_by_field_name("function")
            callee = callee_text(function) if function is not None else ""
            if _FAST.match(callee):
                self._hashes[node_text(left)] = f"{callee}({short_text(right.child_by_field_name('arguments'))}"

    def _call(self, node: Node) -> Iterator[Hit]:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        callee, given = callee_text(function), short_text(arguments, 200)
        lines = (line_of(node), end_line_of(node))
        if callee.endswith("jwt.decode") and (_UNSAFE_OPTION.search(given) or _NO_ALGORITHM.search(given)):
            yield make_hit(VERIFYING, UNVERIFIED_WORDING, lines, Confidence.HIGH)
        if callee.endswith("get_unverified_claims") and not self._verifies:
            yield make_hit(VERIFYING, UNVERIFIED_WORDING, lines, Confidence.MEDIUM)
        owner, _, method = callee.rpartition(".")
        algorithm = callee if _FAST.match(callee) else self._hashes.get(owner, "") if method == "update" else ""
        if not algorithm or (algorithm == "hashlib.new" and not re.search(r"(?i)[\"'](?:md5|sha)", given)):
            return
        if self._hashes_password(node, given):
            broken = _BROKEN.search(algorithm) or _BROKEN.search(given)
            yield make_hit(HASHING, HASH_WORDING, lines, Confidence.HIGH if broken else Confidence.MEDIUM)

    def _hashes_password(self, node: Node, given: str) -> bool:
        around = self._functions[-1][2] if self._functions else ""
        if _STRETCHED.search(given) or _STRETCHED.search(around):
            return False
        if holds_password(given):
            return True
        target = self._target[1] if node.start_byte < self._target[0] else ""
        in_function = bool(self._functions) and _PASSWORD_FUNCTION.search(self._functions[-1][1]) is not None
        return len(given) > 2 and (bool(_RESULT.match(target)) or in_function)

    def _comparison(self, node: Node) -> Iterator[Hit]:
        operands = node.named_children
        operators = [node_text(child) for child in node.children_by_field_name("operators")]
        if len(operands) != 2 or operators not in (["=="], ["!="]):
            return
        if self._functions and self._functions[-1][1] in ("__eq__", "__ne__"):
            return  # whether two objects are alike, which nobody sends
        left, right = operands
        if left.type in _CONSTANTS or right.type in _CONSTANTS:
            told, other = (right, left) if left.type in _CONSTANTS else (left, right)
            if (
                _RIGHT.search(short_text(told, 201))
                and other.type in _SAYS_WHO
                and node_text(other) not in ("''", '""')
            ):
                yield make_hit(CLAIMING, COOKIE_WORDING, (line_of(node), end_line_of(node)), Confidence.MEDIUM)
            return
        found = judge_comparison(short_text(left, 201), short_text(right, 201), signed=self._signed)
        if found is not None:
            yield make_hit(COMPARING, found.wording, (line_of(node), end_line_of(node)), found.confidence)


RULE = Rule(
    id="python-weak-authentication", category="weak-authentication", languages=frozenset({"python"}), check=check
)
