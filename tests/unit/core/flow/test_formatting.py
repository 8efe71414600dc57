from __future__ import annotations

from devpulse.core.flow.formatting import Passed, format_braces, format_percent
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import CLEAN, Level, Origin, Place, tainted, text

NAME = tainted(Origin(1, Level.PARAMETER, "name", 1))
SIZE = tainted(Origin(2, Level.PARAMETER, "size", 1))


def test_format_percent__each_argument_at_its_place() -> None:
    value = format_percent(text("SELECT a FROM t WHERE b = '%s' AND c > %d"), CLEAN, [NAME, SIZE])
    assert [(taint.origin.label, taint.place) for taint in value.taints] == [
        ("name", Place.QUOTED),
        ("size", Place.DATA),
    ]


def test_format_percent__a_number_is_safe_for_all_but_sql() -> None:
    (taint,) = format_percent(text("%d"), SIZE, None).taints
    assert taint.cleaned == frozenset(Purpose) - {Purpose.SQL}


def test_format_percent__a_text_is_safe_for_nothing() -> None:
    (taint,) = format_percent(text("%s"), SIZE, None).taints
    assert not taint.cleaned


def test_format_braces__a_number_is_safe_for_all_but_sql() -> None:
    (taint,) = format_braces(text("{:d}"), [Passed(None, SIZE)]).taints
    assert taint.cleaned == frozenset(Purpose) - {Purpose.SQL}


def test_format_braces__names() -> None:
    value = format_braces(text("a {size} b {name:>8}"), [Passed("name", NAME), Passed("size", SIZE)])
    assert [taint.origin.label for taint in value.taints] == ["name", "size"]
    assert not any(taint.cleaned for taint in value.taints)
