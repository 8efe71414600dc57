from __future__ import annotations

import pytest

from devpulse.core.flow.python_names import callee_text, key_of
from devpulse.core.flow.syntax_nodes import MAX_KEY, field_of, walk
from devpulse.core.syntax import parse


def called(text):
    """What the outermost call of a text calls."""
    call = next(node for node in walk(parse("python", text)) if node.type == "call")
    return field_of(call, "function")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("run(x)", "run"),
        ("os.path.join(x)", "os.path.join"),
        ("größe.lesen(x)", "größe.lesen"),
        ("rows().filter(x)", ".filter"),
        ("rows[0].save(x)", ".save"),
        ("__salt__['cmd.run'](x)", "__salt__.cmd.run"),
        ("__salt__['cmd'](x)", ""),
        ("table[name](x)", ""),
        ("table[0](x)", ""),
        ("(lambda y: y)(x)", ""),
    ],
)
def test_callee_text__a_dotted_name_or_the_last_one(text, name):
    assert callee_text(called(text)) == name


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a.b.c(x)", "a.b.c"),
        ("a().b(x)", None),
        ("a[0].b(x)", None),
        ("a.\\\n    b(x)", None),
        ("a." + "b" * MAX_KEY + "(x)", None),
    ],
)
def test_key_of__a_short_chain_of_names_only(text, key):
    assert key_of(called(text)) == key
