from __future__ import annotations

from devpulse.core.flow.environment import Environment
from devpulse.core.flow.values import CLEAN, Level, Origin, tainted, text

BAD = tainted(Origin(1, Level.REQUEST, "q", 1))
SAFE = text("x")


def branch(environment: Environment, *, exits: bool = False, exhaustive: bool = False, check: bool = False) -> None:
    environment.open_choice()
    environment.open_branch()
    environment.set("a", SAFE)
    if check:
        environment.check(1, "path")
    environment.close_branch(exits=exits)
    environment.close_choice(exhaustive=exhaustive)


def test_close_choice__a_branch_that_may_not_run_adds_its_value():
    environment = Environment()
    environment.set("a", BAD)
    branch(environment, check=True)
    value = environment.get("a")
    assert value is not None
    assert value.taints == BAD.taints
    assert environment.checks(1) == frozenset()


def test_close_choice__a_branch_that_always_runs_replaces_it():
    environment = Environment()
    environment.set("a", BAD)
    branch(environment, exhaustive=True, check=True)
    assert environment.get("a") == SAFE
    assert environment.checks(1) == {"path"}


def test_close_branch__one_that_exits_leaves_nothing():
    environment = Environment()
    environment.set("a", BAD)
    branch(environment, exits=True, check=True)
    assert environment.get("a") == BAD
    assert environment.checks(1) == frozenset()


def test_get__falls_back_to_the_enclosing_function():
    outer = Environment()
    outer.set("a", BAD)
    outer.check(1, "path")
    inner = Environment(outer)
    assert inner.get("a") == BAD
    assert inner.checks(1) == {"path"}
    inner.set("a", CLEAN)
    assert outer.get("a") == BAD
    assert inner.get("b") is None


def test_break_out__what_holds_there_holds_after_the_loop():
    environment = Environment()
    environment.set("x", CLEAN)
    environment.open_choice()
    environment.open_branch(loop=True)
    environment.open_choice()
    environment.open_branch()
    environment.set("x", text("found"))
    environment.break_out()
    environment.close_branch(exits=True)
    environment.close_choice(exhaustive=False)
    environment.close_branch(exits=False)
    environment.close_choice(exhaustive=False)
    assert (environment.get("x") or CLEAN).skeleton == "found"


def test_close_choice__each_item_was_verified():
    environment = Environment()
    for each in (False, True):
        environment.open_choice()
        environment.open_branch(loop=True)
        environment.check(1, "path")
        environment.close_branch(exits=False)
        environment.close_choice(exhaustive=False, each=each)
        assert ("path" in environment.checks(1)) is each
