"""Calls in a few lines of text that make a value safe, read without a parser: the base text may be a template."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from devpulse.core.flow.purposes import Purpose
from devpulse.core.imports import imported_callee
from devpulse.core.knowledge import knowledge_of
from devpulse.core.lazy_pattern import lazy
from devpulse.core.source import Source

MAX_CALL = 600
"""Characters from the first to the last bracket of a call."""

CLEANER_LIKE = lazy(
    r"(?<!un)(?<!un_)(?:escape|sanit|clean|strip|purif|valid|prepare|bind|htmlspecialchars|htmlentities|kses|quote)"
    r"|^esc_|^esc$|html_?chars|specialchars|replace_?entities|^for(?:Html|JavaScript)|encode|secure|intval|(?<![a-z])(?:int|float|absint|Number|parseInt|uuid)$"
    r"|basename|^base$|xss|slashes|slug|(?<!html_)(?<!mark_)(?<!as_)(?<!un)safe(?!_?(?:string|text|str|html)|$)|^[eh]$",
    2,  # re.IGNORECASE
)
"""Names of calls that may make a value safe in some way."""

MAX_CALLS = 300
"""Calls that are looked at in a text: one line, or the lines that a change removed at one place."""

_CALL = lazy(
    r"(?<![\w$])(?<!->)(?<!::)(\$?[A-Za-z_][\w$]{0,80}(?:(?:\?\.|\?->|\.|->|::)[A-Za-z_]\w{0,80}){0,8}!?)\s?\("
)
_DEFINED = lazy(r"\b(?:def|function|func|fn|sub|macro)\s+$")
_BY_PURPOSE = {
    Purpose.HTML: "cross-site-scripting",
    Purpose.SHELL: "command-injection",
    Purpose.SQL: "sql-injection",
    Purpose.PATH: "path-traversal",
}
_CONVENTIONS = (
    (lazy(r"(?i)(?:esc|escape|encode|sanitize|clean|purify)_?(?:html|attr)|html_?(?:escape|encode)|^esc(?:_html|_attr)?$"
          r"|html_?(?:special_?)?(?:chars|entities)|specialchars|replace_?entities"),
     "cross-site-scripting"),
    (lazy(r"(?i)(?:shell|cmd|arg)_?(?:escape|quote)|(?:escape|quote)_?(?:shell|cmd|arg)"), "command-injection"),
    (lazy(r"(?i)(?:sql|db)_?(?:escape|quote)|(?:escape|quote|esc)_?(?:sql|db|identifier|literal)|real_?escape"),
     "sql-injection"),
    (lazy(r"(?i)(?:secure|sanitize|clean|safe)_?(?:file_?name|path)|^basename$"), "path-traversal"),
)  # fmt: skip
_GENERAL = lazy(
    r"(?i)^_*(?:(?!(?:re|regexp?|glob|json|csv|xml|js|ur[il]|like)_)[a-z0-9]{1,20}_)?(?:escape|sanitize|purify)"
    r"(?:_?(?:string|text|input|output|value|data))?$"
)
_OWNERS = (
    (
        lazy(
            r"(?i)(?:html|esapi)_?(?:utils?|encoder|entities)?\.(?:html)?(?:encode|escape)$|\bent(?:ities)?\.(?:encode|escape)$"
        ),
        "cross-site-scripting",
    ),
    (lazy(r"(?i)(?:^|\.)(?:file)?path(?:utils?)?s?\.(?:clean|normalize)$"), "path-traversal"),
)
"""Cleaners that only the name before theirs tells: ``HtmlUtil.encode(name)``."""

_STATEMENT = lazy(
    r"\b(?:SELECT|WHERE|FROM|ORDER BY|GROUP BY|USE INDEX|VALUES|JOIN|INSERT INTO|UPDATE|LIKE|OF) |SQL|[sS]ql"
)
_NAMED = lazy(r"(?i)^_*(?:sanitize|escape|purify)_?\w{1,40}$")
_ASKED = lazy(r"\$_(?:GET|POST|REQUEST|COOKIE)\b|\breq(?:uest)?\.(?:query|body|params|args|form)\b")
_CLEANING_OWNER = lazy(r"(?i)sanit|escap|purif|clean(?:er|ing)")
_BY_LAST = (
    (lazy(r"(?i)^sql"), "sql-injection"),
    (lazy(r"(?i)html|attr|text|^tags"), "cross-site-scripting"),
    (lazy(r"(?i)file_?name|path"), "path-traversal"),
    (lazy(r"(?i)shell|command"), "command-injection"),
)
"""What the methods of an object that cleans are for: ``Sanitize::sql($name)``."""

_FILES = lazy(r"(?i)path|file|folder")
_WEAK = lazy(
    r"(?i)^(?:strip_?tags|addslashes|sanitize_text_field|basename|get_?(?:base|path|file)?_?name|base|quote|j|"
    r"escape_javascript|esc_js|esc_url_raw)$"
)
_TIDYING = ("path.Clean", "filepath.Clean", "path.normalize")
_OF_PATTERNS = lazy(r"(?i)(?:^|\.)(?:re|regexp?|glob|pattern|fnmatch)\.(?:escape|quote)$")
_ELSE = lazy(
    r"(?i)^(?:encodeuricomponent|queryescape|pathescape|url_?encode|(?:html_)?escape_once|list2cmdline|quotecommand|"
    r"int|float|intval|absint|number|parseint|parameterize|slug|sanitize_(?:key|title|email)|escapejs)$|urlencode|url_escape"
)
"""Cleaners whose absence says little: what they give is used for more than safety, or made for addresses."""


@dataclass(frozen=True, slots=True)
class CleanerCall:
    """A call at ``start`` to ``end`` of a text. ``first`` is its first argument, ``rest`` the others as written;
    ``weak``: the name alone does not tell that it was there for safety.
    """

    name: str
    start: int
    end: int
    first: str
    rest: str
    category: str
    weak: bool


def calls_in(text: str) -> Iterator[tuple[str, int, int, int, int]]:
    """The first calls, each: callee as written, where it starts, its brackets open, its first argument and it end."""
    for match in islice(_CALL.finditer(text), MAX_CALLS):
        if not _DEFINED.search(text, max(0, match.start() - 20), match.start()):
            comma, close = _brackets(text, match.end() - 1)
            if close:
                yield match.group(1), match.start(), match.end(), comma, close + 1


def cleaner_calls(text: str, source: Source) -> Iterator[CleanerCall]:
    """The calls that make a value safe for a page, a shell, a statement or a path."""
    for written, start, opened, comma, end in calls_in(text):
        name = plain_name(written, source.language)
        last = last_part(name)
        if not looks_cleaning(name) or _ELSE.search(last) or _OF_PATTERNS.search(name):
            continue
        category = _category(name, last, source)
        weak = category is None or _WEAK.search(last) is not None or name.endswith(_TIDYING)
        named = _GENERAL.search(last) or (_NAMED.search(last) and _ASKED.search(text, opened, comma))
        if category is None and named:
            category = _of_text(text, start, end)
        if category is not None:
            first, rest = text[opened:comma].strip(), text[comma : end - 1].lstrip(", ")
            if rest and last.startswith("mysqli_"):  # the connection comes first
                first, rest = rest, first
            yield CleanerCall(name, start, end, first, rest, category, weak)


def plain_name(written: str, language: str | None) -> str:
    """A callee as the knowledge writes it: dots between its names."""
    dotted = written.replace("$", "").replace("?->", ".").replace("->", ".").replace("?.", ".")
    return dotted if language == "ruby" else dotted.replace("::", ".")


def looks_cleaning(name: str) -> bool:
    """Whether a callee, as ``plain_name`` gives it, may make a value safe in some way."""
    return CLEANER_LIKE.search(last_part(name)) is not None or "FilenameUtils.get" in name or _is_of_cleaner(name)


def _is_of_cleaner(name: str) -> bool:
    owner, _, last = name.replace("::", ".").rpartition(".")
    return _CLEANING_OWNER.search(owner) is not None and any(pattern.search(last) for pattern, _ in _BY_LAST)


def last_part(name: str) -> str:
    """The last name of a callee."""
    return name.replace("::", ".").rpartition(".")[2]


def _of_text(text: str, start: int, end: int) -> str:
    """What a call is for whose name only says that it escapes."""
    if _FILES.search(text[start:end]):
        return "path-traversal"
    return "sql-injection" if _STATEMENT.search(text, max(0, start - 80), start) else "cross-site-scripting"


def _category(name: str, last: str, source: Source) -> str | None:
    if "ldap" in name.lower():
        return "ldap-injection"
    knowledge = knowledge_of(source.language)
    if knowledge is not None:
        purposes = knowledge.purposes_of(name, imported_callee(source.language, source.text, name))
        found = next((category for purpose, category in _BY_PURPOSE.items() if purpose in purposes), None)
        if found is not None:
            return found
        if Purpose.TAGS in purposes:
            return "cross-site-scripting"
    found = next((category for pattern, category in _OWNERS if pattern.search(name)), None)
    if found is not None:
        return found
    named = _BY_LAST if _is_of_cleaner(name) else _CONVENTIONS
    return next((category for pattern, category in named if pattern.search(last)), None)


def _brackets(text: str, start: int) -> tuple[int, int]:
    """Where the first argument ends and where the bracket at ``start`` is closed; ``(0, 0)`` when it is not."""
    depth, quote, comma = 0, "", 0
    for place in range(start, min(len(text), start + MAX_CALL)):
        character = text[place]
        if quote:
            if character == quote and text[place - 1] != "\\":
                quote = ""
        elif character in "'\"`":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                return comma or place, place
        elif character == "," and depth == 1:
            comma = comma or place
    return 0, 0
