"""Names without parsing: one pattern over one buffer gives every definition line's name and place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from devpulse.core.corpus import Corpus
from devpulse.core.languages import LANGUAGES

_SEPARATORS = re.compile(r"[^\w$]+")

_ALIKE = 0.7
"""The share of common characters below which two names are no misspellings of each other."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """Defined names with the offsets of their definitions.

    Most names are defined once: a list for each would cost more than finding them.
    """

    first: dict[bytes, int] = field(default_factory=dict)
    more: dict[bytes, list[int]] = field(default_factory=dict)

    def names(self) -> Iterable[bytes]:
        """Every defined name, once."""
        return self.first

    def of(self, name: str) -> list[int]:
        """The offsets at which a name is defined."""
        word = name.encode("utf-8", errors="replace")
        return [self.first[word], *self.more.get(word, ())] if word in self.first else []


def scan_names(corpus: Corpus, languages: Iterable[str]) -> NameTable:
    """Scan the files of some languages. Finds lines only, so text inside a long string may count as well."""
    table = NameTable()
    first, more = table.first, table.more
    for language in languages:
        start, end = corpus.groups.get(language, (0, 0))
        for offset, name in LANGUAGES.scan_of(language)(corpus.buffer, start, end):
            if first.setdefault(name, offset) != offset:
                if name in more:
                    more[name].append(offset)
                else:
                    more[name] = [offset]
    return table


def closest_stages(query: str, names: Iterable[str], limit: int) -> Iterator[list[str]]:
    """Names like the query, one list for each way of likeness, the most alike way first; computed as asked for."""
    plain = [(name, name.lower()) for name in names]
    wanted = query.lower()
    yield [name for name, lower in plain if lower == wanted]
    squeezed = _squeeze(wanted)
    yield [name for name, lower in plain if squeezed and _squeeze(lower) == squeezed]
    words = [word for word in _SEPARATORS.split(wanted) if word]
    holding = [name for name, lower in plain if words and all(word in lower for word in words)]
    yield sorted(holding, key=lambda name: (len(name), name))
    near_length = {lower: name for name, lower in plain if abs(len(lower) - len(wanted)) <= max(2, len(wanted) // 3)}
    yield [near_length[lower] for lower in get_close_matches(wanted, near_length, n=limit, cutoff=_ALIKE)]


def _squeeze(lower: str) -> str:
    return _SEPARATORS.sub("", lower).replace("_", "")
