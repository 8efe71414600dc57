from __future__ import annotations

import pytest

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import (
    CLEAN,
    MAX_TAINTS,
    Level,
    Origin,
    Place,
    Value,
    cleaned,
    concatenate,
    join,
    place_after,
    step,
    tainted,
    text,
    trail_of,
)


def source(number: int = 1, level: Level = Level.REQUEST) -> Value:
    return tainted(Origin(number, level, f"v{number}", 1))


@pytest.mark.parametrize(
    ("prefix", "place"),
    [
        ("SELECT * FROM t WHERE a = '", Place.QUOTED),
        ("SELECT * FROM t WHERE a = ", Place.DATA),
        ("SELECT * FROM t WHERE a LIKE ", Place.DATA),
        ("INSERT INTO t (a, b) VALUES (1, ", Place.DATA),
        ("SELECT * FROM t LIMIT ", Place.DATA),
        ("SELECT * FROM ", Place.IDENTIFIER),
        ("SELECT * FROM t ORDER BY ", Place.IDENTIFIER),
        ("UPDATE `", Place.IDENTIFIER),
        ("hello ", Place.UNCLEAR),
    ],
)
def test_place_after(prefix: str, place: Place):
    assert place_after(prefix) is place


def test_concatenate__keeps_a_place_once_found():
    inner = concatenate((text(" WHERE a = '"), source(), text("'")))
    outer = concatenate((text("SELECT * FROM t"), inner))
    assert [taint.place for taint in outer.taints] == [Place.QUOTED]
    assert outer.skeleton == "SELECT * FROM t WHERE a = '\ufffc'"


def test_join__clean_on_one_way_is_not_clean():
    value = source()
    (taint,) = join((cleaned(value, Purpose.PATH), value)).taints
    assert taint.cleaned == frozenset()
    (taint,) = join((cleaned(value, Purpose.PATH), cleaned(value, Purpose.PATH))).taints
    assert taint.cleaned == {"path"}


def test_join__keeps_the_most_distrusted():
    values = [source(n, Level.UNKNOWN) for n in range(30)] + [source(99)]
    joined = join(values)
    assert len(joined.taints) == MAX_TAINTS
    assert joined.taints[0].origin.id == 99
    assert join(()) is CLEAN


def test_step__one_for_each_line():
    value = step(step(step(source(), 2, "a"), 2, "b"), 3, "c")
    assert [(mark.line, mark.note) for mark in trail_of(value.taints[0])] == [(2, "a"), (3, "c")]


def test_text__long_ones_are_shortened_in_the_middle():
    shortened = text("SELECT " + "a," * 5_000 + " FROM t WHERE x = ").skeleton
    assert shortened is not None
    assert len(shortened) < 700
    assert shortened.startswith("SELECT")
    assert shortened.endswith("WHERE x = ")
