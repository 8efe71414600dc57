from __future__ import annotations

import pytest

from devpulse.core.flow.javascript import JavascriptAdapter
from devpulse.core.flow.labels import NAMELESS, label_of, shown_name
from devpulse.core.flow.python import PythonAdapter
from devpulse.core.syntax import parse

PYTHON = [
    ("request.args['token']", "request.args"),
    ("request.args", "request.args"),
    ("(await load('x'))['y']", "load()"),
    ("self.get_argument('x')", "self.get_argument()"),
    ("a()['x'].b('y')", "b()"),
    ("'literal'.x", NAMELESS),
    ("table['x']('y')", NAMELESS),
    ("a" + "['x']" * 60, NAMELESS),
]


@pytest.mark.parametrize(("code", "label"), PYTHON)
def test_label_of__python(code: str, label: str):
    node = parse("python", code).root_node.named_children[0].named_children[0]
    assert label_of(node, PythonAdapter()) == label


def test_label_of__javascript():
    node = parse("javascript", "req.query['x'].y").root_node.named_children[0].named_children[0]
    assert label_of(node, JavascriptAdapter()) == "req.query"


def test_shown_name__a_credential_is_none():
    assert shown_name("user.name") == "user.name"
    assert shown_name("a.AKIAQ3EGRJ7T2KLMNPQR") == NAMELESS
