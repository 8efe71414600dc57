"""The repository's definitions that changed lines call, as a short list of places for a child to look at.

The list is best effort and holds no code: a name, a path, two line numbers. For the resume store it is therefore only
noted that a definition called so stood in that file: stored work becomes stale when it disappears. Where it stands is
not noted, nor how it was found. Whatever a child concludes about a definition it must have loaded first, and that
look-up is noted with its answer; noting lines too would make stored work stale whenever one is added above a callee,
though nothing that was judged has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

from devpulse.core.folders import folder_of
from devpulse.core.kinds import is_function, is_value
from devpulse.core.lazy_pattern import lazy
from devpulse.core.ranking import family_of, remoteness
from devpulse.core.symbols import Found, Symbol

MAX_ROWS = 8
MAX_QUESTIONS = 16
"""Names looked up for one list; a change that calls more is read by its child in any case."""

_AMBIGUOUS = 4
"""More definitions than this of one name, none of them near: most likely a method of the language's own types."""

_NAME = r"[A-Za-z_$][\w$]*[?!]?"
_CALL = lazy(rf"(?:({_NAME})?\s*(?:\?*\.|::|->)\s*)?({_NAME})\s*(?:<[\w\s,.:&<>\[\]]*>)?\(")
_DECORATOR = lazy(rf"@(?:({_NAME})\.)?({_NAME})")
_SENT = lazy(rf"(?:({_NAME})\s*(?:&?\.|::)\s*)?(?<![:@$\"'\w])({_NAME})(?![\w:=]|\s*[=,])")
_COMMENT = lazy(r"\s*(?:#(?!\[)|//|/\*|\*(?:\s|/|$)|--|<!--)")
_OWN = frozenset({"self", "cls", "this", "super", "parent", "static", "$this", "Self"})

_WORDS = """
if elif else unless until while for foreach switch match case when catch except return yield await async throw raise
function func def fn fun class new delete typeof sizeof instanceof assert with and or not in is lambda do end then
begin rescue ensure let var const val pub use using import require include nil null None true false self this super
echo print isset empty array list defer go chan select map make append len cap panic recover copy str int bool float
dict set tuple bytes type repr range zip min max sum any all sorted isinstance issubclass getattr setattr hasattr puts
attr_reader attr_accessor private protected public static module
"""
_METHODS = """
get set add append push pop shift join split strip trim replace format encode decode lower upper startswith endswith
items keys values update copy extend insert remove index count find sort reverse map filter reduce forEach slice
splice concat includes indexOf toString charAt substring toLowerCase toUpperCase then catch finally call apply bind
has delete clear read write close open group match search test exec each select reject to_s to_sym to_i to_a first
last length size empty nil? empty? any? all? none? key? include? start_with? end_with? is_a? kind_of? instance_of?
respond_to? present? blank? frozen? gsub sub tr chomp strip! downcase upcase to_h to_str inspect flatten compact merge
fetch dig dup freeze new unwrap expect clone into iter collect as_ref to_string equals hashCode contains put isEmpty
next Error String
"""
_NOT_CALLED = frozenset(_WORDS.split())
"""Words before a bracket that are the language's own."""

_BUILT_IN_METHODS = frozenset(_METHODS.split())
"""Methods of strings, lists and the like: on any object but one's own they are hardly ever the repository's."""

_UNNAMED = "?"
"""The object of a call when it is no plain name: the result of another call, an element."""

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".d.ts", ".pyi")
_BARE_CALLS = frozenset({"ruby"})
"""Languages that call without brackets."""
_SHORTEST_BARE_CALL = 4
"""Shorter words are nearly always variables."""
_IMPLICIT_RECEIVER = frozenset({"java", "kotlin", "csharp", "cpp", "ruby"})
"""Languages in which a method may be called without naming its object."""


@dataclass(frozen=True, slots=True)
class _Call:
    owner: str
    name: str
    certain: bool = True


class Definer(Protocol):
    """Whoever knows definitions by name; the symbol index, or one file's own."""

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:
        """As ``Resolver.definitions``."""
        ...


