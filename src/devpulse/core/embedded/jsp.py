"""Java server pages: the Java in their tags, of which ``<%=`` puts out what it is given without escaping it
(https://jakarta.ee/specifications/pages/), and the scripts of the page."""

from __future__ import annotations

from devpulse.core.embedded.masking import Canvas, Parts, blank, called, placed
from devpulse.core.embedded.scripts import script_parts
from devpulse.core.embedded.tags import MAX_TAGS, Tag, keep_code, tags_in, without_comment, without_tags
from devpulse.core.lazy_pattern import lazy

_MARKS = ("--", "=", "!", "@")
_COMMENT = lazy(r"(?<![:\"])//[^\n\"]*$")
_EXPRESSION = lazy(r"[$#]\{[^{}\n]{0,300}\}|<c:out\b[^<>]{0,300}>")
_OTHER_TAG = lazy(r"</?[a-z]{1,20}:[\w.-]{1,40}[^<>]{0,500}>")
_IN_TAG = lazy(r"<[\w-]{1,20}:[\w.-]{1,40}(?:\s[^<>]*)?(?:(?<!/)>\s*)?$")
_CLOSES = lazy(r"\s{0,200}</[\w-]{1,20}:")
_FARTHEST_TAG = 1_000
"""Characters before an expression in which a tag is looked for that it is an attribute of."""

_OTHER_TYPE = lazy(r"contentType\s{0,5}=\s{0,5}[\"']\s{0,5}(?!text/html|application/xhtml)[\w.+-]{1,40}/")


def parts_of(text: str) -> Parts:
    """The Java and the scripts of a page."""
    whole = without_tags(text)
    page = script_parts(_plain(whole))
    tags = tags_in(text, _MARKS)
    if not tags:
        return page
    canvas = Canvas(text)
    shows = not any(tag.mark == "@" and _OTHER_TYPE.search(text, tag.first, tag.last) for tag in tags)
    for tag, after in zip(tags, [*tags[1:], None], strict=True):
        if tag.mark in ("--", "@"):
            continue
        code = without_comment(text[tag.first : tag.last], _COMMENT)
        if tag.mark != "=":
            keep_code(canvas, text, tag, after, code)
        elif shows and not _is_attribute(whole, tag):
            canvas.keep(tag.start, called("<%="))
            canvas.keep(tag.first, code)
            canvas.keep(tag.end - 2, ");")
    return Parts({("java", "server"): canvas.masked(), **page.texts}, page.skipped or len(tags) == MAX_TAGS)


def _plain(page: str) -> str:
    """A page with names in the place of what its own language puts out, and without the tags that do something."""
    if "{" in page or "<c:out" in page:
        page = _EXPRESSION.sub(placed, page)
    return _OTHER_TAG.sub(lambda found: blank(found[0]), page)


def _is_attribute(page: str, tag: Tag) -> bool:
    """Whether an expression is given to a tag of a library, in it or alone between it and its end: that may do
    anything with it."""
    start = page.rfind("<", max(tag.start - _FARTHEST_TAG, 0), tag.start)
    if start < 0 or _IN_TAG.match(page, start, tag.start) is None:
        return False
    return page.find(">", start, tag.start) < 0 or _CLOSES.match(page, tag.end) is not None
