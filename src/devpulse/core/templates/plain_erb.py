"""ERB outside of Rails, which escapes nothing unless the program is set up to: so nothing is certain here.

https://sinatrarb.com/intro.html#available-template-languages, https://docs.ruby-lang.org/en/master/ERB.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from devpulse.core.templates.base import Format, Tag
from devpulse.core.templates.erb import FORMAT as ERB


def tags(text: str) -> Iterator[Tag]:
    """Every ``<% %>``."""
    for tag in ERB.tags(text):
        yield tag if tag.expression is None or tag.raw else replace(tag, raw=True, certain=False)


FORMAT = Format("plain_erb", ERB.syntax, tags, ERB.assigned, followed=True)
