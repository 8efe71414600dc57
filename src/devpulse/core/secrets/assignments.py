"""Values given to, compared with or paired with a name that says it is a secret, in any language or format.

A name is looked for first and judged; only behind a telling one is the syntax read. So the many lines that hold a
word such as ``token`` cost little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.lazy_pattern import lazy
from devpulse.core.secrets.convincing import confidence_of
from devpulse.core.secrets.model import Span
from devpulse.core.secrets.names import NameKind, kind_of_name

NAME_HINTS = ("pass", "pwd", "secret", "token", "key", "auth", "cred", "pw")
"""Lower-case pieces of which one stands in every telling name."""

_REACH = 700
"""How many characters after a name are read."""

_NAME = lazy(r"[A-Za-z_$][\w.$-]{1,80}")
_LITERAL = (
    r"@?[rbuRBULfF$]{0,2}#?(?:\"\"\"(?P<triple>[^\"\n]{1,400})\"\"\"|\\{1,3}\"(?P<escaped>[^\"\\\n]{1,400})\\{1,3}\"|"
    r"\"(?P<double>(?:[^\"\\\n]|\\.){1,400})\"|'(?P<single>(?:[^'\\\n]|\\.){1,400})'|`(?P<back>[^`\\\n]{1,400})`)"
)
_CLOSED = r"(?P<close>\\{0,3}[\"'`]?)[ \t]{0,4}[\])]{0,2}"
_TYPED = (
    r"(?:(?<![\])])[ \t]{0,4}:[ \t]{0,4}[\w\[\]|?., &<>']{1,40}(?==)|[ \t]{1,4}\*?(?:string|String|str)\b|"
    r"\[\d{0,5}\])?"
)
_QUOTED = lazy(
    _CLOSED + _TYPED + r"[ \t]{0,40}(?P<operator>===?|!==?|=>|:{1,3}=|\?\?=|\|\|=|[?.+]=|\|\||\?\?|=|:|\bor\b|,)"
    r"[ \t]{0,20}(?:\[\]byte)?[(\[]?(?:[ \t]{0,4}default[ \t]{0,2}=[ \t]{0,2})?" + _LITERAL
)
_CALLED = lazy(r"(?P<operator>\()[ \t]{0,4}" + _LITERAL + r"[ \t]{0,4}\)")
_PAIRED = lazy(  # {"name": "db_password", "value": "x"}, <add key="password" value="x"/>, - name: X / value: "x"
    r"\\?[\"']?[ \t]{0,4},?[ \t]{0,4}(?:\r?\n[ \t]{1,40}|(?<=[\"'])[ \t]{0,4}|[ \t]{1,4})\{?(?:\r?\n[ \t]{1,40})?"
    r"[\"']?(?:value|default|content)[\"']?[ \t]{0,4}(?P<operator>[:=])[ \t]{0,4}" + _LITERAL
)
_ELEMENT = lazy(r"[\"']?(?:[ \t][^<>\n]{0,100})?>\s{0,40}(?P<element>[^<>\s]{1,300})\s{0,40}</")
_PARAMETER = lazy(r"=(?P<parameter>[^&\s\"'`<>#;]{4,300})")
_HEADER = lazy(r":[ \t]{1,4}(?P<header>[^\s\"'`;,]{6,300})[\"'`]")
_WHOLE_LINE = lazy(r"[\"']?[ \t]{0,20}(?P<operator>::?:?=|\?=|=>?|:)[ \t]{0,20}(?P<line>[^\s\"'`][^\n\"'`]{0,300})")
_BARE = lazy(
    r"(?:[\"']?[ \t]{0,20}(?P<operator>::?:?=|\?=|=>?|:)[ \t]{0,20}|[ \t]{1,4}(?=\S))"
    r"(?P<bare>[^\s\"'`#;,{}\[\]()<>$&|=:][^\s\"'`;,]{0,300})"
)
_BLOCK = lazy(r":[ \t]{0,4}[|>][-+]?[ \t]{0,4}\r?\n[ \t]{1,40}(?P<block>\S{1,300})")
_BACKWARDS = lazy(_LITERAL + r"[ \t]{0,4}(?P<operator>===?|!==?)[ \t]{0,4}(?P<name>[A-Za-z_$][\w.$-]{1,80})")
_VALUES = ("triple", "escaped", "double", "single", "back", "element", "parameter", "header", "line", "bare", "block")

_CODE_FILES = lazy(
    r"(?i)\.(?:py[iwx]?|[cm]?[jt]sx?|java|kts?|go|rb|php\d?|cs|[ch]|cc|cpp|cxx|hh?|hpp|rs|swift|scala|vue|svelte|html?|css|"
    r"s[ac]ss|less|sql|dart|lua|p[lm]|r|mm?|exs?|erl|hs|clj|groovy|gradle|fs|vb|jl|nim|zig|sol|svg|ipynb)$"
)
_LINE_FILES = lazy(
    r"(?i)(?:^|/)(?:[^/]*\.env(?:\.[\w-]+)?|[^/]*\.(?:properties|ini|cfg|conf|ya?ml|toml|tfvars|envrc))$"
)
_LOCK_FILES = lazy(
    r"(?i)(?:^|/)(?:[^/]*\.lock|[^/]*-lock\.(?:json|ya?ml)|go\.sum|npm-shrinkwrap\.json|[^/]*\.min\.js|[^/]*\.map)$"
)
_ALTERNATIVE = lazy(r"\$\{\w+:?[+?]")
"""In a shell, what stands for a value that is set, or is said when it is not: ``${TOKEN:+yes}``."""

_SETTER = lazy(r"(?:^|\.)(?:(?i:set|with|use)_?\w{2,40}|password|passwd|secret|token|apiKey|api_key)$")
_PAIR = lazy(
    r"(?i)(?:getenv|environ\.get|env|config|define|get|setdefault|put|setenv|putenv|setProperty|set|header|setHeader|append|add)"
    r"\([ \t]{0,4}[\"']$"
)


def find_assigned(path: str, text: str, start: int, end: int) -> Iterator[Span]:
    """Values under telling names on the line ``text[start:end]`` of ``path``; a value may stand on the next line."""
    if _LOCK_FILES.search(path):
        return
    for name in _NAME.finditer(text, start, end):
        kind = kind_of_name(name.group().rstrip("-."))
        if kind is not None and not _ALTERNATIVE.match(text, max(name.start() - 2, 0)):
            for match in _values_after(path, text, name):
                if not _repeats(name.group(), match):
                    yield from _judge(kind, match)
    if "==" in text[start:end] or "!=" in text[start:end]:
        for match in _BACKWARDS.finditer(text, start, end):
            kind = kind_of_name(match.group("name"))
            if kind is not None:
                yield from _judge(kind, match)


def _repeats(name: str, match: re.Match[str]) -> bool:
    """Whether a text only says the name again, as that of a setting or an event: ``ResetToken = "reset_token"``."""
    value = match.groupdict().get("double") or match.groupdict().get("single") or ""
    said = re.sub(r"[\W_]+", "", value).lower()
    named = re.sub(r"[\W_]+", "", name).lower()
    return len(said) >= 9 and named.removeprefix(said) in ("", "key", "name", "param", "header", "field", "cookie")


def _values_after(path: str, text: str, name: re.Match[str]) -> Iterator[re.Match[str]]:
    """What is given to a name, in the first syntax that fits."""
    at, limit = name.end(), min(len(text), name.end() + _REACH)
    before = text[max(0, name.start() - 2) : name.start()]
    quoted = _QUOTED.match(text, at, limit)
    if quoted is not None and (quoted["operator"] != "," or _is_pair(text, name)):
        yield quoted
        return
    if text.startswith("(", at) and _SETTER.search(name.group()):
        called = _CALLED.match(text, at, limit)
        if called is not None:
            yield called
        return
    in_code = _CODE_FILES.search(path) is not None
    for pattern, wanted in (
        (_PAIRED, True),
        (_ELEMENT, before[-1:] in ("<", '"', "'", ":")),
        (_PARAMETER, before[-1:] in ("?", "&")),
        (_HEADER, before[-1:] in ('"', "'", "`")),
        (_BLOCK, not in_code),
        (
            _WHOLE_LINE,
            not in_code
            and _LINE_FILES.search(path) is not None
            and not text[_line_start(text, name.start()) : name.start()].strip("\"' \t-"),
        ),
        (_BARE, not in_code and (before[-1:] == "-" or name.group()[0] == "-" or not _spaced(text, at))),
    ):
        match = pattern.match(text, at, limit) if wanted else None
        if match is not None:
            yield match
            return


def _is_pair(text: str, name: re.Match[str]) -> bool:
    """Whether a name and what follows its comma belong together: a setting and its value, an option and its word."""
    return (
        name.group()[0] == "-"
        or text[max(0, name.start() - 2) : name.start()] in ("--", '"-', "'-")
        or bool(_PAIR.search(text, max(0, name.start() - 40), name.start()))
    )


def _line_start(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _spaced(text: str, at: int) -> bool:
    """Whether a name is followed by another word: prose, unless it is an option of a command."""
    return text[at : at + 1] in (" ", "\t") and text[at : at + 21].lstrip(" \t")[:1] not in ("=", ":", "?")


def _judge(kind: NameKind, match: re.Match[str]) -> Iterator[Span]:
    groups = match.groupdict()
    form = next((form for form in _VALUES if groups.get(form)), None)
    if form is None:
        return
    start, end = match.span(form)
    value = groups[form]
    bare = form in ("line", "bare", "block", "parameter", "header")
    if bare:
        value = re.split(r"\s#|\s;|\s//", value)[0].rstrip(" \t\r,;:)}]>\\")
        end = start + len(value)
    if form == "element" and value.endswith(":") and value[:-1].isalpha():
        return  # <label for="password">Password:</label>
    confidence = confidence_of(kind, value, groups.get("operator") or "=", bare=bare)
    if confidence is not None:
        yield Span(f"{kind.value}-literal", start, end, confidence)
