"""Scripts of a page: its elements and the handlers in its attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devpulse.core.corpus import PACKED_BYTES, PACKED_LINE
from devpulse.core.embedded.masking import Canvas, Parts, blank, placed
from devpulse.core.lazy_pattern import lazy

MAX_CODE = 300_000
"""Characters of scripts in one page that are read: nobody writes more into a page by hand."""

_HANDLES = lazy(r"on[a-z]{3,24}\s{0,3}=\s{0,3}[\"']")
_BEGIN = lazy(r"<!--|<script(?=[\s/>])", re.IGNORECASE)
_END = lazy(r"</script(?=[\s/>])", re.IGNORECASE)
_ATTRIBUTE = lazy(
    r"(?<![\w:@.-])([\w:@.-]{1,60})\s{0,3}=\s{0,3}(?:\"([^\"]{0,2000})\"|'([^']{0,2000})'|([^\s>\"']{1,200}))"
)
_HANDLER = lazy(
    r"(?<=[\s\"'])on[a-z]{3,24}\s{0,3}=\s{0,3}(?:\"([^\"]{1,20000})\"|'([^']{1,20000})')",
    re.IGNORECASE,
)
_CODE_TYPES = lazy(
    r"(?:(?:text|application)/(?:x-)?(?:java|ecma|j|live)script(?:1\.\d)?|module|text/babel|text/jsx)?(?:\s*;.*)?",
    re.IGNORECASE,
)
_LANGUAGES = {"ts": "typescript", "typescript": "typescript", "tsx": "tsx", "text/typescript": "typescript"}
_HANDLER_BEGIN = ";()=>{"
_ENTITY = lazy(r"&(?:quot|apos|amp|lt|gt|#0?39|#x27);")
_ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
_TAG = lazy(r"<[A-Za-z/]")
_LOOK_BACK = 300
"""Characters before ``<!--`` in which a tag or a comment of a template begins that it is a part of."""

_LONGEST_TAG = 10
"""Closing brackets within the values of a tag that are looked over to find its end."""

_PLACEHOLDER = lazy(
    r"\{\{\{?(?:[^{}\n]|\{[^{}\n]{0,200}+\}){0,300}+\}\}\}?|\{!!(?:[^!\n]|!(?!!\})){0,300}+!!\}|\[\[\$\{[^\]\n]{0,300}+\]\]"
    r"|\{%(?:[^%]|%(?!\})){0,500}+%\}|\{#(?:[^#\n]|#(?!\})){0,300}+#\}"
)
_STATING = ("{%", "{#")


@dataclass(frozen=True, slots=True)
class Script:
    """The text of an element from ``start`` to ``end``. ``typed`` is what its type says, empty without one."""

    language: str
    start: int
    end: int
    typed: str


def script_parts(page: str, *, templates: bool = True) -> Parts:
    """The scripts and handlers of a page; ``templates``: what looks like a placeholder of a template is one."""
    canvases: dict[str, Canvas] = {}
    skipped = False
    lowered = page.lower()
    if "<script" not in lowered and not _HANDLES.search(lowered):
        return Parts()
    place, left = 0, MAX_CODE
    for script in scripts_in(page):
        _keep_handlers(page, place, script.start, canvases, templates=templates)
        place = script.end
        code = page[script.start : script.end]
        if not script.language or not code.strip():
            continue
        left -= len(code)
        if left < 0 or is_packed(code):
            skipped = True
            continue
        code = without_placeholders(code) if templates and "babel" not in script.typed else code
        canvas = canvases.setdefault(script.language, Canvas(page))
        canvas.keep(script.start, code)
        canvas.keep(script.end, ";")
    _keep_handlers(page, place, len(page), canvases, templates=templates)
    return Parts({(language, "page"): canvas.masked() for language, canvas in canvases.items()}, skipped)


def is_packed(code: str) -> bool:
    """Whether a script is minified, or data."""
    return len(code) >= PACKED_BYTES and code.count("\n") * PACKED_LINE < len(code)


def scripts_in(page: str) -> Iterator[Script]:
    """The script elements of a page outside of its comments; one without an end is none, as in a browser."""
    place = 0
    while (begin := _BEGIN.search(page, place)) is not None:
        if begin[0] == "<!--":
            place = _comment_end(page, begin)
            if not place:
                return
            continue
        start = _tag_end(page, begin.end())
        end = _END.search(page, start) if start else None
        if end is None:
            return
        language, typed = _language(page[begin.end() : start])
        yield Script(language, start, end.start(), typed)
        place = end.end()


def _comment_end(page: str, begin: re.Match[str]) -> int:
    """Where to read on behind ``<!--``: that of a comment's end, 0 where it has none."""
    start, end = begin.span()
    before = page[max(0, start - _LOOK_BACK) : start]
    opened = max((tag.start() for tag in _TAG.finditer(before)), default=-1)
    if opened > before.rfind(">") or before.rfind("{#") > before.rfind("#}"):
        return end  # in a value of a tag, or in a comment of a template, it is a text
    if page.startswith((">", "->"), end):
        return end  # which a browser takes for its end already
    return page.find("-->", end) + 3 if page.find("-->", end) >= 0 else 0


def without_placeholders(code: str) -> str:
    """Code with names in the place of what a template fills in, and nothing in that of what it does."""
    if "{{" not in code and "{%" not in code and "{!!" not in code and "{#" not in code and "[[$" not in code:
        return code
    return _PLACEHOLDER.sub(lambda found: blank(found[0]) if found[0][:2] in _STATING else placed(found), code)


def _tag_end(page: str, start: int) -> int:
    """Where a tag ends, 0 where it does not."""
    end = start
    for _ in range(_LONGEST_TAG):
        end = page.find(">", end) + 1
        if not end:
            return 0
        tag = page[start:end]
        if tag.count('"') % 2 == 0 and tag.count("'") % 2 == 0:
            break
    return end


def _language(tag: str) -> tuple[str, str]:
    """The language of an element by its attributes, empty where it is no code, and what its type says."""
    given = {found[1].lower(): found[2] or found[3] or found[4] or "" for found in _ATTRIBUTE.finditer(tag)}
    said = given.get("lang") or given.get("type") or given.get("language") or ""
    said = said.strip().lower()
    if "src" in given:
        return "", said
    told = _LANGUAGES.get(said)
    if told is None and (said in ("js", "jsx", "javascript") or _CODE_TYPES.fullmatch(said)):
        told = "javascript"
    return told or "", said


def _keep_handlers(page: str, start: int, end: int, canvases: dict[str, Canvas], *, templates: bool) -> None:
    """Keep the handlers between two places, each as a function."""
    for found in _HANDLER.finditer(page, start, end):
        group = 1 if found[1] is not None else 2
        first, last = found.span(group)
        code = _ENTITY.sub(lambda entity: _ENTITIES.get(entity[0], "'").ljust(len(entity[0])), found[group])
        canvas = canvases.setdefault("javascript", Canvas(page))
        canvas.keep(first - len(_HANDLER_BEGIN), _HANDLER_BEGIN)
        canvas.keep(first, without_placeholders(code) if templates else code)
        canvas.keep(last, "}")
