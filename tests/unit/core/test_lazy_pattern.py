from __future__ import annotations

import re

import pytest

from devpulse.core.lazy_pattern import LazyPattern


def test_lazy_pattern__matches_as_a_pattern() -> None:
    pattern = LazyPattern("b+")
    assert pattern.search("abba") is not None
    assert [match.span() for match in pattern.finditer("bb abba", 3, 6)] == [(4, 6)]


def test_lazy_pattern__is_compiled_when_used() -> None:
    broken = LazyPattern("(")
    with pytest.raises(re.error):
        broken.search("")
