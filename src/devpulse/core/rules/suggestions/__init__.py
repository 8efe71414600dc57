"""Mechanical fixes, one a file, listed here: the exact text that takes the place of a hit's lines, or nothing.

A fix is suggested only where nothing has to be decided: what is unusual in any way gets none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.suggestions import (
    argument_list,
    bound_parameters,
    bound_values,
    compare_digest,
    exec_file,
    no_entities,
    safe_load,
    timing_safe_equal,
)
from devpulse.core.rules.suggestions.editing import outermost_lines
from devpulse.core.source import Source
from devpulse.core.syntax import parse
from devpulse.errors import ParseLimitReached

Suggest = Callable[[Source, Hit], str | None]

MAX_LINES = 10
MAX_SUGGESTIONS = 40
"""A file with more of the same needs another kind of change."""

_ECMASCRIPT = ("javascript", "typescript", "tsx")
FIXES: dict[tuple[str, str], Suggest] = {
    ("python", "sql-injection"): bound_parameters.suggest,
    ("python", "command-injection"): argument_list.suggest,
    ("python", "insecure-deserialization"): safe_load.suggest,
    ("python", "weak-authentication"): compare_digest.suggest,
    ("python", "xml-external-entity"): no_entities.suggest,
    **{(language, "sql-injection"): bound_values.suggest for language in _ECMASCRIPT},
    **{(language, "command-injection"): exec_file.suggest for language in _ECMASCRIPT},
    **{(language, "weak-authentication"): timing_safe_equal.suggest for language in _ECMASCRIPT},
}


def with_suggestions(source: Source, hits: Iterable[Hit]) -> list[Hit]:
    """The hits in the same order, those with a mechanical fix with its text. The text keeps the line ends of the file
    and leaves the file without syntax errors; a file that has some already gets no suggestion.
    """
    left = MAX_SUGGESTIONS
    done: list[Hit] = []
    for hit in hits:
        text = _suggestion(source, hit) if left else None
        left -= text is not None
        done.append(hit if text is None else replace(hit, suggestion=text))
    return done


def _suggestion(source: Source, hit: Hit) -> str | None:
    fix = FIXES.get((source.language or "", hit.category))
    if fix is None or hit.side is not Side.RIGHT or hit.suggestion is not None or not source.complete:
        return None
    if hit.end_line - hit.start_line >= MAX_LINES:
        return None
    try:
        text = None if _is_broken(source.language, source.text) else fix(source, hit)
        return None if text is None or _breaks(source, hit, text) else text
    except ParseLimitReached:
        return None


def applied(text: str, hit: Hit, suggestion: str) -> str:
    """A text with the lines of a hit replaced by a suggestion."""
    lines = text.split("\n")
    return "\n".join([*lines[: hit.start_line - 1], suggestion, *lines[hit.end_line :]])


def _is_broken(language: str | None, text: str) -> bool:
    return language is not None and parse(language, text).root_node.has_error


def _breaks(source: Source, hit: Hit, suggestion: str) -> bool:
    """Whether a file without syntax errors has some with the lines of a hit replaced.

    The statement around is looked at by itself where it can stand alone: the file may have thousands of others.
    """
    first, last = outermost_lines(source, hit)
    alone = "\n".join(source.text.split("\n")[first - 1 : last])
    inside = replace(hit, start_line=hit.start_line - first + 1, end_line=hit.end_line - first + 1)
    if _is_broken(source.language, alone):
        alone, inside = source.text, hit
    return _is_broken(source.language, applied(alone, inside, suggestion))
