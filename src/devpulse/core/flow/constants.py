"""Calculating with constants, as far as branches and indexes depend on it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from devpulse.core.flow.values import NULL, Value, text, truth

MAX_TEXT = 10_000
MAX_NUMBER = 1 << 64
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "===": operator.eq, "is": operator.eq, "!=": operator.ne, "!==": operator.ne,
    "is not": operator.ne, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_LITERALS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NOTHING = frozenset({"none", "null", "nil", "null_literal", "undefined", "None"})
_WHOLE_NUMBERS = frozenset({
    "integer", "number", "decimal_integer_literal", "int_literal", "integer_literal", "hex_integer_literal",
})  # fmt: skip
_FRACTIONS = frozenset({"float", "float_literal", "decimal_floating_point_literal"})


def literal(node_type: str, written: str) -> Value | None:
    """The value of a number, a truth value or nothing, by the kind of its node; ``None`` for other literals."""
    if node_type in _NOTHING:
        return Value(skeleton="0", role=NULL)
    if node_type in ("true", "false", "boolean", "boolean_literal"):
        truth_value = _LITERALS.get(written)
        return known(truth_value) if truth_value is not None else None
    if node_type in ("unary_operator", "unary_expression") and written[:1] == "-" and written[1:].isdigit():
        return known(_number(written))
    if node_type in _WHOLE_NUMBERS or node_type in _FRACTIONS:
        return known(_number(written.replace("_", "").lower())) or Value(skeleton="0")
    return None


def _number(written: str) -> int | float | None:
    if len(written) > 20:
        return None
    try:
        return int(written, 0) if written.strip("+-0123456789") == "" or written[1:2] in "xob" else float(written)
    except ValueError:
        return None


def known(constant: object) -> Value | None:
    """The value that is exactly a constant; ``None`` for what is none, or is too large to go on with."""
    if isinstance(constant, str):
        return text(constant) if len(constant) <= MAX_TEXT else None
    if isinstance(constant, (int, float)) and abs(constant) < MAX_NUMBER:
        return Value(skeleton=str(constant), constant=constant)
    return None


def calculate(symbol: str, left: Value, right: Value) -> Value | None:
    """An operator over two constants; ``None`` when they are not constant or it cannot be done."""
    one, other = left.constant, right.constant
    calculation = _ARITHMETIC.get(symbol)
    if one is None or other is None or calculation is None:
        return None
    if isinstance(one, str) != isinstance(other, str) or (isinstance(one, str) and symbol != "+"):
        return None
    try:
        return known(calculation(one, other))
    except (ArithmeticError, TypeError, ValueError):
        return None


def compare(symbol: str, left: Value, right: Value) -> Value | None:
    """A comparison of two constants; ``None`` when that is not known."""
    if NULL in (left.role, right.role):
        return _against_nothing(symbol, left, right)
    one, other = left.constant, right.constant
    if symbol in ("in", "not in"):
        found = _within(one, right)
        return None if found is None else known(found is (symbol == "in"))
    comparison = _COMPARISONS.get(symbol)
    if one is None or other is None or comparison is None or isinstance(one, str) != isinstance(other, str):
        return None
    return known(comparison(one, other))


def _against_nothing(symbol: str, left: Value, right: Value) -> Value | None:
    equal = symbol in ("==", "===", "is")
    if not equal and symbol not in ("!=", "!==", "is not"):
        return None
    if left.role == right.role:
        return known(equal)
    other = right if left.role == NULL else left
    return known(not equal) if other.constant is not None or other.exact else None


def _within(item: str | float | None, right: Value) -> bool | None:
    if item is None:
        return None
    if isinstance(right.constant, str):
        return item in right.constant if isinstance(item, str) else None
    if right.exact and all(value.constant is not None for _, value in right.fields):
        return any(value.constant == item for _, value in right.fields)
    return None


def index(value: Value, key: Value) -> Value | None:
    """A character of a constant text."""
    if isinstance(value.constant, str) and isinstance(key.constant, int):
        return (
            known(value.constant[key.constant]) if -len(value.constant) <= key.constant < len(value.constant) else None
        )
    return None


def negated(value: Value) -> Value | None:
    """What ``not`` gives for a constant."""
    holds = truth(value)
    return None if holds is None else known(not holds)


_TEXT_METHODS = frozenset({"upper", "lower", "strip", "title", "toUpperCase", "toLowerCase", "trim"})
_SAME_AS = {"toUpperCase": "upper", "toLowerCase": "lower", "trim": "strip"}


def of_call(callee: str, receiver: Value | None, arguments: list[Value]) -> Value | None:
    """A known call over constants: ``len("abc")``, ``"abc".upper()``, ``"abc".charAt(1)``."""
    method = callee.rpartition(".")[2]
    first = arguments[0] if arguments else None
    if receiver is None and callee == "len" and first is not None:
        whole = first.constant if isinstance(first.constant, str) else first.fields if first.exact else None
        return None if whole is None else known(len(whole))
    if receiver is None or not isinstance(receiver.constant, str):
        return None
    if method in _TEXT_METHODS and not arguments:
        return known(getattr(receiver.constant, _SAME_AS.get(method, method))())
    if method in ("charAt", "at") and first is not None:
        return index(receiver, first)
    affix = first.constant if first is not None and method.lower() in ("startswith", "endswith") else None
    if isinstance(affix, str):
        starts = method.lower() == "startswith"
        return known(receiver.constant.startswith(affix) if starts else receiver.constant.endswith(affix))
    return None
