from __future__ import annotations

import pytest
from tables import for_each
from tree_sitter import Node

from devpulse.core.flow import operations as ops
from devpulse.core.flow.python_plans import PLANS
from devpulse.core.flow.syntax_nodes import node_text, walk
from devpulse.core.syntax import parse


def plan_of(text: str) -> ops.Plan:
    """How the outermost branching statement of a text runs."""
    node = next(each for each in walk(parse("python", text)) if each.type in PLANS)
    return PLANS[node.type](node)


def branches(plan: ops.Plan) -> list[ops.Branch]:
    return [step for step in plan.steps if isinstance(step, ops.Branch)]


def written(node: Node | None) -> str | None:
    return node_text(node) if node is not None else None


@for_each(
    (
        ("if a:\n    return\n", [True]),
        ("if a:\n    raise b\n", [True]),
        ("if a:\n    continue\n", [True]),
        ("if a:\n    abort(404)\n", [True]),
        ("if a:\n    flask.abort(404)\n", [True]),
        ("if a:\n    sys.exit(1)\n", [True]),
        ("if a:\n    self.send_error(404)\n", [True]),
        ("if a:\n    abort_later()\n", [False]),
        ("if a:\n    b = exit\n", [False]),
        ("if a:\n    if b:\n        return\n", [False]),
        ("if a:\n    return\nelif b:\n    c()\nelse:\n    raise d\n", [True, False, True]),
    )
)
def test_if__which_branch_leaves(row: tuple[str, list[bool]]) -> None:
    text, exits = row
    assert [branch.exits for branch in branches(plan_of(text))] == exits


def test_if__each_condition_is_visited_and_guards_its_own_branch():
    plan = plan_of("if a:\n    x()\nelif b:\n    y()\nelse:\n    z()\n")
    assert [written(branch.condition) for branch in branches(plan)] == ["a", "b", None]
    assert [written(step.node) for step in plan.steps if isinstance(step, ops.Visit)] == ["a", "b"]
    assert plan.exhaustive
    assert not plan_of("if a:\n    x()\nelif b:\n    y()\n").exhaustive


def test_for__visits_then_binds_then_runs():
    visit, bind, branch = (plan := plan_of("for a in b:\n    c(a)\n")).steps
    assert isinstance(visit, ops.Visit)
    assert written(visit.node) == "b"
    assert isinstance(bind, ops.Bind)
    assert isinstance(branch, ops.Branch)
    assert branch.condition is None
    assert plan.loops
    assert not plan.exhaustive
    assert plan.until is None


def test_while__what_holds_behind_it():
    assert written(plan_of("while a not in b:\n    a = c()\n").until) == "a not in b"
    assert plan_of("while a:\n    if b:\n        break\n").until is None
    assert written(branches(plan_of("while a:\n    b()\n"))[0].condition) == "a"


def test_try__rescues_and_what_runs_in_any_case():
    text = "try:\n    a()\nexcept B:\n    return\nexcept C:\n    pass\nelse:\n    d()\nfinally:\n    e()\n"
    plan = plan_of(text)
    attempt, left, stayed = branches(plan)
    assert [node.type for node in attempt.nodes] == ["block", "else_clause"]
    assert (attempt.attempt, attempt.rescues) == (True, False)
    assert (left.rescues, left.exits) == (True, True)
    assert (stayed.rescues, stayed.exits) == (True, False)
    assert [node.type for node in plan.last] == ["finally_clause"]
    assert plan.exhaustive


@pytest.mark.parametrize(
    ("case", "constants"),
    [
        ("'x'", ["'x'"]),
        ("'x' | 'y'", ["'x'", "'y'"]),
        ("1", ["1"]),
        ("None", ["None"]),
        ("_", []),
        ("name", None),
        ("'x' if b", None),
        ("'x' | name", None),
        ("('x', 'y')", None),
    ],
)
def test_match__the_constants_of_a_case(case: str, constants: list[str] | None):
    (branch,) = branches(plan_of(f"match a:\n    case {case}:\n        b()\n"))
    assert (None if branch.cases is None else [node_text(node) for node in branch.cases]) == constants


def test_match__one_of_its_cases_runs_if_one_takes_the_rest():
    plan = plan_of("match a:\n    case 'x':\n        return 1\n    case _:\n        b()\n")
    assert [branch.exits for branch in branches(plan)] == [True, False]
    assert written(plan.subject) == "a"
    assert plan.exhaustive
    assert not plan_of("match a:\n    case 'x':\n        b()\n").exhaustive
    assert plan_of("match a, b:\n    case _:\n        c()\n").subject is None
