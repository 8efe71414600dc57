from __future__ import annotations

import pytest

from devpulse.core.flow import operations as ops
from devpulse.core.flow.javascript_comparisons import method_of, of_begin, of_index
from devpulse.core.flow.syntax_nodes import field_of, node_text, walk
from devpulse.core.syntax import parse


def sides(text):
    """The operator and both sides of the only comparison of a text."""
    (node,) = [each for each in walk(parse("javascript", text)) if each.type == "binary_expression"]
    return node_text(field_of(node, "operator")), field_of(node, "left"), field_of(node, "right")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("list.indexOf(x) !== -1", ops.Same),
        ("list.indexOf(x) > -1", ops.Same),
        ("list.indexOf(x) >= 0", ops.Same),
        ("list.indexOf(x) === -1", ops.Not),
        ("list.indexOf(x) == -1", ops.Not),
        ("list.indexOf(x) < 0", ops.Not),
        ("path.indexOf(root) === 0", ops.Call),
        ("path.indexOf(root) !== 0", ops.Call),
        ("list.indexOf(x) > 3", type(None)),
        ("list.lastIndexOf(x) === -1", type(None)),
        ("place === -1", type(None)),
    ],
)
def test_of_index__what_a_place_says(text, kind):
    assert type(of_index(*sides(text))) is kind


@pytest.mark.parametrize(
    ("text", "callee"),
    [
        ("path.slice(0, root.length) === root", ".startsWith"),
        ("path.substring(0, root.length) == root", ".startsWith"),
        ("path.substr(0, root.length) !== root", ".begins_elsewhere"),
        ("path.slice(1, root.length) === root", None),
        ("path.slice(0, 4) === root", None),
        ("path.slice(0) === root", None),
        ("path.slice(0, root.length) < root", None),
        ("path.trim() === root", None),
    ],
)
def test_of_begin__only_a_whole_beginning(text, callee):
    found = of_begin(*sides(text))
    assert (found.callee if isinstance(found, ops.Call) else found) == callee


def test_of_begin__gives_subject_and_prefix():
    found = of_begin(*sides("path.slice(0, root.length) === base"))
    assert isinstance(found, ops.Call)
    assert found.receiver is not None
    assert node_text(found.receiver) == "path"
    assert [node_text(argument.node) for argument in found.arguments] == ["base"]


@pytest.mark.parametrize(
    ("text", "found"), [("a.b.at(x, y)", ("a.b", "x")), ("at(x)", None), ("a.at()", None), ("a.by(x)", None)]
)
def test_method_of__receiver_and_first_argument(text, found):
    (call,) = [each for each in walk(parse("javascript", text)) if each.type == "call_expression"]
    pair = method_of(call, "at")
    assert (pair and tuple(map(node_text, pair))) == found
