"""What of a run's context outsiders write, and how expressions name it.

Source: GitHub's "Secure use reference" on script injections, and the contexts reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from devpulse.core.lazy_pattern import lazy

_LONGEST = 2_000
"""Characters of an expression; GitHub itself takes no more than some 21,000 of a whole script."""

_INDEX = lazy(r"\[\s*['\"]([\w-]{1,60})['\"]\s*\]|\[\s*\d{1,6}\s*\]")
_LITERAL = lazy(r"'(?:[^']|''){0,300}'")
_JUDGING = lazy(r"\b(?:contains|startswith|endswith|hashfiles|success|failure|always|cancelled)\s*\(")
_COMPARED = lazy(r"[=!<>]=|[<>]")
_CHOOSES = ("&&", "||")
_WRITTEN = lazy(
    r"\bgithub\.(?:head_ref|event\.(?:"
    r"(?:issue|pull_request|discussion)\.(?:title|body)"
    r"|(?:comment|review|review_comment)\.body"
    r"|pull_request\.head\.(?:ref|label|repo\.(?:default_branch|description|homepage))"
    r"|(?:head_commit|commits(?:\.\*)?|workflow_run\.head_commit)(?:\.(?:message|author\.(?:email|name)|committer\.(?:email|name)))"
    r"|workflow_run\.(?:head_branch|display_title|pull_requests(?:\.\*)?\.head\.ref|head_repository\.description)"
    r"|pages(?:\.\*)?\.(?:page_name|title)"
    r"|release\.(?:name|body)"
    r"|client_payload(?:\.[\w*-]+)*"
    r"))(?![\w-])"
)
_WHOLE = lazy(
    r"\btojson\(\s*(?:github(?:\.event(?:\.(?:issue|pull_request|comment|review|discussion|commits|head_commit))?)?)\s*\)"
)
_BY_WRITERS = lazy(r"github\.event\.(?:release|client_payload)|\bgithub\.event\.inputs\.|\binputs\.")
_GIVEN = lazy(r"\b(?:github\.event\.inputs|inputs)\.[\w-]+")
_ENVIRONMENT = lazy(r"\benv\.([\w-]{1,100})")


def expressions(value: str) -> Iterator[str]:
    """What stands between ``${{`` and ``}}``, in order."""
    start = value.find("${{")
    while start >= 0:
        end = value.find("}}", start)
        if end < 0:
            return
        yield value[start + 3 : end][:_LONGEST]
        start = value.find("${{", end)


def plain(expression: str) -> str:
    """An expression in small letters, its texts empty and its indexes written with dots."""
    return _INDEX.sub(lambda index: f".{index[1] or '*'}", _LITERAL.sub(_kept_key, expression)).lower()


def _kept_key(literal: re.Match[str]) -> str:
    before = literal.string[: literal.start()].rstrip()
    return literal[0] if before.endswith("[") else "''"


@lru_cache(maxsize=200)
def written_by_outsiders(expression: str) -> str:
    """The part of an expression that gives a text which somebody without rights wrote; empty where there is none.

    What compares or looks for something gives true or false, unless ``&&`` and ``||`` choose a value by it.
    """
    for part in _values(plain(expression)):
        found = _WRITTEN.search(part) or _WHOLE.search(part)
        if found is not None and not _BY_WRITERS.search(found[0]):
            return found[0]
    return ""


@lru_cache(maxsize=200)
def given_by_callers(expression: str) -> str:
    """The part of an expression that gives what callers with some rights chose; empty where there is none."""
    for part in _values(plain(expression)):
        found = _GIVEN.search(part) or _WRITTEN.search(part)
        if found is not None:
            return found[0]
    return ""


@lru_cache(maxsize=200)
def environment_in(expression: str) -> tuple[str, ...]:
    """The names of the environment's values that an expression may give."""
    return tuple(name for part in _values(plain(expression)) for name in _ENVIRONMENT.findall(part))


def _values(expression: str) -> Iterator[str]:
    """The parts of an expression that can be what it gives."""
    parts = [expression]
    for sign in _CHOOSES:
        parts = [piece for part in parts for piece in part.split(sign)]
    return (part for part in parts if not _COMPARED.search(part) and not _JUDGING.search(part))
