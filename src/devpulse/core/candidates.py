"""Which files may define a name: by the name table where it is complete, by word search where it is not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from devpulse.core.corpus import Corpus
from devpulse.core.languages import LANGUAGES
from devpulse.core.lazy_pattern import lazy
from devpulse.core.symbols import Symbol

_ROUTE = lazy(r"[A-Z]+ (\S.*)")
_SEPARATOR = lazy(r"\.|::|\\|->(?=\w)|(?<=\w)#(?=\w)")
"""Between a name and its owners: ``Class.method``, ``Class::method``, ``A\\B``, ``$a->b``, ``Class#method``."""

_RECEIVERS = frozenset({"self", "cls", "this", "$this", "static"})
_ABOVE = frozenset({"super()", "super", "parent", "base"})
_SUPER = lazy(r"super\(\s*(\w+)\s*(?:,\s*\w+\s*)?\)\.")
_EXTENDING = re.compile(rb"\b(?:fun|va[lr])[ \t]")
_NEVER_AFTER_A_DEFINED_NAME = frozenset(b",;)].+-*/&|}")


def complete_languages(corpus: Corpus) -> list[str]:
    """The languages there whose scan finds practically every definition."""
    return [name for name in _languages(corpus) if LANGUAGES.scan_is_complete(name)]


def searched_languages(corpus: Corpus) -> list[str]:
    """The other languages there: every file with the word may define it."""
    return [name for name in _languages(corpus) if not LANGUAGES.scan_is_complete(name)]


def _languages(corpus: Corpus) -> list[str]:
    return [name for name, (start, end) in corpus.groups.items() if name and start < end]


@dataclass(frozen=True, slots=True)
class Question:
    """A name as asked: ``name`` alone, with the names it is qualified by, or a route (``GET /x``).

    ``on_itself``: it was asked of the object at hand (``self.name``); ``above``: of the classes that the object's
    class, or the class ``owners`` names, is built on (``super().name``).
    """

    name: str
    owners: tuple[str, ...]
    word: bytes
    is_route: bool
    on_itself: bool = False
    above: bool = False

    def accepts(self, symbol: Symbol) -> bool:
        """Whether a symbol has this name and stands in a class, function or module called like its owners."""
        if symbol.name != self.name:
            return False
        if not self.owners:
            return True
        module, names = module_parts(symbol.path), symbol.qualified_name.split(".")
        if (*module, *names[:-1])[-len(self.owners) :] == self.owners:
            return True
        # A file called like the class in it is no namespace of its own: ``app/Models/User.php``.
        around = tuple(part.lower() for part in (*module[:-1], *names[:-1]))
        wanted = tuple(owner.lower() for owner in self.owners)
        return module[-1:] == (names[0],) and around[-len(wanted) :] == wanted


def ask(text: str) -> Question:
    """Read a name as people and models write it: with call brackets, a receiver, owners."""
    plain = text.strip().removesuffix("()").strip()
    route = _ROUTE.fullmatch(plain)
    if route:
        return Question(plain, (), route.group(1).encode("utf-8", errors="replace"), is_route=True)
    of_class = _SUPER.match(plain)
    parts = [part for part in _SEPARATOR.split(_SUPER.sub(r"\1.", plain, count=1) if of_class else plain) if part]
    above = of_class is not None or (len(parts) == 2 and parts[0] in _ABOVE)
    on_itself = len(parts) == 2 and parts[0] in _RECEIVERS
    if len(parts) > 1 and parts[0] in _RECEIVERS | _ABOVE:
        parts = parts[1:]
    name = parts[-1] if parts else ""
    word = name.encode("utf-8", errors="replace")
    return Question(name, tuple(parts[:-1]), word, is_route=False, on_itself=on_itself, above=above)


def candidate_files(corpus: Corpus, defined: Iterable[int], question: Question) -> dict[int, int]:
    """File numbers with how many definition lines of the name each shows; 0 means that it may still define it.

    ``defined`` are the offsets of the name's definition lines in the languages whose scan is complete.
    """
    files: dict[int, int] = {}
    for offset in defined:
        number = corpus.file_at(offset)
        files[number] = files.get(number, 0) + 1
    for language in searched_languages(corpus):
        start, end = corpus.groups[language]
        for offset in corpus.words(question.word, start, end):
            if question.is_route or _could_define(corpus.buffer, offset, offset + len(question.word)):
                number = corpus.file_at(offset)
                files[number] = files.get(number, 0) + _shows_definition(corpus, language, offset, question)
    if not question.owners:
        return files
    owner = question.owners[-1]
    return {number: shown for number, shown in files.items() if _mentions(corpus, number, owner)}


def _mentions(corpus: Corpus, number: int, owner: str) -> bool:
    if owner in module_parts(corpus.paths[number]):
        return True
    word = owner.encode("utf-8", errors="replace")
    return next(corpus.words(word, corpus.starts[number], corpus.end(number)), None) is not None


def _could_define(buffer: bytearray, start: int, end: int) -> bool:
    """A cheap look at the characters around a word: ``x.name(`` and ``name,`` define nothing, ``fun X.name(`` does."""
    after = bytes(buffer[end : end + 8]).lstrip(b" \t\r\n")
    if start and buffer[start - 1] == ord("."):
        before = bytes(buffer[buffer.rfind(b"\n", 0, start) + 1 : start])
        return (after[:1] == b"=" and after[1:2] not in (b"=", b">")) or _EXTENDING.search(before) is not None
    return not after or after[0] not in _NEVER_AFTER_A_DEFINED_NAME


def _shows_definition(corpus: Corpus, language: str, offset: int, question: Question) -> int:
    if question.is_route:
        return 1
    line = b"\n" + corpus.line_at(offset) + b"\n"
    return int(any(name == question.word for _, name in LANGUAGES.scan_of(language)(line, 1, len(line))))


def module_parts(path: str) -> tuple[str, ...]:
    """The dotted name of a module as parts; a package's own file stands for its folder."""
    folders = path.split("/")
    stem = folders.pop().split(".", 1)[0]
    return tuple(folders) if stem in {"__init__", "index"} else (*folders, stem)
