"""What is known of libraries: which calls do harm with which argument, and which make a value safe."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

from devpulse.core.flow.purposes import Purpose

RECEIVER = "receiver"
"""An argument of a sink: what the method is called on."""

EVERY = "*"
"""An argument of a sink: each of its arguments."""


_Entry = TypeVar("_Entry")
_LONGEST_WORD = 80
_WORD = re.compile(rf"\w{{1,{_LONGEST_WORD}}}")
_NO_WORD = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
MARKS = (
    ("`", "backtick"),
    ("`", "shell_exec"),
    ("%x", "backtick"),
    ("<?=", "echo"),
    *((mark, "variable_call") for mark in ("->$", "new $")),
    *((f"{verb} {quote}", "route_answer") for verb in ("get", "post", "put", "patch", "delete") for quote in "'\""),
    *((f"DB[{quote}", "dataset_of") for quote in "'\""),
    *((f"$({quote}<", "jQuery") for quote in "'\"`"),
)
"""Signs that call something without its name, each with the name that adapters give it."""

MAX_ASKED = 20_000
"""Callees whose sinks are remembered."""


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
    not tell that it is this library's. ``needs`` must all hold. ``word``: in Python, a word that a file has where the
    call may be meant, for names as common as ``print``.
    """

    category: str
    pattern: str
    arguments: tuple[int | str, ...]
    kind: str = ""
    certain: bool = True
    receivers: re.Pattern[str] | None = None
    needs: tuple[Condition, ...] = ()
    word: str = ""


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
        return (sink for sink in self.every_sink_of(callee, imported) if sink.category == category)

    def every_sink_of(self, callee: str, imported: str) -> tuple[Sink, ...]:
        """The same for all categories."""
        key = (callee, imported)
        found = self._asked.get(key)
        if found is None:
            if len(self._asked) >= MAX_ASKED:
                self._asked.clear()
            found = self._asked[key] = tuple(self._find_sinks(callee, imported))
        return found

    def _find_sinks(self, callee: str, imported: str) -> Iterator[Sink]:
        owner = callee.rpartition(".")[0]
        for sink in _named(self.sinks, callee, imported):
            fits = matches(sink.pattern, callee, imported)
            if fits and (sink.receivers is None or sink.receivers.search(owner)):
                yield sink
        name = last_name(callee)[:80]
        for pattern, sink in self.conventions:
            if pattern.search(name) and (sink.receivers is None or sink.receivers.search(owner)):
                yield sink

    def purposes_of(self, callee: str, imported: str) -> frozenset[Purpose]:
        """What the result of a callee is safe for."""
        cleaners = _named(self.cleaners, callee, imported)
        found = (cleaner.purposes for cleaner in cleaners if matches(cleaner.pattern, callee, imported))
        return frozenset[Purpose]().union(*found)

    @cached_property
    def _asked(self) -> dict[tuple[str, str], tuple[Sink, ...]]:
        """Answers so far: the same few names are called in all files."""
        return {}

    @cached_property
    def setters(self) -> Knowledge:
        """The sinks alone that are a name that is set."""
        return self._only("=")

    @cached_property
    def answers(self) -> Knowledge:
        """The sinks alone that are what a function gives back."""
        return self._only(".return")

    def _only(self, ending: str) -> Knowledge:
        kept = {
            name: left
            for name, sinks in self.sinks.items()
            if (left := tuple(sink for sink in sinks if sink.pattern.endswith(ending)))
        }
        return Knowledge(kept, {})

    @cached_property
    def _words(self) -> Mapping[str, tuple[tuple[Sink, str], ...]]:
        """The sinks by the last word of their patterns, each with the name that its owner must have, or none."""
        found: dict[str, list[tuple[Sink, str]]] = {}
        for sinks in self.sinks.values():
            for sink in sinks:
                words = _WORD.findall(sink.pattern)
                if words:
                    found.setdefault(words[-1], []).append((sink, words[-2] if len(words) > 1 else ""))
        return {name: tuple(dict.fromkeys(sinks)) for name, sinks in found.items()}

    def sinks_in(self, text: str) -> Mapping[str, tuple[Sink, ...]]:
        """The sinks whose names a text has, by the word of the text: cheap, and asked before the text is parsed."""
        written, known = words_of(text), self._words
        found = {
            name: tuple(sink for sink, owner in known[name] if not owner or owner in written)
            for name in written.intersection(known)
        }
        for pattern, sink in self.conventions:
            for name in filter(pattern.search, written):
                found[name] = (*found.get(name, ()), sink)
        return {name: sinks for name, sinks in found.items() if sinks}


@lru_cache(maxsize=8)
def words_of(text: str) -> frozenset[str]:
    """The words of a text, with those that adapters call what has no name; of longer ones only the first part."""
    return frozenset((*_plain_words(text), *(word for mark, word in MARKS if mark in text)))


def _plain_words(text: str) -> Collection[str]:
    if text.isascii():  # an eighth of the time
        words = set(text.translate(_NO_WORD).split())
        if len(max(words, key=len, default="")) <= _LONGEST_WORD:
            return words
    return _WORD.findall(text)


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
