"""Which sinks a text may call, by the calls that are written in it: cheap, and asked before it is parsed.

In Python a sink is told by what stands before the bracket of a call, and that is read here as the syntax tree would
give it, or as something that more sinks match. Comments and strings are read too, which only asks for more. Other
languages call in more ways: there a word of a sink counts unless what follows it is no call, or one given no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from devpulse.core.given import Given, given_at
from devpulse.core.imports import imported_callee, imported_names
from devpulse.core.knowledge import knowledge_of
from devpulse.core.knowledge.model import MARKS, Knowledge, Sink, words_of
from devpulse.core.languages.php_words import OWN_FUNCTIONS
from devpulse.core.lazy_pattern import lazy

_CALL = lazy(r"([\w.](?<![\w.].)(?<!\bdef .)[\w.]*+)(?:\(|(?=[\s\\#])(?:[\s\\]++|#[^\n]{0,500}+){0,20}+\()")
"""A call, no definition. Comments before its bracket are bounded: each word in them is looked at in the same way."""

_APART = lazy(r"\.[\s\\]++")
"""What a name hangs on from which it is set apart."""

_OF_TABLE = lazy(r"(?<![\w.])([\w.]++)\[\s*[\"']([A-Za-z_]\w*(?:\.\w+)+)[\"']\s*\]\s*\(")
"""A function taken out of a table by its dotted name: ``__salt__["cmd.run"](…)`` is the callee ``__salt__.cmd.run``."""

TARGETED = frozenset({"Thread", "Process"})
"""Of these, those that are told the function by a name: ``target=``."""

WRAPPING = frozenset({"sync_to_async", "database_sync_to_async", "partial"})
"""Of these, those that give back a function that calls the one they are given."""

HANDING = TARGETED | WRAPPING | frozenset({
    "to_thread", "run_in_executor", "run_sync", "run_in_threadpool", "submit", "apply_async", "apply", "Timer", "map",
    "imap", "imap_unordered", "map_async", "starmap", "add_task", "start_soon", "call_soon", "call_later", "spawn",
    "deferToThread", "deferLater",
})  # fmt: skip
"""Functions that call the function they are given, with what they are given behind it."""

_TAKEN = lazy(r"\](?<=[\"'\s]\])\s*\(")
"""What a text with such a call has: looked for in a fortieth of the time."""

_TARGET = lazy(r"\btarget\s*+=\s*+([\w.]++)")
_BRACKET = lazy("[()]")
_FARTHEST_TARGET = 500
"""Characters behind the bracket in which a thread is told what it calls."""

_HANDED = lazy(r"\s*+([\w.]++)(?:\(\s*+\))?+\s*+(?:,\s*+([\w.]++)\s*+[,)])?+")
"""The first two arguments: one of them is the function, the other perhaps who shall call it."""

_ROUTE = lazy(r"(?m)^[ \t]*@[ \t]*(?:[\w.]++[\s\\]*+\(|[\w.]*expose|register\.tag)")
"""A decorator that may say what the function under it answers: one with arguments, ``@expose``, ``@register.tag``."""

_ANSWERS = lazy(
    r"format_exc|escape\(|web(?<=\bweb)\.input\(|_argument\(|statusCode(?<=\bstatusCode)\b"
    r"|req(?<=\breq)(?:uest)?\.(?:args|form|values|GET|POST|REQUEST|params|query_params)\b"
)
"""What functions have whose answers are looked at without a decorator. Each way begins with a letter, not with the
bound of a word: the search then passes over what does not begin one five times as fast."""

_TAGS = lazy(
    r"<(?:[abip]|abbr|audio|button|code|div|em|h[1-6]|iframe|img|input|label|li|object|option|pre|script|select|"
    r"small|span|strong|t[dhr]|table|textarea|ul|video)[ />]|def \w{0,40}html\w{0,20}\("
)
"""Tags of parts of pages, which a function may make, and functions that are called so."""

_WORD = lazy(r"\w{1,80}")
_INTERPOLATING = frozenset({"php", "ruby"})
"""Languages whose texts between double quotes may have values in them."""

_BRACKETED = frozenset({"javascript", "typescript", "tsx", "java", "go"})
_CALLS = lazy(r"\s*+(?:[(`<?.!\[)\]\"']|::|/[/*])|\{")
"""What may follow the name of a function that is called, in languages that call with brackets: ``(0, m.exec)(x)``."""

_STATEMENTS = frozenset({"echo", "print", "include", "include_once", "require", "require_once"})
"""What PHP gives the whole expression behind it, of which a bracket is a part only: ``echo ("a") . $b``."""

_LONGEST_CHAIN = 100
"""Characters; of longer chains the syntax tree may give only the last name."""


Kinds = frozenset[tuple[str, str]]
"""Categories, each with one of its kinds of sinks."""

NONE = Kinds()


@lru_cache(maxsize=8)
def sinks_written(language: str, text: str) -> Kinds:
    """Category and kind of each sink that a text may call; none for a language of which nothing is known."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return frozenset()
    found = NONE.union(*(kinds for _, kinds in _sinks_at(language, text)))
    if language != "python" or _ROUTE.search(text) or _ANSWERS.search(text) or _TAGS.search(text):
        found |= kinds_of(sink for sinks in knowledge.answers.sinks_in(text).values() for sink in sinks)
    return found


def sinks_at(language: str, text: str, wanted: Kinds) -> list[int]:
    """Where a text may call a sink of one of these categories and kinds: numbers of characters, in order.

    What a function gives back is not looked for.
    """
    return sorted(place for place, kinds in _sinks_at(language, text) if not wanted.isdisjoint(kinds))


