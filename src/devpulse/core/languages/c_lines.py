"""How a definition looks in one line of C or C++, without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from devpulse.core.languages.folding import fold
from devpulse.core.languages.heads import Head

_WORDS_OF_STATEMENTS = (
    "if else for while do switch case default return goto break continue sizeof typeof alignof alignas defined catch"
    " try throw new delete requires static_assert public private protected operator and or not asm"
)
_WORDS_OF_TYPES = (
    "void int char short long float double signed unsigned bool auto const volatile static extern inline struct class"
    " union enum typedef using namespace template typename decltype noexcept __attribute__ __declspec"
)
KEYWORDS = frozenset(f"{_WORDS_OF_STATEMENTS} {_WORDS_OF_TYPES}".split())
"""Words that are never the name of a definition; error recovery and line patterns take them for one."""

_BYTES = frozenset(word.encode() for word in KEYWORDS)
_NAME = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"

_DEFINE = re.compile(rb"\n[ \t]*+#[ \t]*+define[ \t]++(" + _NAME + rb")")
_TEMPLATE = rb"(?:template[ \t]*+<[^\n{;]*>[ \t]*+)?"
_TYPE = re.compile(
    rb"\n[ \t]*+" + _TEMPLATE + rb"(?:\w++[ \t]++){0,4}?"
    rb"(?:(?:struct|class|union|enum|namespace|concept)\b"
    rb"[ \t]*+((?:[\w: \t]|\[\[[^\]\n]*+\]\]|\((?:[^()\n]|\([^()\n]*+\))*+\))++)(?=[{=\n\r<,/])"
    rb"|using[ \t]++(" + _NAME + rb")[ \t\r\n]*+=)"
)
_TYPEDEF = re.compile(
    rb"\n[ \t]*+(?:typedef\b([^;{}]{1,1000}+)(?:;|\{[^{}\n]*+\}([^;{}\n]*+);)"
    rb"|\}(?:([^;{}()=\n]{1,300}+)(?=[;=])|([ \t]*+__\w++[^;{}\n]{1,300}+);))"
)
_CALLED = re.compile(rb"(~?" + _NAME + rb")[ \t]*+\(")
_OPERATOR = re.compile(
    rb"operator[ \t]*+(?:(\(\)|\[\]|\"\"[ \t]*+\w++|[^\s\w(\[\":]{1,3}"
    rb"|(?:new|delete|co_await)\b(?:[ \t]*+\[\])?)[ \t]*+\("
    rb"|((?:const\b)?[^\n(;{}]{1,90}(?:\([^\n()]{0,60}\)[^\n(;{}]{1,30})?)\([ \t]*+\))"
)
_VALUE = re.compile(rb"\n(?=[A-Za-z_])([^;{}()=\n]++(?:\([^\n()]*+\)[^;{}()=\n]*+)?)(?=[=;{])")
_INNER_VALUE = re.compile(
    rb"\n[ \t]++(?=[A-Za-z])((?:[\w:<>*&,\[\]]++[ \t]++)+" + _NAME + rb")[ \t]*+(?:\[[^\]\n]*+\][ \t]*+)*+(?=[={])"
)
_POINTED = re.compile(
    rb"\([ \t]*+(?:" + _NAME + rb"[ \t]++)?\*[ \t*]*+(" + _NAME + rb")[ \t]*+(?:\[[^\]\n]*+\][ \t]*+)?(?:\)[ \t]*+)?\("
)
_PARAMETERS = re.compile(rb"[ \t]*+\((?:\)|(?:const[ \t]++)?[\w:<>]++[ \t*&]++\w++[ \t]*+[,)=])")
_MORE = re.compile(rb",[ \t*]*+(" + _NAME + rb")[ \t]*+(?=[=,;\[])")
_WORDS = re.compile(_NAME)
_LAST = re.compile(rb"(" + _NAME + rb")[ \t\r\n]*+(?:\[[^\]]*+\][ \t\r\n]*+)*+(?=,|\Z|:)")
_POINTER = re.compile(
    rb"\([ \t]*+(?:[ \t]*+(?:"
    + _NAME
    + rb"[ \t]++)?(?:"
    + _NAME
    + rb"::)?[*^&][ \t*]*+(?:const[ \t]++)?)?("
    + _NAME
    + rb")[ \t]*+\)?"
)

_MARGIN = re.compile(rb"\n(?=[A-Za-z_~]|::)([^\n;=#(]*+\([^\n]*+)")
_INDENTED = re.compile(
    rb"\n[ \t]++(?!(?:return|else|case|throw|new|delete|if|for|while"
    rb"|switch|do|goto|sizeof|catch|using|typedef|co_\w+)\b)"
    rb"(?=[A-Za-z_~]|::)((?:[^\n;=().?!\"+|]|\.\.\.)*+\([^\n]*+)"
)


def scan(buffer: bytes | bytearray, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines of C or C++ text that likely define something; prototypes over several lines also match."""
    begin = max(start - 1, 0)
    for match in _DEFINE.finditer(buffer, begin, end):
        yield match.start(1), match[1]
    yield from _types(buffer, begin, end)
    for pattern in (_MARGIN, _INDENTED):
        for match in pattern.finditer(buffer, begin, end):
            yield from _called(match, indented=pattern is _INDENTED)
    for match in _OPERATOR.finditer(buffer, begin, end):
        name = operator_name((match[1] or match[2]).decode("utf-8", errors="replace"))
        yield match.start(), name.encode("utf-8", errors="replace")
    yield from _values(buffer, begin, end)


