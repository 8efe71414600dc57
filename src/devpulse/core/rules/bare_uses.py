"""Names that held a clean value and are gone, while their lines stand there again with the value as it came."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.cleaner_calls import calls_in, cleaner_calls, looks_cleaning, plain_name
from devpulse.core.rules.dropped_checks import MAX_LINE, Dropped
from devpulse.core.rules.uses_below import category_of
from devpulse.core.source import Source

MAX_NAMES = 30
"""Clean names of a file that are followed, and lines that use them."""

REACH = 60
"""Lines below its assignment in which a use of a name is looked for."""

MAX_ALIKE = 3
"""Added lines that begin and end like a removed one, of which one may be the same line."""

MIN_AROUND = 6
"""Characters around a name by which its line is known again."""

_SET = lazy(
    r"^\s*(?:(?:const|let|var|val|final|auto|[A-Z][\w.<>]{0,40})\s+)?(\$?[A-Za-z_]\w{0,60})\s*(?:,\s*\w{1,20}\s*)?:?=(?![=>~])\s*(\S.*)$"
)
_VALUE = lazy(r"\$?\b[A-Za-z_]\w*+(?!\s{0,9}\()")
_QUOTED = lazy(r"\.(?:replace(?:All)?|gsub|sub)\(\s*(?:/(?:\"|'|</?)/g?|[\"'](?:'|\"|\\[\"']|<)[\"'])\s*,")
_NAMED_CLEAN = lazy(
    r"(?i)^\$?_?(?:safe|escaped?|sanit|clean|quoted|secured?|valid)|(?:safe|escaped|sanitized|cleaned|quoted)$"
)
_ASIDE = lazy(r"(?i)\b(?:log|logger|console|debug|info|warn|warning)\b")


@dataclass(frozen=True, slots=True)
class _Clean:
    """A name that was given a clean value on a line of the base; ``words``: what the value was made of."""

    name: str
    line: int
    text: str
    category: str
    words: frozenset[str]


def bare_uses(runs: list[Run], before: Source) -> Iterator[Dropped]:
    """The assignments of clean values whose names went away and whose uses take the value itself now."""
    known: list[_Clean] = []
    for run in runs:
        known = [clean for clean in known if run.removed[0][0] <= clean.line + REACH]
        known.extend(_clean_names(run, before))
        added = [line for _, line in run.added[:REACH] if len(line) <= MAX_LINE] if known else []
        bare = [(_bare(line), line) for line in added]
        for clean in known[:MAX_NAMES]:
            category = _used_bare(clean, run, bare, before)
            if category is not None:
                known.remove(clean)
                yield Dropped(clean.line, clean.line, category, clean.words, clean.text)


def _clean_names(run: Run, before: Source) -> Iterator[_Clean]:
    for number, line in run.removed:
        match = _SET.match(line) if len(line) <= MAX_LINE else None
        if match is None:
            continue
        name, value = match[1], match[2]
        call = next(cleaner_calls(value, before), None)
        if call is not None:
            category, inner = call.category, call.first
        elif _QUOTED.search(value) or (_NAMED_CLEAN.search(name) and _cleans(value, before)):
            category, inner = "", value
        else:
            continue
        words = frozenset(word.lstrip("$") for word in _VALUE.findall(inner)) - {name.lstrip("$")}
        if words:
            yield _Clean(name, number, line, category, words)


def _used_bare(clean: _Clean, run: Run, added: list[tuple[str, str]], before: Source) -> str | None:
    """The category of what a line of the run does with the value that it took clean before."""
    named = re.compile(rf"(?<![\w$]){re.escape(clean.name)}(?!\w)")
    if not added or any(named.search(line) for _, line in added):
        return None
    for number, line in run.removed:
        if not clean.line < number <= clean.line + REACH or len(line) > MAX_LINE or _ASIDE.search(line):
            continue
        parts = [_bare(part) for part in named.split(line)]
        first, last = parts[0].rstrip("$"), parts[-1]
        if len(parts) < 2 or len(first) + len(last) < MIN_AROUND:
            continue
        alike = (pair for pair in added if pair[0].startswith(first) and pair[0].endswith(last))
        for bare, other in islice(alike, MAX_ALIKE):
            if _stands_in(bare[len(first) : len(bare) - len(last)], clean.words, before):
                return clean.category or category_of(other)
    return None


def _stands_in(middle: str, words: frozenset[str], before: Source) -> bool:
    """Whether what stands in the place of a name is the value, and nothing that cleans it."""
    return not words.isdisjoint(word.lstrip("$") for word in _VALUE.findall(middle)) and not _cleans(middle, before)


def _cleans(text: str, before: Source) -> bool:
    return any(looks_cleaning(plain_name(found[0], before.language)) for found in calls_in(text))


def _bare(text: str) -> str:
    return "".join(text.split())