def is_sink(language: str, text: str, callee: str) -> bool:
    """Whether a dotted callee of a text is a sink of any category."""
    knowledge = knowledge_of(language)
    return knowledge is not None and bool(knowledge.every_sink_of(callee, imported_callee(language, text, callee)))


def kinds_of(sinks: Iterable[Sink]) -> Kinds:
    """Category and kind of each of the sinks."""
    return frozenset((sink.category, sink.kind) for sink in sinks)


@lru_cache(maxsize=8)
def _sinks_at(language: str, text: str) -> tuple[tuple[int, Kinds], ...]:
    """The places of a text that may be calls of sinks, with category and kind of these."""
    knowledge = knowledge_of(language)
    if knowledge is None:
        return ()
    if language == "python":
        return (*_sinks_called(knowledge, text), *_sinks_named(language, text, knowledge.setters.sinks_in(text)))
    text = _in_own_case(text) if language == "php" else text
    named = dict(knowledge.sinks_in(text))
    for bound, meant in imported_names(language, text).items():
        other = named.get(meant.name or meant.module.rpartition(".")[2])
        if other is not None:
            named[bound] = (*named.get(bound, ()), *other)
    return tuple(_sinks_named(language, text, named))


def _in_own_case(text: str) -> str:
    """A PHP text with the words of the language in small letters, as the adapter gives them; every place stays."""
    odd = sorted(word for word in words_of(text) if not word.islower() and word.lower() in OWN_FUNCTIONS)
    if not odd:
        return text
    return re.sub(rf"(?<![\w$>:])(?:{'|'.join(odd)})\b", lambda word: word.group().lower(), text)


def _sinks_called(knowledge: Knowledge, text: str) -> Iterator[tuple[int, Kinds]]:
    """Each call of a Python text that may be one of a sink."""
    written = words_of(text)

    @cache
    def meant(callee: str) -> list[Sink]:
        sinks = knowledge.every_sink_of(callee, imported_callee("python", text, callee))
        return [
            sink
            for sink in sinks
            if (not sink.word or sink.word in written) and all(item.keyword in written for item in sink.needs)
        ]

    @cache
    def kinds(callee: str, given: Given) -> Kinds:
        return kinds_of(sink for sink in meant(callee) if given.may_reach(sink))

    for place, callees, end in _calls(text):
        if any(map(meant, callees)):  # few calls are of anything that is known
            given = given_at(text, end) if end else Given.ANYTHING
            found = NONE.union(*(kinds(callee, given) for callee in callees))
            if found:
                yield place, found


def _calls(text: str) -> Iterator[tuple[int, tuple[str, ...], int]]:
    """Each call of a Python text, with the callees that it may have and where its arguments begin, or 0."""
    for found in _OF_TABLE.finditer(text) if _TAKEN.search(text) else ():
        yield found.start(), (f"{found[1]}.{found[2]}",), 0
    apart = {dot.end() for dot in _APART.finditer(text)}
    for found in _CALL.finditer(text):
        chain, start = found[1], found.start()
        last = chain[chain.rfind(".") + 1 :]
        long = len(chain) > _LONGEST_CHAIN
        if last in HANDING and (handed := _handed(last, text, found.end())):
            yield start, handed, 0
        hangs = chain[0] == "." or long or start in apart
        yield start, (f".{last}" if hangs else chain, *([chain] if long else ())), found.end()


def _handed(last: str, text: str, start: int) -> tuple[str, ...]:
    """The functions that one that calls others may be given, in the arguments that begin there."""
    if last not in TARGETED:
        given = _HANDED.match(text, start)
        return tuple(filter(None, given.groups())) if given is not None else ()
    target = _TARGET.search(text, start, start + _FARTHEST_TARGET)
    depth = 0
    for bracket in _BRACKET.finditer(text, start, target.start() if target is not None else start):
        depth += 1 if bracket.group() == "(" else -1
        if depth < 0:
            return ()
    return (target[1],) if target is not None else ()


def _sinks_named(language: str, text: str, named: Mapping[str, tuple[Sink, ...]]) -> Iterator[tuple[int, Kinds]]:
    """Each word of a text that is the name of a sink, unless what follows it keeps values out."""
    if not named:
        return

    @cache
    def kinds(name: str, given: Given | None) -> Kinds:
        return kinds_of(
            sink
            for sink in named[name]
            if not sink.pattern.endswith(".return")
            and (sink.pattern.endswith("=") or (given is not None and given.may_reach(sink)))
        )

    for word in _WORD.finditer(text):
        if word.group() in named:
            stated = language == "php" and word.group() in _STATEMENTS
            found = kinds(word.group(), Given.ANYTHING if stated else _given_behind(language, text, word.end()))
            if found:
                yield word.start(), found
    for mark, name in MARKS:
        if name in named:
            yield from ((place, kinds(name, Given.ANYTHING)) for place in _all_at(mark, text))


def _given_behind(language: str, text: str, end: int) -> Given | None:
    """What a word is given that ends there, if it is called; ``None`` if it is not."""
    if not text.startswith("(", end):
        return Given.ANYTHING if language not in _BRACKETED or _CALLS.match(text, end) else None
    given = given_at(text, end + 1, interpolates=language in _INTERPOLATING)
    # Elsewhere than in Python ``name = value`` is an assignment, which gives a value.
    return Given.ANYTHING if given is Given.KEYWORDS else given


def _all_at(mark: str, text: str) -> Iterator[int]:
    place = text.find(mark)
    while place >= 0:
        yield place
        place = text.find(mark, place + 1)
