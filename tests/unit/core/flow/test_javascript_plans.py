from __future__ import annotations

import pytest

from devpulse.core.flow import operations as ops
from devpulse.core.flow.javascript_plans import PLANS
from devpulse.core.flow.syntax_nodes import node_text, walk
from devpulse.core.syntax import parse


def plan_of(text):
    """How the outermost branching statement of a text runs."""
    node = next(each for each in walk(parse("javascript", text)) if each.type in PLANS)
    return PLANS[node.type](node)


def branches(plan):
    return [step for step in plan.steps if isinstance(step, ops.Branch)]


@pytest.mark.parametrize(
    ("text", "exits"),
    [
        ("if (a) { return; }", [True]),
        ("if (a) throw b;", [True]),
        ("if (a) { process.exit(1); }", [True]),
        ("if (a) { b(); }", [False]),
        ("if (a) { b(); } else { return; }", [False, True]),
        ("if (a) { return; } else if (b) { c(); }", [True, False]),
    ],
)
def test_if__which_branch_leaves(text, exits):
    assert [branch.exits for branch in branches(plan_of(text))] == exits


def test_if__the_condition_guards_the_first_branch_alone():
    plan = plan_of("if (a) { b(); } else { c(); }")
    first, second = branches(plan)
    assert first.condition is not None
    assert node_text(first.condition) == "(a)"
    assert second.condition is None
    assert plan.exhaustive
    assert not plan_of("if (a) { b(); }").exhaustive


@pytest.mark.parametrize(
    "text", ["for (const a of b) { c(a); }", "for (;;) { a(); }", "while (a) { b(); }", "do { a(); } while (b)"]
)
def test_loop__may_run_never_or_often(text):
    plan = plan_of(text)
    assert plan.loops
    assert not plan.exhaustive


def test_loop__what_holds_behind_it():
    until = plan_of("while (a) { b(); }").until
    assert until is not None
    assert node_text(until) == "(a)"
    assert plan_of("while (a) { if (c) break; }").until is None


def test_loop__binds_what_it_goes_through():
    visit, bind, _ = plan_of("for (const a of b) { c(a); }").steps
    assert isinstance(visit, ops.Visit)
    assert node_text(visit.node) == "b"
    assert isinstance(bind, ops.Bind)


def test_try__rescues_and_what_runs_in_any_case():
    plan = plan_of("try { a(); } catch (b) { return; } finally { c(); }")
    attempt, rescue = branches(plan)
    assert (attempt.attempt, attempt.rescues, attempt.exits) == (True, False, False)
    assert (rescue.attempt, rescue.rescues, rescue.exits) == (False, True, True)
    assert [node.type for node in plan.last] == ["finally_clause"]


def test_switch__constants_fall_through_to_the_first_that_leaves():
    plan = plan_of("switch (a) { case 'x': case 'y': return 1; default: return 2; }")
    told, other = branches(plan)
    assert told.cases is not None
    assert [node_text(node) for node in told.cases] == ["'x'", "'y'"]
    assert other.cases == ()
    assert plan.exhaustive
    assert plan.subject is not None


def test_switch__one_that_runs_into_the_next_proves_nothing():
    plan = plan_of("switch (a) { case 'x': b(); case 'y': c(); break; }")
    assert branches(plan)[0].cases is None
    assert plan.subject is None
    assert not plan.exhaustive
