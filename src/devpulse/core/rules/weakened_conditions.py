"""Conditions that stand there again without one of their parts: what that asked is no longer asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.check_kinds import kind_of
from devpulse.core.rules.dropped_checks import COMMENT, MAX_LINE, Dropped, words_of

MAX_LINES = 6
"""Lines of a condition."""

ACCESS = "broken-access-control"
_ASKS = lazy(
    r"(?i)(?:\b|_|->|\.)(?:allow|permit|can_?(?:edit|view|access|delete|manage|read|write)"
    r"|has_?(?:access|permission|role|right)|is_?(?:admin|owner|staff|allowed|authori[sz]ed|permitted|superuser)"
    r"|current_user_can|authori[sz]e|check_?access)\w*"
)
_KEYWORD = lazy(r"^\}?(?:else)?(?:el)?if")
_JOINED = lazy(r"(?:&&|\band\b)\s{0,9}", 2)
_IF = lazy(r"^\s*(?:\}\s*)?(?:else\s*|el)?if\b")
_ENDS = lazy(r"[{:;][ \t]*$")
_ALONE = lazy(r"^\s*(?:&&|and\b)\s*(?P<behind>\S.*)$|^\s*(?P<before>\S.{0,300}?)\s*(?:&&|\band)\s*$")


def weakened_in(run: Run) -> Iterator[Dropped]:
    """Conditions that stand there again without the part that asked what somebody may do, or that checked a value."""
    added = frozenset(_condition(text) for _, text in _statements(run.added))
    for number, text in _statements(run.removed):
        found = _weakened(number, text, added) if _JOINED.search(text) else None
        if found is not None:
            yield found
    if not run.added:
        yield from filter(None, (_alone(number, line) for number, line in run.removed))


def _weakened(number: int, text: str, added: frozenset[str]) -> Dropped | None:
    parts = _JOINED.split(text)
    for index, part in enumerate(parts):
        rest = parts[:index] + parts[index + 1 :]
        if index == len(parts) - 1 and not part.rstrip().endswith(("{", ":", ")", ";")):
            continue
        if _condition("&&".join(rest)) in added:
            category = _asked(part)
            if category is not None:
                return Dropped(number, number + text.count("\n"), category, words_of(part) or frozenset({"if"}), text)
    return None


def _alone(number: int, line: str) -> Dropped | None:
    """A part of a condition that had the line for itself."""
    match = _ALONE.match(line) if len(line) <= MAX_LINE and not line.lstrip().startswith(COMMENT) else None
    if match is None or _IF.match(line) or _JOINED.search(part := match["behind"] or match["before"]):
        return None
    category = _asked(part)
    return Dropped(number, number, category, words_of(part), line) if category is not None else None


def _asked(part: str) -> str | None:
    return ACCESS if _ASKS.search(part) else kind_of(part)


def _statements(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Each line, and each condition over several lines."""
    for index, (number, line) in enumerate(lines):
        if len(line) > MAX_LINE:
            continue
        yield number, line
        if _IF.match(line) and not _ENDS.search(line):
            text = line
            for _, other in lines[index + 1 : index + MAX_LINES]:
                text += "\n" + other[: MAX_LINE + 1]
                if len(text) > MAX_LINE:
                    break
                if _ENDS.search(other):
                    yield number, text
                    break


def _condition(line: str) -> str:
    """A condition without white space, its keyword and brackets, which a part may take with it."""
    bare = _bare(_JOINED.sub("&&", line)).replace("(", "").replace(")", "").rstrip("{:")
    return _KEYWORD.sub("", bare)


def _bare(text: str) -> str:
    return "".join(text.split())
