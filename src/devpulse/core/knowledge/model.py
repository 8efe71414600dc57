"""What is known of libraries: which calls do harm with which argument, and which make a value safe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

from devpulse.core.flow.purposes import Purpose

RECEIVER = "receiver"
"""An argument of a sink: what the method is called on."""

EVERY = "*"
"""An argument of a sink: each of its arguments."""


_Entry = TypeVar("_Entry")
_WORD = re.compile(r"\w{1,80}")


@dataclass(frozen=True, slots=True)
class Condition:
    """A constant that a keyword argument, or a field of an options object, must have, in lower case."""

    keyword: str
    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that does harm with a tainted argument.

    ``pattern`` is the callee: ``os.system`` (also through an import), ``.execute`` (a method of anything, narrowed
    by ``receivers``), ``eval`` (that bare name), ``*HttpResponse`` (that name wherever it comes from); ``~regex`` any
    callee whose last name matches, for conventions of names. ``arguments`` are positions from 0, keywords,
    ``receiver`` or ``*``.
    ``kind`` says to the category's rule which of its forms this is. ``certain`` is false where the name alone does
    not tell that it is this library's. ``needs`` must all hold.
    """

    category: str
    pattern: str
    arguments: tuple[int | str, ...]
    kind: str = ""
    certain: bool = True
    receivers: re.Pattern[str] | None = None
    needs: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Cleaner:
    """A call whose result is safe for ``purposes``."""

    pattern: str
    purposes: frozenset[Purpose]


@dataclass(frozen=True)
class Knowledge:
    """All that is known for one language, found by the last name of a callee; ``conventions`` by their patterns."""

    sinks: Mapping[str, tuple[Sink, ...]]
    cleaners: Mapping[str, tuple[Cleaner, ...]]
    conventions: tuple[tuple[re.Pattern[str], Sink], ...] = ()

    def sinks_of(self, category: str, callee: str, imported: str) -> Iterator[Sink]:
        """The sinks that a callee is for a category; ``imported`` is the callee by what its first name stands for,
        the same as ``callee`` when that is not imported.
        """
        for sink in _named(self.sinks, callee, imported):
            if sink.category == category and matches(sink.pattern, callee, imported):
                owner = callee.rpartition(".")[0]
                if sink.receivers is None or sink.receivers.search(owner):
                    yield sink
        for pattern, sink in self.conventions:
            if sink.category == category and pattern.search(last_name(callee)[:80]):
                owner = callee.rpartition(".")[0]
                if sink.receivers is None or sink.receivers.search(owner):
                    yield sink

    def purposes_of(self, callee: str, imported: str) -> frozenset[Purpose]:
        """What the result of a callee is safe for."""
        cleaners = _named(self.cleaners, callee, imported)
        found = (cleaner.purposes for cleaner in cleaners if matches(cleaner.pattern, callee, imported))
        return frozenset[Purpose]().union(*found)

    @cached_property
    def _words(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """By category and last name of a sink the names its owner may have; none where that may be any."""
        names: dict[str, dict[str, frozenset[str]]] = {}
        for sinks in self.sinks.values():
            for sink in sinks:
                known = names.setdefault(sink.category, {})
                words = _WORD.findall(sink.pattern)
                for name in words[-1:]:
                    owner = frozenset(words[-2:-1])
                    known[name] = known.get(name, owner) | owner if owner and known.get(name, owner) else frozenset()
        return names

    def mentions(self, category: str, text: str) -> bool:
        """Whether a text has the name of any sink of a category: cheap, and asked before the text is parsed."""
        written = words_of(text)
        known = self._words.get(category, {})
        if any(not known[name] or not written.isdisjoint(known[name]) for name in written.intersection(known)):
            return True
        patterns = [pattern for pattern, sink in self.conventions if sink.category == category]
        return any(pattern.search(word) for pattern in patterns for word in written)


@lru_cache(maxsize=8)
def words_of(text: str) -> frozenset[str]:
    """The words of a text; of longer ones, which nobody calls, only the first part.

    Backticks run a command under no name; adapters call that ``backtick``.
    """
    return frozenset((*_WORD.findall(text), "backtick") if "`" in text else _WORD.findall(text))


def matches(pattern: str, callee: str, imported: str) -> bool:
    """Whether a callee is what a pattern names.

    A dotted pattern also matches the end of a longer dotted name; a bare one that name alone, unless an import
    says that it is something else.
    """
    if pattern.startswith("."):
        return callee.endswith(pattern)
    if pattern.startswith("*"):
        return last_name(imported) == pattern[1:]
    if pattern == imported:
        return True
    if "." not in pattern:
        return False
    ending = f".{pattern}"
    return callee == pattern or imported.endswith(ending) or callee.endswith(ending)


def _named(table: Mapping[str, tuple[_Entry, ...]], callee: str, imported: str) -> tuple[_Entry, ...]:
    """The entries under the last name of a callee, and under that of what it stands for."""
    written, meant = last_name(callee), last_name(imported)
    found = table.get(written, ())
    return found if written == meant else (*found, *table.get(meant, ()))


def last_name(callee: str) -> str:
    """The last name of a dotted callee or pattern."""
    return callee.rpartition(".")[2].removeprefix("*")
