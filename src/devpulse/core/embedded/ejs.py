"""Templates of EJS: the Javascript in their tags, of which ``<%-`` puts out what it is given without escaping it
(https://ejs.co/#docs), and the scripts of the page."""

from __future__ import annotations

from devpulse.core.embedded.masking import Canvas, Parts, called
from devpulse.core.embedded.scripts import script_parts
from devpulse.core.embedded.tags import MAX_TAGS, keep_code, tags_in, without_comment, without_tags
from devpulse.core.lazy_pattern import lazy

_MARKS = ("=", "%", "#", "-", "_")
_INCLUDES = lazy(r"\s*+(?:await\s++)?include\(")
_OLD_INCLUDE = lazy(r"\s*+include\s++(?!\()")
_COMMENT = lazy(r"(?<![:\"'`\\])//[^\n\"'`]*$")


def parts_of(text: str) -> Parts:
    """The scripts of a template: those in its tags, and those of the page that it makes."""
    page = script_parts(without_tags(text))
    tags = tags_in(text, _MARKS, "-_")
    if not tags:
        return page
    canvas = Canvas(text)
    for tag, after in zip(tags, [*tags[1:], None], strict=True):
        if tag.mark in ("%", "#") or _OLD_INCLUDE.match(text, tag.first, tag.last):
            continue
        code = without_comment(text[tag.first : tag.last], _COMMENT)
        if tag.mark == "-" and not _INCLUDES.match(code):
            canvas.keep(tag.start, called("<%-"))
            canvas.keep(tag.first, code)
            canvas.keep(tag.end - 2, ");")
        elif tag.mark == "=":
            canvas.keep(tag.first - 1, ";")
            keep_code(canvas, text, tag, None, code)
        else:
            keep_code(canvas, text, tag, after, code)
    return Parts({("javascript", "server"): canvas.masked(), **page.texts}, page.skipped or len(tags) == MAX_TAGS)
