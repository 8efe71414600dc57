"""C and C++ before the preprocessor: what a grammar cannot read is blanked out, every offset staying the same.

Annotations by macro (``class API Name``, ``NO_INLINE int f()``) and conditional compilation that cuts through a
definition (an ``#else`` with a second head for the same body) make a parser lose what follows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_WORD = rb"[A-Z_][A-Z0-9_]{2,}+"
_ARGUMENTS = rb"(?:[ \t]*+\((?:[^()\n]|\([^()\n]*+\))*+\))?+"

_CLASS_MACRO = re.compile(
    rb"\b(?:class|struct|union|enum(?:[ \t]++class)?)[ \t]++(" + _WORD + _ARGUMENTS + rb")[ \t\r\n]++"
    rb"(?=[A-Za-z_][\w:]*+(?:<[^\n{;]*>)?[ \t\r\n]*+(?:final\b[ \t\r\n]*+)?[:{])"
)
_SPECIFIERS = rb"static|inline|constexpr|virtual|explicit|const|friend"
_BEGIN = (
    rb"\n[ \t]*+(?:template[ \t]*+<[^\n;{}()]*>[ \t]++)?"
    rb"(?:(?:" + _SPECIFIERS + rb"|extern)[ \t]++)*+"
)
_LEADING = (
    rb"[A-Za-z_][\w:<>,*& \t]{0,150}[ \t\r\n*&](?:[A-Za-z_~][\w:]{0,100}[ \t]{0,4}\(|\([ \t]{0,4}\*)",  # type name(
    rb"(?:" + _SPECIFIERS + rb"|extern|auto|template|operator|class|struct|union|enum)\b",
    rb"~|\w++" + _ARGUMENTS + rb"[ \t\r\n]*+:(?!:)",  # a destructor, a constructor with initialisers
)
_LONG_ARGUMENTS = rb"(?:[ \t]*+\((?:[^(){};]|\([^(){};]*+\))*+\))?+"
_STATEMENTS = (
    re.compile(
        rb"\n[ \t]*+(" + _WORD + _LONG_ARGUMENTS + rb"[ \t]*+;?)[ \t\r]*+(?=//[^\n]*+\n|\n[ \t\r\n]*+[^{ \t\r\n])"
    ),
    re.compile(
        rb"(?:\)|\bconst|\boverride|\bnoexcept|\bfinal)[ \t\r\n]*+("
        + _WORD
        + _ARGUMENTS
        + rb")(?=[ \t\r\n]*+(?:[{;]|:(?!:)))"
    ),
    *[re.compile(_BEGIN + rb"(" + _WORD + _ARGUMENTS + rb")(?=[ \t\r\n]++(?:" + b"|".join(_LEADING) + rb"))")] * 2,
    re.compile(
        rb"\n(?:(?:static|inline|extern|const)[ \t]++)*+(?!(?:static|inline|extern|const|return|typedef)\b)"
        rb"[a-z_]\w*+[ \t*]++(" + _WORD + _ARGUMENTS + rb")(?=[ \t]++[*]*+[A-Za-z_]\w*+[ \t]*+\()"
    ),
    re.compile(rb"\bif[ \t]++(" + _WORD + rb")(?=[ \t]*+\()"),
    re.compile(rb"(,[ \t\r\n]*+" + _WORD + _ARGUMENTS + rb")(?=[ \t\r\n]*+>)"),
)
"""Macros that stand alone, behind a head, before one (one or two), in one, behind ``if``, among type parameters."""

_TEXT = re.compile(
    rb"//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.){1,8}+'", re.DOTALL
)
_DIRECTIVE = re.compile(rb"^[ \t]*+#[ \t]*+(\w++)((?:[^\\\n]|\\(?:\r?\n)?)*+)", re.MULTILINE)

NESTING = 30
"""Conditionals in conditionals; deeper nesting is hostile, and each level is read again."""

_VISIBLE = re.compile(rb"[^\s\\]|\\(?!\r?\n)")


@dataclass(slots=True)
class _Conditional:
    """An ``#if`` with its branches: directives as (start, end), and whether the first branch never holds."""

    never: bool
    directives: list[tuple[int, int]] = field(default_factory=list)

    def branches(self) -> list[tuple[int, int]]:
        """The spans between the directives."""
        return [(one[1], two[0]) for one, two in zip(self.directives, self.directives[1:], strict=False)]


def masked(source: bytes, *, broken: bool) -> bytes:
    """The source, as long as before, without annotating macros; of a broken tree also without what cuts definitions.

    An undamaged tree is wrong only where a macro stands in a class's head.
    """
    spans = [match.span(1) for match in _CLASS_MACRO.finditer(source)]
    if not broken:
        return _blanked(source, spans) if spans else source
    texts = [match.span() for match in _TEXT.finditer(source)]
    plain = _blanked(source, texts)
    return unannotated(_blanked(source, [*spans, *_cutting(plain), *_in_macros(source, plain, texts)]))


def unannotated(source: bytes) -> bytes:
    """The source, as long as before, without annotating macros."""
    source = b"\n" + source  # every line of a pattern begins with a line feed
    for pattern in _STATEMENTS:
        source = _blanked(source, [match.span(1) for match in pattern.finditer(source)])
    return source[1:]


def _blanked(source: bytes, spans: list[tuple[int, int]]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for start, end in sorted(spans):
        if end > at:
            parts += [source[at : max(start, at)], _VISIBLE.sub(b" ", source[max(start, at) : end])]
            at = end
    return b"".join([*parts, source[at:]])


def _cutting(plain: bytes) -> Iterator[tuple[int, int]]:
    """What to blank of the conditionals that cut through a definition or statement: all but one branch."""
    for conditional in _conditionals(plain):
        branches = conditional.branches()
        if all(_is_whole(plain[start:end]) for start, end in branches):
            continue
        kept = 1 if conditional.never and len(branches) > 1 else 0
        yield from conditional.directives
        yield from (branch for number, branch in enumerate(branches) if number != kept)


def _in_macros(source: bytes, plain: bytes, texts: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The comments in macros of several lines: the grammar ends a macro's value there."""
    comments = [span for span in texts if source.startswith((b"/*", b"//"), span[0])]
    at = 0
    for match in _DIRECTIVE.finditer(plain):
        if match[1] != b"define" or b"\n" not in match[0]:
            continue
        while at < len(comments) and comments[at][0] < match.start():
            at += 1
        while at < len(comments) and comments[at][1] <= match.end():
            yield comments[at]
            at += 1


def _conditionals(plain: bytes) -> Iterator[_Conditional]:
    open_ones: list[_Conditional] = []
    for match in _DIRECTIVE.finditer(plain):
        word = match[1]
        if word in {b"if", b"ifdef", b"ifndef"}:
            if len(open_ones) >= NESTING:
                return
            open_ones.append(_Conditional(never=match[2].strip() == b"0", directives=[match.span()]))
        elif open_ones and word in {b"else", b"elif", b"elifdef", b"elifndef"}:
            open_ones[-1].directives.append(match.span())
        elif open_ones and word == b"endif":
            open_ones[-1].directives.append(match.span())
            yield open_ones.pop()


def _is_whole(branch: bytes) -> bool:
    """Whether a branch holds whole definitions or statements only."""
    code = _DIRECTIVE.sub(b"", branch).rstrip()
    if not code:
        return True
    even = code.count(b"{") == code.count(b"}") and code.count(b"(") == code.count(b")")
    return even and code.endswith((b";", b"}", b",", b":"))
