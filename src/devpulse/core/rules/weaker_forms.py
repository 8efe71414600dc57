"""Lines that stand there again in a weaker form: what a change took out of them kept a value from doing harm.

A form is what is taken out or exchanged. A removed line belongs to it where the line without it is one of the added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.dropped_checks import COMMENT, MAX_LINE, Dropped
from devpulse.core.rules.uses_below import category_of

MAX_ADDED = 60
"""Added lines of a place that are compared with each removed one."""


@dataclass(frozen=True, slots=True)
class _Form:
    """``pattern`` is replaced by each of ``by``; ``around`` must be found in the line, too."""

    category: str
    pattern: re.Pattern[str]
    by: tuple[str | Callable[[re.Match[str]], str], ...] = ("",)
    around: re.Pattern[str] | None = None


_PREFIX = lazy(r"(?i)starts_?with|hasprefix|strpos|indexof|substr|slice")
_FORMS = (
    _Form("command-injection", lazy(r"[\"']--(?:end-of-options)?[\"']\s*,\s*")),
    _Form(
        "path-traversal",
        lazy(
            r"\s?\+\s?(?:os\.sep\b|os\.path\.sep\b|path\.sep\b|sep\b|File\.separator(?:Char)?\b"
            r"|string\((?:os\.PathSeparator|filepath\.Separator)\))"
            r"|\s?\.\s?DIRECTORY_SEPARATOR\b"
        ),
        around=_PREFIX,
    ),
    _Form(
        "path-traversal",
        lazy(r"\s?[+.]\s?[\"']/[\"']"),
        around=lazy(
            r"(?i)(?:path|dir|folder|root|base)\w{0,40}\.starts_?with|hasprefix\(\w{0,40}(?:path|dir|folder|file)"
            r"|(?:strpos|starts_with)\(\s?\$\w{0,40}(?:path|dir|folder|file)"
        ),
    ),
    _Form(
        "path-traversal",
        lazy(r"\bgetCanonicalFile\(\)\.toPath\(\)|\bPath\b(?=\s+\w+\s*=)"),
        (lambda found: "String" if found.group() == "Path" else "getCanonicalPath()",),
        around=lazy(r"getCanonicalFile\(\)\.toPath\(\)"),
    ),
    _Form("path-traversal", lazy(r"\.(?:toRealPath\(\)|normalize\(\))"), around=lazy(r"\.startsWith\(")),
    _Form(
        "cross-site-scripting",
        lazy(r"\.(?:text\(\s?(?![\"'`)\s])|textContent(?=\s*=[^=]\s*(?![\"'`]))|innerText(?=\s*=[^=]\s*(?![\"'`])))"),
        (lambda found: ".html(" if found.group().startswith(".text(") else ".innerHTML",),
    ),
    _Form(
        "cross-site-scripting",
        lazy(r"\$\(\s?[\"']<\w{1,10}\s?/?>(?:</\w{1,10}>)?[\"']\s?\)\.text\(([^()]{1,80}(?:\([^()]{0,40}\))?)\)\.html\(\)"),
        (lambda found: found[1],),
    ),
    _Form(
        "cross-site-scripting",
        lazy(r"\bautoescape\s?[=:]\s?(?:True|select_autoescape\([^()]{0,120}\))\s?,?|\bselect_autoescape\([^()]{0,120}\)"),
        ("", "autoescape=False", "autoescape=False,", "False"),
    ),
    _Form(
        "xml-external-entity",
        lazy(r"\bdefusedxml\b(?:\.(?:ElementTree|minidom|sax|lxml|cElementTree|pulldom)\b)?"),
        (
            lambda found: found.group().replace("defusedxml", "xml").replace("ElementTree", "etree.ElementTree"),
            lambda found: found.group().replace("defusedxml", "xml"),
            "lxml.etree",
            "xml.etree",
            "lxml",
            "xml.dom",
        ),
    ),
    _Form("xml-external-entity", lazy(r"\bresolve_entities\s?=\s?False\s?,?\s?|,\s?resolve_entities\s?=\s?False\b"),
          ("", "resolve_entities=True", "resolve_entities=True,")),
    _Form("insecure-cookie", lazy(r"(?i),\s?\b(?:http_?only|secure)\s?[=:]\s?true\b"
                                  r"|\b(?:http_?only|secure)\s?[=:]\s?true\s?,\s?"),
          around=lazy(r"(?i)cookie")),
)  # fmt: skip
_CAST = _Form(
    "",
    lazy(r"\(\s?int(?:eger)?\s?\)\s?|\b(?:intval|absint|parseInt|Number|int)\(([^(),]{1,80})(?:,\s?10)?\)"),
    (lambda found: found[1] or "",),
)
_STATEMENTS = ("sql-injection", "command-injection")
"""Where a value that is no number does harm."""

_SAFE_CLIENT = lazy(r"(?i)\b(?:\w{1,40}\.)?(?:new)?\w{0,20}(?:ssrf|safe|guarded)\w{0,20}client\b(?:\(\))?")
_CLIENT = lazy(r"\(?&?\bhttp\.(?:Client\{|DefaultClient\b|Get\(|Post\()|\brequests\.(?:get|post|Session)\(")
_SAFE_JOIN = lazy(r"(?:[A-Za-z_]\w{0,40}\.){0,4}_?(?:safe|secure)_?[jJ]oin(?:_?[pP]ath)?\(")
_JOIN = lazy(r"(?<![\w.])(?:os\.path\.join|path\.(?:join|resolve)|filepath\.Join|File\.join|join)\(")


def weaker_in(run: Run) -> Iterator[Dropped]:
    """The removed lines that are among the added ones without what made them safe."""
    plain = [line for _, line in run.added[:MAX_ADDED] if len(line) <= MAX_LINE]
    added = frozenset(map(_bare, plain))
    if not added:
        return
    places = ((line, _JOIN.search(line)) for line in plain)
    joins = frozenset(_bare(line[: place.start()]) for line, place in places if place is not None)
    found = ((line, _CLIENT.search(line)) for line in plain)
    clients = frozenset(_bare(line[: place.start()]) for line, place in found if place is not None)
    for number, line in run.removed:
        if len(line) > MAX_LINE or line.lstrip().startswith(COMMENT):
            continue
        category = next((form.category for form in _FORMS if _is_weakened(line, form, added)), None)
        if category is None and _is_weakened(line, _CAST, added):
            used = category_of(line)
            category = used if used in _STATEMENTS else None
        if category is None and _joins_bare(line, joins):
            category = "path-traversal"
        if category is None and (client := _SAFE_CLIENT.search(line)) and _bare(line[: client.start()]) in clients:
            category = "ssrf"
        if category is not None:
            yield Dropped(number, number, category, frozenset(), line)


def _is_weakened(line: str, form: _Form, added: frozenset[str]) -> bool:
    if not form.pattern.search(line) or (form.around is not None and not form.around.search(line)):
        return False
    return any(_bare(weaker) in added for by in form.by for weaker in _without(line, form.pattern, by))


def _without(line: str, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]) -> Iterator[str]:
    """The line with everything replaced, and with only the last place replaced."""
    yield pattern.sub(by, line)
    places = list(pattern.finditer(line))
    if len(places) > 1:
        last = places[-1]
        yield line[: last.start()] + (by if isinstance(by, str) else by(last)) + line[last.end() :]


def _joins_bare(line: str, joins: frozenset[str]) -> bool:
    """Whether a join that stays inside of a folder became one that does not."""
    match = _SAFE_JOIN.search(line)
    return match is not None and not joins.isdisjoint(
        (before := _bare(line[: match.start()]), f"{before}os.path.normpath(")
    )


def _bare(text: str) -> str:
    return "".join(text.split())
