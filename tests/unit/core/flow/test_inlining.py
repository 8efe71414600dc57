from __future__ import annotations

from dataclasses import replace

from devpulse.core.flow.environment import Environment
from devpulse.core.flow.facts import ALLOWED, NOTHING, Fact, Facts
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.frames import Exit, Frame
from devpulse.core.flow.inlining import bind_arguments, conclude
from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.records import Scope
from devpulse.core.flow.values import CLEAN, Level, Origin, Value, tainted, text

BAD = tainted(Origin(1, Level.REQUEST, "q", 1))
OK = text("x")


def parameter(name: str) -> Parameter:
    return Parameter(name, Level.PARAMETER, 1)


def test_bind_arguments__by_place_name_and_default():
    parameters = [
        parameter("self"),
        parameter("a"),
        replace(parameter("b"), default=OK),
        replace(parameter("c"), kind="keyword"),
    ]
    bound = bind_arguments(parameters, [Passed(None, BAD), Passed("c", BAD)], OK)
    assert bound.values == {"self": OK, "a": BAD, "b": OK, "c": BAD}
    assert bound.arguments == {"a": 0, "c": 1}


def test_bind_arguments__the_rest():
    parameters = [parameter("a"), replace(parameter("rest"), kind="*"), replace(parameter("named"), kind="**")]
    values = bind_arguments(parameters, [Passed(None, OK), Passed(None, BAD), Passed("k", BAD)], None).values
    assert values["rest"].fields == (("0", BAD),)
    assert values["named"].fields == (("k", BAD),)
    assert values["rest"].exact


def test_bind_arguments__taken_apart_and_spread():
    parts = [replace(parameter("x"), field="x", more=True), replace(parameter("y"), field="y"), parameter("z")]
    whole = Value(taints=BAD.taints, fields=(("x", BAD),), collection=True, exact=True)
    assert bind_arguments(parts, [Passed(None, whole), Passed(None, OK)], None).values == {
        "x": BAD,
        "y": CLEAN,
        "z": OK,
    }
    spread = bind_arguments([parameter("a")], [Passed(None, whole, spread=True)], None).values["a"]
    assert spread.taints == BAD.taints


def exits(*ways: tuple[Value, Facts, frozenset[str]]) -> Frame:
    frame = Frame(Scope("f", ()), Environment(), [], called=True)
    frame.exits.extend(Exit(value, facts, {}, settled) for value, facts, settled in ways)
    return frame


TRUE, FALSE = Value(constant=True), Value(constant=False)
ALLOWED_X = Fact(ALLOWED, key="x")


def test_conclude__what_a_truth_value_proves():
    outcome = conclude(exits((TRUE, NOTHING, frozenset({"x"})), (FALSE, NOTHING, frozenset())))
    assert outcome.facts == Facts((ALLOWED_X,))
    assert outcome.always == ()
    careless = conclude(exits((TRUE, NOTHING, frozenset({"x"})), (TRUE, NOTHING, frozenset())))
    assert careless.facts == NOTHING


def test_conclude__what_returning_proves():
    assert conclude(exits((CLEAN, NOTHING, frozenset({"x"})))).always == (ALLOWED_X,)
    assert conclude(exits((CLEAN, Facts((ALLOWED_X,)), frozenset()))).facts.if_true == (ALLOWED_X,)
    assert not conclude(exits()).returns
