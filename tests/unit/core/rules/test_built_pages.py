"""Which files can have a page that is put together by hand."""

from __future__ import annotations

import pytest

from devpulse.core.rules.built_pages import is_plausible
from devpulse.core.source import Source


def _source(text: str) -> Source:
    return Source("a.py", "python", text, frozenset())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("built", "return '<b>' + request.GET['x']"),
        ("built", "data = '<b>' + self.get_argument('x')"),
        ("written", "request.write('Moved %s<br>' % name)"),
        ("markdown", "entry.html = markdown(text)"),
    ],
)
def test_is_plausible(kind: str, text: str) -> None:
    assert is_plausible(kind, _source(text))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("built", "return '<b>' + name"),
        ("built", "return request.GET['x'] < y"),
        ("written", "request.write('Moved %s' % name)"),
        ("markdown", "html = markdown(text)"),
        ("markdown", "entry.html = bleach.clean(text)\nentry.text = markdown(entry.html)"),
    ],
)
def test_is_plausible__nothing_of_the_kind(kind: str, text: str) -> None:
    assert not is_plausible(kind, _source(text))
