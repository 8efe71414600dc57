"""Templates: the same expression, written out without escaping where it was escaped before.

What is compared is each line with its marks of raw and of escaped output taken away: the marks are what differs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.escape_comparison import TRANSLATES, values_of

TEMPLATE = lazy(
    r"\.(?:html?|xhtml|jinja2?|j2|njk|twig|erb|rhtml|ejs|hbs|handlebars|mustache|phtml|php|jspf?|jspx|tag|vue|svelte|"
    r"jsx?|tsx?|mjs|mako|tmpl|tpl|py|rb|slim|haml|cshtml)$",
    re.IGNORECASE,
)
_RAW = tuple(
    (lazy(pattern), plain)
    for pattern, plain in (
        (r"\|(?:safe|raw)\b(?!\()", ""),
        (r"\{!!(.{1,200}?)!!\}", r"{{\1}}"),
        (r"\{\{\{([^{}]{1,200})\}\}\}", r"{{\1}}"),
        (r"\{\{&([^{}]{1,200})\}\}", r"{{\1}}"),
        (r"<%==(.{1,200}?)%>", r"<%=\1%>"),
        (r"<%=raw\((.{1,200}?)\)%>", r"<%=\1%>"),
        (r"\.html_safe\b", ""),
        (r"th:utext=", "th:text="),
        (r"v-html=\"([^\"]{1,200})\"([^<>]{0,200})>(?:</[\w-]+>)?", r"\2>{{\1}}"),
        (r"\{@html([^{}]{1,200})\}", r"{\1}"),
        (r"dangerouslySetInnerHTML=\{\{__html:([^{}]{1,200})\}\}/?>(?:</\w+>)?", r">{\1}"),
        (r"\.innerHTML(?=\+?=)", ".textContent"),
        (r"\.outerHTML(?=\+?=)", ".textContent"),
    )
)
_ESCAPED = tuple(
    (lazy(pattern), plain)
    for pattern, plain in (
        (r"\|(?:e|escape|force_escape|h)\b(?:\(['\"]?\w{0,12}['\"]?\))?", ""),
        (r"<%=h\((.{1,200}?)\)%>", r"<%=\1%>"),
        (r"<c:outvalue=['\"](\$\{[^{}]{1,200}\})['\"](?:escapeXml=['\"]true['\"])?/>", r"\1"),
        (r"\.innerText(?=\+?=)", ".textContent"),
    )
)
_LITERAL = lazy(r"(?:'[^']{0,2000}'|\"[^\"#]{0,2000}\")\.html_safe\b")
_TRANSLATED = lazy(r"\|\s*(?:trans|translate|t)\b")
_WORDS = ((lazy(r"<%=\s*raw\s+(?=[@a-z:])"), True), (lazy(r"<%=\s*h\s+(?=[@a-z:])"), False))
"""Calls without brackets, which only white space tells from longer names."""

_SAME = lazy(r"v-text=\"([^\"]{1,200})\"([^<>]{0,200})>(?:</[\w-]+>)?")
MAX_LINE = 2_000
_CLOSING = lazy(r"</[\w.-]{1,40}>$|/>$")


@dataclass(frozen=True, slots=True)
class Unescaped:
    """A line of the head (``raw``: a mark of raw output was added) or of the base (an escape was taken away)."""

    line: int
    raw: bool
    automatic: bool = True


@dataclass(frozen=True, slots=True)
class _Marked:
    text: str
    raw: int
    escaped: int


def unescaped(run: Run) -> list[Unescaped]:
    """The lines of a run that write out without escaping what they wrote out with it."""
    old: dict[str, tuple[int, _Marked]] = {}
    for number, line in run.removed:
        marked = _marked(line)
        old.setdefault(marked.text, (number, marked))
    found = []
    for number, line in run.added:
        new = _marked(line)
        before = old.get(new.text)
        if before is None or _is_constant(line):
            continue
        if new.raw > before[1].raw:
            found.append(Unescaped(number, raw=True))
        elif new.escaped < before[1].escaped and new.raw <= before[1].raw:
            found.append(Unescaped(before[0], raw=False, automatic="<c:out" not in dict(run.removed)[before[0]]))
    return found


def _is_constant(line: str) -> bool:
    """Whether what is written is a message of the program's own."""
    if TRANSLATES.search(line) or _TRANSLATED.search(line) or _LITERAL.search(line):
        return True
    _, sets, value = line.partition("HTML")
    return bool(sets) and value.lstrip(" +").startswith("=") and not values_of(value)


def _marked(line: str) -> _Marked:
    raw = escaped = 0
    text = line[:MAX_LINE]
    for pattern, is_raw in _WORDS:
        text, count = pattern.subn("<%=", text)
        raw, escaped = raw + count * is_raw, escaped + count * (not is_raw)
    text = _SAME.sub(r"\2>{{\1}}", "".join(text.split()))
    for pattern, plain in _RAW:
        text, count = pattern.subn(plain, text)
        raw += count
    for pattern, plain in _ESCAPED:
        text, count = pattern.subn(plain, text)
        escaped += count
    return _Marked(_CLOSING.sub("", text) if "{" in text else text, raw, escaped)
