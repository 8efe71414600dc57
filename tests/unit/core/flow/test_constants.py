from __future__ import annotations

import pytest

from devpulse.core.flow.constants import calculate, compare, index, known, literal, negated, of_call
from devpulse.core.flow.values import CLEAN, NULL, Value, text, truth


def constant(value: object) -> Value:
    found = known(value)
    assert found is not None
    return found


def outcome(value: Value | None) -> object:
    return None if value is None else value.constant


@pytest.mark.parametrize(
    ("symbol", "left", "right", "expected"),
    [
        ("+", 2, 3, 5),
        ("*", 7, 18, 126),
        ("/", 500, 42, 500 / 42),
        ("%", 7, 0, None),
        ("+", "a", "b", "ab"),
        ("+", "a", 1, None),
        ("*", "a", 3, None),
        ("*", 1 << 40, 1 << 40, None),
        ("&&", 1, 1, None),
    ],
)
def test_calculate(symbol: str, left: object, right: object, expected: object):
    assert outcome(calculate(symbol, constant(left), constant(right))) == expected


@pytest.mark.parametrize(
    ("symbol", "left", "right", "expected"),
    [
        (">", constant(232), constant(200), True),
        ("==", text("a"), text("b"), False),
        ("==", text("1"), constant(1), None),
        ("in", text("b"), text("abc"), True),
        ("not in", text("a"), Value(collection=True, exact=True), True),
        ("in", text("a"), CLEAN, None),
        ("is", Value(role=NULL), Value(role=NULL), True),
        ("is not", text("a"), Value(role=NULL), True),
        ("==", CLEAN, Value(role=NULL), None),
        ("<", Value(role=NULL), constant(1), None),
    ],
)
def test_compare(symbol: str, left: Value, right: Value, expected: object):
    assert outcome(compare(symbol, left, right)) == expected


def test_literal():
    assert outcome(literal("integer", "0x10")) == 16
    assert outcome(literal("float", "1.5")) == 1.5
    assert outcome(literal("true", "True")) is True
    assert outcome(literal("unary_operator", "-2")) == -2
    assert literal("none", "None") == Value(skeleton="0", role=NULL)
    assert literal("string", "a") is None
    assert outcome(literal("number", "9" * 30)) is None


def test_index_and_calls():
    assert outcome(index(text("ABC"), constant(1))) == "B"
    assert outcome(index(text("ABC"), constant(-1))) == "C"
    assert index(text("ABC"), constant(3)) is None
    assert outcome(of_call("len", None, [text("ABC")])) == 3
    assert outcome(of_call("s.charAt", text("ABC"), [constant(2)])) == "C"
    assert outcome(of_call("s.upper", text("ab"), [])) == "AB"
    assert outcome(of_call("s.startswith", text("ab"), [text("a")])) is True
    assert of_call("f", None, [text("a")]) is None


def test_truth():
    assert truth(Value(role=NULL)) is False
    assert truth(text("")) is False
    assert truth(CLEAN) is None
    assert outcome(negated(text(""))) is True
    assert negated(CLEAN) is None
