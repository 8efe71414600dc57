"""Kinds of symbols."""

from __future__ import annotations

import pytest

from devpulse.core.kinds import is_container, is_function, is_value


@pytest.mark.parametrize(
    ("kind", "container", "value"),
    [
        ("class", True, False),
        ("interface", True, False),
        ("constant", False, True),
        ("variable", False, True),
        ("function", False, False),
        ("method", False, False),
        ("route", False, False),
        ("a kind nobody foresaw", False, False),
    ],
)
def test_is_function__what_neither_holds_definitions_nor_is_a_value(kind, container, value):
    assert (is_container(kind), is_value(kind)) == (container, value)
    assert is_function(kind) == (not container and not value)