@dataclass(frozen=True, slots=True)
class OwnDefinitions:
    """The definitions of the asking file alone: known without reading anything else of the repository."""

    symbols: Sequence[Symbol]

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:
        """Those called so, by name or ``Class.method``; their path is that of the file that asks."""
        rows = [symbol for symbol in self.symbols if f".{symbol.qualified_name}".endswith(f".{name}")]
        return Found(tuple(replace(symbol, path=near or symbol.path) for symbol in rows[:limit]), len(rows))


def called_by(
    lines: Iterable[str], path: str, language: str | None, definer: Definer, in_view: Callable[[Symbol], bool]
) -> tuple[Symbol, ...]:
    """The definitions that code lines of a file call, the likeliest first, at most ``MAX_ROWS``.

    Names that are defined nowhere in the repository, in too many places to say which, or only in tests, are
    left out, as is what ``in_view`` says is shown anyway.
    """
    found: dict[Symbol, int] = {}
    for call in islice(_distinct(call for line in lines for call in _calls(line, language)), MAX_QUESTIONS):
        symbol = _definition(call, path, language, definer)
        if symbol is not None and not in_view(symbol):
            found.setdefault(symbol, _distance(symbol, path))
    return tuple(sorted(found, key=lambda symbol: found[symbol])[:MAX_ROWS])


def _distinct(calls: Iterable[_Call]) -> Iterator[_Call]:
    """Each once; no more lines are read than the questions that are taken need."""
    seen: set[_Call] = set()
    for call in calls:
        if call not in seen:
            seen.add(call)
            yield call


def _calls(line: str, language: str | None) -> Iterator[_Call]:
    # What no match can do without is looked for first.
    patterns = ((_CALL, True, "(" in line), (_DECORATOR, True, "@" in line), (_SENT, False, language in _BARE_CALLS))
    if language is None or not any(possible for _, _, possible in patterns) or _COMMENT.match(line):
        return
    for pattern, certain, possible in patterns:
        if not possible:
            continue
        for match in pattern.finditer(line):
            name, before = match[2], line[match.start() : match.start(2)].strip()
            owner = match[1] or ("" if before in {"", "@"} else _UNNAMED)
            if name in _NOT_CALLED or (name in _BUILT_IN_METHODS and owner not in _OWN and (owner or not certain)):
                continue
            if certain or len(name) >= _SHORTEST_BARE_CALL:
                yield _Call(owner, name, certain)


def _definition(call: _Call, path: str, language: str | None, definer: Definer) -> Symbol | None:
    if call.owner[:1].isupper():
        exact = definer.definitions(f"{call.owner}.{call.name}", near=path, limit=1)
        if exact.rows and not _is_far(exact.rows[0], path):
            return exact.rows[0]

    def fits(symbol: Symbol) -> bool:
        bare = not call.owner and language not in _IMPLICIT_RECEIVER
        return (
            not is_value(symbol.kind)
            and not (bare and symbol.kind == "method")
            and (call.certain or is_function(symbol.kind))
            and not _is_far(symbol, path)
        )

    # Each row asked for may have a file parsed: more than one is asked for only where the first will not do.
    found = definer.definitions(call.name, near=path, limit=1)
    if found.total > 1 and not (found.rows and fits(found.rows[0]) and not _only_declares(found.rows[0])):
        found = definer.definitions(call.name, near=path, limit=3)
    rows = [symbol for symbol in found.rows if fits(symbol)]
    if not rows or (found.total > _AMBIGUOUS and _distance(rows[0], path) > 1):
        return None
    return _with_body(rows, path)


def _with_body(symbols: Sequence[Symbol], path: str) -> Symbol:
    """The nearest that is more than a declaration: not one of an interface or a header, if there is another."""
    first = symbols[0]
    if first.path == path:
        return first
    return next((symbol for symbol in symbols if not _only_declares(symbol)), first)


def _only_declares(symbol: Symbol) -> bool:
    return symbol.path.endswith(_HEADERS) or symbol.start_line == symbol.end_line


def _is_far(symbol: Symbol, path: str) -> bool:
    """Whether a definition is in a test, foreign code or a language that the caller's does not call."""
    return remoteness(symbol.path) > remoteness(path) or family_of(symbol.path) != family_of(path)


def _distance(symbol: Symbol, path: str) -> int:
    if symbol.path == path:
        return 0
    return 1 if folder_of(symbol.path) == folder_of(path) else 2
