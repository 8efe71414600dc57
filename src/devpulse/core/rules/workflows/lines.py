"""The lines of a workflow with the keys that they stand under, read without building what the YAML describes.

Only block style is told apart, which workflows are written in: in ``{run: …}`` nothing is found.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy
from devpulse.core.text import lines_of

MAX_KEYS = 40
"""Keys around a line that are told apart; the schema of workflows knows twelve."""

_KEY = lazy(r"([ ]*+(?:-[ ]++)*+)(?:([\w.-]{1,100}+)|\"([^\"\n]{1,100}+)\"|'([^'\n]{1,100}+)')[ ]*+:(?=[ \t]|$)")
_COMMENT = lazy(r"(?:^|[ \t])#.*")
_TEXT = lazy(r"[|>][-+0-9]{0,3}[ ]*+(?:#.*+)?$")


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A line with the keys around it, outermost first; the last is its own. ``value`` is what stands behind the key, or
    the whole line where a value goes on."""

    number: int
    keys: tuple[str, ...]
    indents: tuple[int, ...]
    value: str
    begins_item: bool

    @property
    def key(self) -> str:
        """The key whose value this is."""
        return self.keys[-1] if self.keys else ""

    @property
    def indent(self) -> int:
        """Where the key stands; -1 before the first."""
        return self.indents[-1] if self.indents else -1


def key_lines(text: str) -> Iterator[KeyLine]:
    """Every line that is not empty, in order; comments are cut off outside of texts over several lines."""
    keys: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    text_indent: int | None = None
    for number, written in enumerate(lines_of(text.removeprefix("\ufeff")), 1):
        line = written.rstrip("\r")
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            continue
        if text_indent is not None and indent > text_indent:
            yield KeyLine(number, keys, places, line, begins_item=False)
            continue
        text_indent = None
        found = _KEY.match(line)
        if found is None:
            value = _COMMENT.sub("", line)
            if value.strip():
                yield KeyLine(number, keys, places, value, begins_item=value.lstrip().startswith("- "))
            continue
        place = len(found[1])
        around = bisect_left(places, place)
        keys = (*keys[: min(around, MAX_KEYS)], (found[2] or found[3] or found[4]).lower())
        places = (*places[: min(around, MAX_KEYS)], place)
        value = line[found.end() :].strip()
        if _TEXT.match(value):
            text_indent = place
        yield KeyLine(number, keys, places, _COMMENT.sub("", f" {value}").strip(), begins_item="-" in found[1])


def trigger(lines: Iterable[KeyLine], wanted: re.Pattern[str]) -> int:
    """The line on which a workflow names a trigger that is wanted, 0 where it names none.

    YAML 1.1 takes the key ``on`` for ``true``.
    """
    started = (line for line in lines if line.keys and line.keys[0] in {"on", "true"} and len(line.keys) <= 2)
    named = (line.number for line in started if wanted.search(" ".join((*line.keys[1:], line.value)).lower()))
    return next(named, 0)
