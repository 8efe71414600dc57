"""Texts that people write, put between the tags of a PHP page as they are: fields of records and parameters, told by
their names.

PHP prints what it is given. A name, a title or a comment that no escape was called on is what somebody typed in, be it
long ago; what is called HTML, and what the program says itself, is meant to be printed so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import HOLE, Level, Taint, trail_of
from devpulse.core.rules.built_pages import TAG
from devpulse.core.rules.flow_rule import Use
from devpulse.core.text import lines_of

_FIELD = re.compile(
    r"(\$\w{1,60})((?:->\w{1,60}|\[\s?['\"]?\w{1,60}['\"]?\s?\]){1,4})(?!\w|\s{0,40}(?:=[^=>]|[!=]=|\?(?![?>])|->|\[|\(|\.=|&&|\|\|))"
)
"""A variable with the fields that are read off it, where that is not compared or set."""

_LONGEST_LINE = 5_000
_MOST_LINES = 8
_LOOP = re.compile(
    r"foreach\s{0,4}\(\s{0,4}(\$\w{1,60})(?:->\w{1,60}|\[[^\]\n]{1,60}\]){0,2} as "
    r"(?:\$\w{1,60}\s{0,2}=>\s{0,2})?(\$\w{1,60})"
)
_UNWRAPPED = re.compile(r"(?<![(\w$!])(?<!\(\s)" + _FIELD.pattern)
_ESCAPED_FIELD = re.compile(
    r"(?i)(?:html_?special_?chars|htmlentities|html_?escape|escape_?html|esc_(?:html|attr)|\bhsc|\bh|\be)\(\s?(\$\w{1,60})(?:->|\[)"
)
_PRINTS = frozenset({"echo", "print", "printf"})
_LAST = re.compile(r"\w+(?=\W*$)")
_WRITTEN = re.compile(
    r"(?i)^(?:\w+_)?(?:(?:full|first|last|user|display|nick|screen|file|company|real|group|product|item|client|customer|folder|album|tag|original)_?"
    r"name|name|title|description|desc|summary|comments?|subject|caption|bio|notes?|remarks?|e?mail|website|homepage|username|nick|headline|author|"
    r"signature|biography|city|street|phone|company|reason|message|text|url|link|keywords?|nicename)$"
)
"""Fields that people write into."""

_GIVEN = re.compile(
    r"(?i)^\$(?!(?:controller|class|module|plugin|field|column|table|template|theme|input|form|button|function|method|action|route|param|"
    r"option|setting|tab|menu|block|widget|element|type|app|site|lang)_?\w)(?:\w+_|error|page|user)?(?:title|caption|message|msg|description|comment|subject|email|file_?name|query|search|search_?term|keywords?|user_?name|"
    r"url|href|name|value|text|legend|headline|error|media)$"
)
"""Parameters that hold a text by their names."""

_OF_PROGRAM = re.compile(
    r"(?i)^\$(?:this|self|l|_|t|\w*lang\w*|language|translations?|strings?|i18n|conf\w*|cfg|pref\w*|"
    r"fields?|columns?|col|tabs?|menu\w*|plugins?|modules?|themes?|templates?|widgets?|controls?|sections?|defaults?|wp_\w+|"
    r"blog|app|system|server|e|ex|exception|error|types?|class\w*|table\w*|element|input|form|button|screen|nav\w*|wgt|"
    r"schema|panel|theme\w*|m|match\w*|icon\w*|caps?|capabilit\w*|filter\w*|roles?|formats?|sizes?|gateways?|addons?|renderer|view)$"
)
"""Variables that hold words of the program."""

_NO_TEXT = re.compile(
    r"(?i)html|markup|icon|class|style|attr|(?:^|_)id$|(?:^|_)ids$|slug|nonce|token|width|height|size|count(?!r)|num|total|page|checked|selected|"
    r"disabled|rendered|safe|esc(?:aped)?(?:_|$)|index|(?:^|_)i$|type|key$|action|version|lang|date|time|order|color|(?:^|_)(?:min|max)|step|(?:^|_)(?:rows|cols)|tab|target|method|"
    r"status|level|price|amount|currency|percent|position|interval|limit|year|month|day|hour|rel$|src$|code|extra|suffix|prefix|submit|button|value_attr|hidden|active"
)
"""Names of what has no quotes in it, or is HTML already."""

_OPEN = r"\s?=\s?\\?[\"'][^\"'<>]{0,80}"
_PRINTED = r"<\?(?:=|php\s{1,40}(?:echo|print)\b)[\s(]{0,4}(\$?\w{0,60})"
_OF_TEXT = r"(?i)(?:^|[\s'\"])(?:value|title|alt|placeholder|content|label|data-[a-z-]{1,40})"
_OF_WORD = r"(?i)(?:^|[\s'\"])(?:name|id|class|for|type|role|rel|style|method)"
_IN_TEXT = re.compile(f"{_OF_TEXT}{_OPEN}$")
_PRINTED_IN_TEXT = re.compile(f"{_OF_TEXT}{_OPEN}{_PRINTED}")
_PRINTED_IN_WORD = re.compile(f"{_OF_WORD}{_OPEN}{_PRINTED}")
_NAMES_FIELD = re.compile(rf"(?i)\bname{_OPEN}{HOLE}")
_PRINTING = re.compile(r"<\?=|\b(?:echo|print)\b")
_OF_LANGUAGE = re.compile(r"(?i)^\$(?:l|_|t|\w*lang\w*|language|translations?|strings?|i18n)$")
_XML = re.compile(r"\s*<\?xml")
_LONGEST = 160
"""Characters that are looked at for the begin of an attribute."""

_STORES = frozenset(
    {"get_option", "get_site_option", "get_post_meta", "get_user_meta", "get_term_meta", "get_theme_mod"}
)
_GETS = re.compile(r"(?i)^(?:get_?)?(\w+)$")
_ADDRESS = re.compile(
    r"(?i)^(?:get_?)?(?:current_?|request_?|self_?|full_?|page_?)?(?:ur[il]|query_?string|permalink)$"
)
_TAGGED = re.compile(r"['\"]\s?</?[a-z]|/?>\s?['\"]")


def is_written_raw(taint: Taint, use: Use) -> bool:
    """Whether a value is by its name a text that people wrote, and went through nothing that may have cleaned it."""
    origin = taint.origin
    if origin.level not in (Level.UNKNOWN, Level.PARAMETER) or Purpose.HTML in taint.cleaned:
        return False
    root, _, rest = origin.label.partition(".")
    inner, _, last = rest.partition(".")
    record = f"${inner}" if root == "$this" and last else root
    of_program = _OF_PROGRAM.search(record) is not None
    if taint.asks:
        return not of_program and _is_got(taint)
    if origin.label.endswith("()"):
        return _is_of_call(taint, use, of_program=of_program)
    if _OF_LANGUAGE.match(root) or _XML.match(use.value.skeleton or ""):
        return False
    if root == "$this" and not last:  # a constructor may have cleaned it
        return False
    return _is_named(taint, use, of_program=of_program)


def _is_named(taint: Taint, use: Use, *, of_program: bool) -> bool:
    """Whether a variable, or a field that is read off it, is called like a text, or stands where any text does harm."""
    origin = taint.origin
    root, _, rest = origin.label.partition(".")
    names = list(_names(taint, use, root))
    if not names and origin.member:
        names = list(_raw_fields(use.source.text).get(root, ()))
    name = names[0] if names else rest.rpartition(".")[2] or root.lstrip("$")
    if not _NO_TEXT.search(name) and is_in_text(taint, use):
        return True
    if use.value.skeleton == HOLE and _is_printed_in(_PRINTED_IN_WORD, use, root):
        return False
    if name == "name" and _NAMES_FIELD.search((use.value.skeleton or "")[:_LONGEST_LINE]):
        return False  # of a form, which the program gives
    if of_program or names:
        return not of_program and (any(map(_WRITTEN.match, names)) or _is_beside_escaped(taint, use, root, names))
    printed = origin.level is Level.PARAMETER or use.call.method in _PRINTS
    return printed and not origin.member and _GIVEN.match(root) is not None


def _is_beside_escaped(taint: Taint, use: Use, root: str, names: Sequence[str]) -> bool:
    """Whether a field stands as it is where the same statement escapes another one of the record."""
    owners = {root} | _loops(use.source.text).get(root, frozenset())
    escaped = {owner for text in _texts(taint, use) for owner in _ESCAPED_FIELD.findall(text)}
    return not owners.isdisjoint(escaped) and not all(map(_NO_TEXT.search, names))


def is_tagged(taint: Taint, use: Use) -> bool:
    """Whether a value stands between tags, there or where it was put into a text before."""
    if TAG.search(use.value.skeleton or "") is not None:
        return True
    itself = _GIVEN.match(taint.origin.label) is not None  # a text that is made a page of here: Markdown
    return not itself and any(map(_TAGGED.search, _texts(taint, use)))


def _is_of_call(taint: Taint, use: Use, *, of_program: bool) -> bool:
    """Whether a value is what a function gives that reads a text by its name, or a kept one in an attribute."""
    callee = taint.origin.label.removesuffix("()")
    if callee in _STORES:
        return is_in_text(taint, use)
    return not of_program and _gives_text(callee)


def _is_got(taint: Taint) -> bool:
    """Whether a value is what the last of the functions that it went through gives, by whose name that is a text."""
    *before, last = (ask.callee for ask in taint.asks)
    return _gives_text(last) and not any(decides(callee) for callee in before)


def _gives_text(callee: str) -> bool:
    _, method, name = callee.rpartition(".")
    found = _GETS.match(name)
    if not method or found is None:
        return False
    return _ADDRESS.match(name) is not None or (name != found.group(1) and _WRITTEN.match(found.group(1)) is not None)


def _names(taint: Taint, use: Use, root: str) -> Iterator[str]:
    """The last names of the fields that are read off the variable, or an item of it, on the way into the page."""
    owners = {root} | _loops(use.source.text).get(root, frozenset())
    for text in _texts(taint, use):
        for owner, path in _UNWRAPPED.findall(text):
            found = _LAST.search(path) if owner in owners else None
            if found is not None:
                yield found.group()


@lru_cache(maxsize=4)
def _raw_fields(text: str) -> dict[str, frozenset[str]]:
    """The fields that a file puts between tags as they are, by what they are read off."""
    found: dict[str, set[str]] = {}
    for line in lines_of(text):
        tagged = line[:_LONGEST_LINE]
        if "<" in tagged and "$" in tagged and _TAGGED.search(tagged):
            for owner, path in _UNWRAPPED.findall(tagged):
                last = _LAST.search(path)
                found.setdefault(owner, set()).update((last.group(),) if last is not None else ())
    return {owner: frozenset(fields) for owner, fields in found.items()}


@lru_cache(maxsize=4)
def _loops(text: str) -> dict[str, frozenset[str]]:
    """What a file calls the items of the tables that it loops over."""
    found: dict[str, set[str]] = {}
    for table, item in _LOOP.findall(text):
        found.setdefault(table, set()).add(item)
    return {table: frozenset(items) for table, items in found.items()}


def _texts(taint: Taint, use: Use) -> Iterator[str]:
    """The code that a value went through on its way into the page."""
    yield use.text[:_LONGEST_LINE]
    lines = lines_of(use.source.text)
    for mark in trail_of(taint):
        if 0 < mark.line <= len(lines):
            yield _statement(lines, mark.line - 1)


def _statement(lines: Sequence[str], first: int) -> str:
    """The statement that begins on a line, as much of it as a person would write."""
    last = first
    while (
        last + 1 < len(lines) and last - first < _MOST_LINES and not lines[last].rstrip().endswith((";", "{", "}", ":"))
    ):
        last += 1
    return "\n".join(line[:_LONGEST_LINE] for line in lines[first : last + 1])[:_LONGEST_LINE]


def is_in_text(taint: Taint, use: Use) -> bool:
    """Whether a value is printed within an attribute that holds a text."""
    skeleton = use.value.skeleton or ""
    root = taint.origin.label.partition(".")[0]
    if skeleton != HOLE:
        parts = skeleton.split(HOLE)[:-1]
        alone = len({known.origin.label.partition(".")[0] for known in use.value.taints}) == 1
        return bool(parts) and (any if alone else all)(_IN_TEXT.search(part[-_LONGEST:]) for part in parts)
    return _is_printed_in(_PRINTED_IN_TEXT, use, root)


def _is_printed_in(attribute: re.Pattern[str], use: Use, root: str) -> bool:
    lines = lines_of(use.source.text)[max(use.call.start_line - 2, 0) : use.call.end_line]
    printed = attribute.findall("\n".join(line[:_LONGEST_LINE] for line in lines)[:_LONGEST_LINE])
    alone = len(_PRINTING.findall(use.text[:_LONGEST_LINE])) == 1
    return bool(printed) and (alone or root in printed)