def _types(buffer: bytes | bytearray, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    for match in _TYPE.finditer(buffer, begin, end):
        if match[2] is not None:
            yield match.start(2), match[2]
        elif b":" in match[1] or not buffer.startswith(b",", match.end()):
            yield from _words(match, 1)
    for match in _TYPEDEF.finditer(buffer, begin, end):
        group = match.lastindex or 0
        yield from _declared(match, group, (_POINTER, _LAST, _CALLED) if group in {1, 4} else (_LAST,))


def _values(buffer: bytes | bytearray, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    for match in _VALUE.finditer(buffer, begin, end):
        yield from _declared(match, 1, (_POINTED, _LAST))
        for more in _MORE.finditer(buffer, match.end(), buffer.find(b"\n", match.end(), end)):
            yield more.start(1), more[1]
    for match in _INNER_VALUE.finditer(buffer, begin, end):
        yield from _declared(match, 1, (_POINTED, _LAST))


@cache
def _heads() -> re.Pattern[bytes]:
    return re.compile(
        rb"\n(?:[ \t]*+" + _TEMPLATE + rb"(?:typedef[ \t]++)?(struct|class|union|enum)"
        rb"(?:[ \t]++class)?[ \t]++(?:[A-Z_]{3,}+[ \t]++)?(" + _NAME
        + rb")(?:[ \t]++final\b)?[ \t]*+(?:[:<][^;(){}\n]*+)?(?=[ \t\r\n]*+[{:])"
        + rb"|(?=[A-Za-z_])((?:[\w:<>,*&~ \t]|\[\[[^\]\n]*+\]\])*?)(?<![\w:~])((?:" + _NAME + rb"::)*+(~?" + _NAME
        # A macro around a type is no function: ``EXPORT_API(int) f(void)``.
        + rb"))[ \t]*+\((?![^\n]*;[ \t\r]*\n)(?![^()\n]*+\)[ \t*&]*+" + _NAME + rb"[ \t]*+\())"
    )  # fmt: skip


def heads(source: bytes) -> Iterator[Head]:
    """The first lines of types, and of functions at the margin."""
    for match in _heads().finditer(b"\n" + source):
        if match[1] is not None:
            yield Head((_text(match[2]),), match[1].decode(), match.start(2) - 1)
        elif match[5] not in _BYTES and _first_word(match[3]) not in _NO_TYPES:
            names = tuple(part for part in _text(match[4]).split("::") if part)
            yield Head(names, "method" if len(names) > 1 else "function", match.start(5) - 1)


def operator_name(text: str) -> str:
    """An operator's name as it is searched for: ``operator==``, ``operator bool``, ``operator const T&``."""
    plain = fold(text, 100).removeprefix("operator").strip()
    for sign in "*&":
        plain = plain.replace(f" {sign}", sign)
    return f"operator {plain}" if plain[:1].isalpha() or plain[:1] in "_:" else "operator" + plain.replace(" ", "")


_NO_DECLARATIONS = frozenset({b"return", b"goto", b"using", b"typedef", b"delete", b"throw"})
_NO_TYPES = frozenset({b"return", b"else", b"case", b"goto", b"typedef", b"using", b"throw", b"new", b"delete"})


def _first_word(text: bytes) -> bytes:
    return text.split(None, 1)[0] if text.strip() else b""


def _text(name: bytes) -> str:
    return name.decode("utf-8", errors="replace")


def _words(match: re.Match[bytes], group: int) -> Iterator[tuple[int, bytes]]:
    """The names in a head; what follows a colon or the template arguments are others' names."""
    text = re.split(rb"<|(?<!:):(?!:)", match[group], maxsplit=1)[0]
    for word in _WORDS.finditer(text):
        if word[0] not in _BYTES:
            yield match.start(group) + word.start(), word[0]


def _declared(match: re.Match[bytes], group: int, patterns: Sequence[re.Pattern[bytes]]) -> Iterator[tuple[int, bytes]]:
    """The names of a declaration: the last word before each comma, or the one behind a pointer's bracket."""
    text = match[group]
    base = match.start(group)
    if _first_word(text) in _NO_DECLARATIONS:
        return
    for pattern in patterns:
        for found in pattern.finditer(text):
            if found[1] not in _BYTES:
                yield base + found.start(1), found[1]


def _called(match: re.Match[bytes], *, indented: bool) -> Iterator[tuple[int, bytes]]:
    """The names before brackets in a line that is not a statement."""
    line = match[1].rstrip()
    if not indented:
        yield from ((match.start(1) + found.start(1), found[1]) for found in _POINTED.finditer(line))
    if line.endswith(b";") and not line.endswith((b"= 0;", b"=0;", b"default;", b"delete;", b"};", b"} ;")):
        return
    for called in _CALLED.finditer(line):
        before = line[: called.start(1)]
        if indented and before.count(b"<") > before.count(b">"):
            continue  # a type of a template's: std::function<R(A)> f()
        if called[1] not in _BYTES:
            if indented and not line[: called.start(1)].strip(b" \t:~") and not _constructs(line, called.end(1)):
                return
            yield match.start(1) + called.start(1), called[1]
        if indented:
            return


def _constructs(line: bytes, at: int) -> bool:
    """Whether a line that starts with a call may be a constructor's: it has a body or parameters with types."""
    if line.endswith((b"{", b"}", b":", b"default;", b"delete;")):
        return True
    return _PARAMETERS.match(line, at) is not None
