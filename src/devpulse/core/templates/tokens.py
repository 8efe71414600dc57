"""The pieces of expressions in templates, and how the languages of these differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy


@dataclass(frozen=True, slots=True)
class Syntax:
    """How the expressions of a format differ. ``joins``: operators that make one text of two. ``filters``: the mark
    of a filter behind a value. ``commands``: what separates the arguments of a call without brackets, where there are
    such calls. ``requests``: names whose members the client sends.
    """

    joins: frozenset[str] = frozenset({"+"})
    filters: str = ""
    commands: str = ""
    ruby: bool = False
    requests: frozenset[str] = frozenset()


_TOKEN = lazy(
    r"\s+|(?P<text>'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\#]|\\.|#\{[^{}]*+\}|#)*+\"|`(?:[^`\\]|\\.)*+`)|(?P<number>\d[\w.]*)"
    r"|(?P<name>[@$]{0,2}\\?[A-Za-z_]\w*(?:(?:::|\\)[A-Za-z_]\w*)*(?:(?<=\bfn):\w+)?)"
    r"|(?P<operator>\?->|\?\.|&\.|->|=>|===?|!==?|<=>|<=|>=|<<|\|\||&&|\?\?|\?:|\*\*|.)",
    16,  # re.DOTALL
)
_RUBY_END = lazy(r"[?!](?=[\s).,&|\]}]|$)")
_WORDS = {"and": "&&", "or": "||", "not": "!", "in": "==", "is": "==", "instanceof": "==", "eq": "==", "ne": "==",
          "gt": "==", "lt": "==", "xor": "=="}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression. ``kind`` is ``text``, ``number``, ``name`` or ``operator``."""

    kind: str
    text: str
    spaced: bool  # white space stands before it


def tokens_of(text: str, syntax: Syntax) -> Iterator[Token]:
    """The pieces of an expression, in order, without the white space between them."""
    place, spaced = 0, False
    while (match := _TOKEN.match(text, place)) is not None and place < len(text):
        place = match.end()
        kind = match.lastgroup
        if kind is None:
            spaced = True
            continue
        written = match.group()
        if kind == "name":
            if syntax.ruby and (end := _RUBY_END.match(text, place)) is not None:
                place, written = end.end(), written + end.group()
            if written in _WORDS and syntax.commands != " ":
                kind, written = "operator", _WORDS[written]
        yield Token(kind, written, spaced)
        spaced = False
