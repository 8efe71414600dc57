"""Templates of ERB: the Ruby in their tags, of which ``<%==`` puts out what it is given without escaping it
(https://github.com/jeremyevans/erubi, https://docs.ruby-lang.org/en/master/ERB.html), and the scripts of the page."""

from __future__ import annotations

from devpulse.core.embedded.masking import Canvas, Parts, called
from devpulse.core.embedded.scripts import script_parts
from devpulse.core.embedded.tags import MAX_TAGS, keep_code, tags_in, without_comment, without_tags
from devpulse.core.lazy_pattern import lazy

_MARKS = ("==", "=", "%", "#", "-")
_OPENS = lazy(r"(?:\bdo|\{)\s*+(?:\|[^|]*+\|)?+$")
_COMMENT = lazy(r"(?:^|(?<=\s))#(?!\{)[^\n\"']*$")


def parts_of(text: str) -> Parts:
    """The Ruby and the scripts of a template."""
    page = script_parts(without_tags(text))
    tags = tags_in(text, _MARKS, "-")
    if not tags:
        return page
    canvas = Canvas(text)
    for tag, after in zip(tags, [*tags[1:], None], strict=True):
        if tag.mark in ("%", "#"):
            continue
        code = without_comment(text[tag.first : tag.last], _COMMENT)
        if tag.mark == "==" and not _OPENS.search(code.rstrip()):
            canvas.keep(tag.start, called("<%=="))
            canvas.keep(tag.first, code)
            canvas.keep(tag.end - 2, ");")
        else:
            keep_code(canvas, text, tag, after, code)
    return Parts({("ruby", "server"): canvas.masked(), **page.texts}, page.skipped or len(tags) == MAX_TAGS)
