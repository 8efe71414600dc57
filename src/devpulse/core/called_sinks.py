"""Which sinks a text may call, by the calls that are written in it: cheap, and asked before it is parsed.

In Python a sink is told by what stands before the bracket of a call, and that is read here as the syntax tree would
give it, or as something that more sinks match. Comments and strings are read too, which only asks for more. Other
languages call in more ways, so there a word of a sink anywhere is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from devpulse.core.imports import imported_callee, imported_names
from devpulse.core.knowledge import knowledge_of
from devpulse.core.knowledge.model import MARKS, Knowledge, Sink, words_of
from devpulse.core.lazy_pattern import lazy

_CALL = lazy(r"(\.[\s\\]+)?(?<![\w.])([\w.]++)(?:[\s\\]++|#[^\n]*+)*+\(")
_OF_TABLE = lazy(r"([\w.]++)\[\s*[\"']([A-Za-z_]\w*(?:\.\w+)+)[\"']\s*\]\s*\(")
"""A function taken out of a table by its dotted name: ``__salt__["cmd.run"](…)`` is the callee ``__salt__.cmd.run``."""

_ROUTE = lazy(r"(?m)^[ \t]*@[ \t]*(?:[\w.]++[\s\\]*+\(|[\w.]*expose|register\.tag)")
"""A decorator that may say what the function under it answers: one with arguments, ``@expose``, ``@register.tag``."""

_WORD = lazy(r"\w{1,80}")
_LONGEST_CHAIN = 100
"""Characters; of longer chains the syntax tree may give only the last name."""


@lru_cache(maxsize=8)
def sinks_written(language: str, text: str) -> frozenset[tuple[str, str]]:
    """Category and kind of each sink that a text may call; none for a language of which nothing is known."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return frozenset()
    if language != "python":
        return knowledge.mentions(text)
    found = set(knowledge.setters.mentions(text))
    if _ROUTE.search(text) or "format_exc" in text or "escape(" in text:
        found |= knowledge.answers.mentions(text)
    for callee in callees_of(text):
        found.update((sink.category, sink.kind) for sink in _meant(knowledge, text, callee))
    return frozenset(found)


def sinks_at(language: str, text: str) -> list[int]:
    """Where a text may call a sink: numbers of characters, in order. What a function gives back is not looked for."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return []
    if language != "python":
        names = knowledge.names_in(text)
        other = (
            bound
            for bound, meant in imported_names(language, text).items()
            if (meant.name or meant.module.rpartition(".")[2]) in names
        )
        return _named_at(names.union(other), text)
    meant = cache(lambda callee: bool(_meant(knowledge, text, callee)))
    calls = [place for place, callees in _calls(text) if any(map(meant, callees))]
    return sorted([*_named_at(knowledge.setters.names_in(text), text), *calls])


def callees_of(text: str) -> frozenset[str]:
    """What is called in a Python text: a dotted chain of names, or the last name with a dot where it hangs on more."""
    return frozenset(callee for _, callees in _calls(text) for callee in callees)


def _meant(knowledge: Knowledge, text: str, callee: str) -> list[Sink]:
    written = words_of(text)
    sinks = knowledge.every_sink_of(callee, imported_callee("python", text, callee))
    return [sink for sink in sinks if all(condition.keyword in written for condition in sink.needs)]


def _calls(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each call of a Python text, with the callees that it may have."""
    for found in _OF_TABLE.finditer(text):
        yield found.start(), (f"{found[1]}.{found[2]}",)
    for found in _CALL.finditer(text):
        apart, chain = found.groups()
        last = chain.rpartition(".")[2]
        long = len(chain) > _LONGEST_CHAIN
        hangs = bool(apart) or chain.startswith(".") or long
        yield found.start(), (f".{last}" if hangs else chain, *([chain] if long else []))


def _named_at(names: AbstractSet[str], text: str) -> list[int]:
    if not names:
        return []
    found = [word.start() for word in _WORD.finditer(text) if word.group() in names]
    for mark in {mark for mark, word in MARKS if word in names}:
        found.extend(_all_at(mark, text))
    return sorted(found)


def _all_at(mark: str, text: str) -> Iterator[int]:
    place = text.find(mark)
    while place >= 0:
        yield place
        place = text.find(mark, place + 1)
