from __future__ import annotations

import pytest

from devpulse.core.flow.effects import EFFECTS, filled, format_verbs
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import CLEAN, HOLE, Level, Origin, Value, join, tainted, text

HARM = tainted(Origin(1, Level.REQUEST, "x", 1))


def effect(name: str, receiver: Value | None, *values: Value) -> Value:
    return EFFECTS[name](receiver, [Passed(None, value) for value in values])


@pytest.mark.parametrize(
    ("values", "skeleton", "harmful"),
    [
        ([text("a %s b"), HARM], f"a {HOLE} b", True),
        ([text("a %d b"), HARM], f"a {HOLE} b", False),
        ([text("%2$s"), CLEAN, HARM], HOLE, True),
        ([text("%1$s"), CLEAN, HARM], HOLE, False),
        ([text("%[2]v"), CLEAN, HARM], HOLE, True),
        ([text("a%n%s"), HARM], f"a\n{HOLE}", True),
        ([text("100%% %s"), HARM], f"100% {HOLE}", True),
        ([CLEAN, text("%s"), HARM], HOLE, True),
        ([HARM, text("a")], f"{HOLE}a", True),
    ],
)
def test_format_verbs__places(values: list[Value], skeleton: str, harmful: bool):
    value = format_verbs(values)
    assert value.skeleton == skeleton
    assert bool(value.taints) is harmful


def test_effects__texts_grow():
    assert effect("append_text", None).skeleton == ""
    assert effect("append_text", text("a"), HARM, text("b")).skeleton == f"a{HOLE}b"
    assert effect("append_text", CLEAN, text("b")).skeleton == "b"
    assert effect("prepend_text", text("a"), text("0"), text("b")).skeleton == "ba"
    assert effect("append_format", text("a"), text("%s"), HARM).skeleton == f"a{HOLE}"


def test_effects__collections_grow():
    value = effect("add_item", effect("add_item", None, text("sh")), HARM)
    assert [(key, item.skeleton) for key, item in value.fields] == [("0", "sh"), ("1", HOLE)]
    assert value.collection
    assert effect("put_item", value, text("k"), text("v")).field("k") == text("v")
    assert effect("clear", value) == CLEAN


def test_effects__paths():
    rooted = effect("rooted_path", None, Value(HARM.taints, f"/{HOLE}"))
    assert rooted.resolved
    assert rooted.taints[0].cleaned == {Purpose.PATH}
    assert not effect("rooted_path", None, HARM).taints[0].cleaned
    assert effect("last_of_path", Value(HARM.taints, HOLE, path=True)).taints[0].cleaned == {Purpose.PATH}
    assert not effect("last_of_path", HARM).taints[0].cleaned


def test_filled__what_it_reads_or_was_given():
    assert filled(HARM, [CLEAN]).taints == HARM.taints
    assert filled(CLEAN, [text("a"), HARM]).taints == join([text("a"), HARM]).taints
    assert filled(CLEAN, [text("a")]) == CLEAN
