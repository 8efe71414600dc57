"""The checks in the body of a function: calls that refuse people, and early exits for those who may not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import end_line_of, line_of, parts_of, short_text
from devpulse.core.knowledge.access import AccessWords
from devpulse.core.rules.access import Guard

MAX_STATEMENTS = 40
_EXITS = re.compile(r"\b(?:return|throw|raise|exit|die|wp_die|abort|halt|redirect\w*|sendError|wp_send_json_error)\b")
_WRAPPERS = frozenset({"try_statement", "begin", "statement_list", "synchronized_statement", "body_statement"})
_CALLED = re.compile(r"[\w.:>$-]+[!?]?(?=\s*\()|^[a-z_]\w*[!?]?(?=$|\s+[:@\"'A-Z\w])")
"""The names of what is called; in Ruby also without parentheses."""

_OBJECT = re.compile(
    r"[(,]\s*(?!(?:\$?(?:this|r|req|request|w|c|ctx|context|res|response|user))\b)[@$]?[a-z]\w*(?:\.\w+\(?\)?)?\s*[,)]|\s@\w+$"
)
"""A variable as an argument: the object that a check is about."""

_BRANCH = re.compile(r"(?:if|unless)(?:_statement|_modifier)?$")


def body_guards(body: Node | None, words: AccessWords) -> list[Guard]:
    """The guards among the statements of a body, also of a ``try`` around them."""
    guards = []
    for statement in _statements(body):
        text = _check(statement, words)
        if text:
            personal = _OBJECT.search(text) is not None or not _asks(text, words)
            guards.append(Guard(text, line_of(statement), end_line_of(statement), personal=personal))
    return guards


def mentions(text: str, words: AccessWords) -> int:
    """How often a text speaks of callers and of what they may do."""
    return sum(len(pattern.findall(text)) for pattern in (words.callers, words.refusals, words.calls))


def _statements(body: Node | None) -> Iterator[Node]:
    for statement in parts_of(body)[:MAX_STATEMENTS]:
        if statement.type in _WRAPPERS:
            inner = statement.child_by_field_name("body") or statement
            for nested in parts_of(inner)[:MAX_STATEMENTS]:
                yield from parts_of(nested)[:MAX_STATEMENTS] if nested.type in _WRAPPERS else (nested,)
        else:
            yield statement


def _check(statement: Node, words: AccessWords) -> str:
    """The text of a check, empty for what is none."""
    if not _BRANCH.fullmatch(statement.type):
        text = short_text(statement, 200)
        return text if _refuses_itself(text, words) else ""
    condition = " ".join(short_text(statement.child_by_field_name(name), 200) for name in ("initializer", "condition"))
    consequence = statement.child_by_field_name("consequence") or statement.child_by_field_name("body")
    refusal = _refusal(consequence)
    if words.refusals.search(refusal) or (_asks(condition, words) and _EXITS.search(refusal)):
        return condition.strip()
    # ``require_admin if params[:all]`` refuses itself.
    return refusal if statement.type.endswith("_modifier") and _refuses_itself(refusal, words) else ""


def _refusal(consequence: Node | None) -> str:
    """What a branch does itself: a refusal within another branch is about something else."""
    block = consequence
    for child in parts_of(consequence):
        block = child if child.type == "statement_list" else block
    if not any(_BRANCH.fullmatch(child.type) for child in parts_of(block)):
        return short_text(consequence, 400)
    return " ".join(short_text(child, 200) for child in parts_of(block) if not _BRANCH.fullmatch(child.type))


def _asks(text: str, words: AccessWords) -> bool:
    """Whether a text asks who is calling or what they may do."""
    return words.callers.search(text) is not None or _refuses_itself(text, words)


def _refuses_itself(text: str, words: AccessWords) -> bool:
    """Whether a statement calls a function that refuses people."""
    return any(words.calls.search(name) for name in _CALLED.findall(text))
