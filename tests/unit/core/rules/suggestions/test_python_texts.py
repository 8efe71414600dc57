from __future__ import annotations

import pytest
from tree_sitter import Node

from devpulse.core.rules.suggestions.built_texts import Part
from devpulse.core.rules.suggestions.python_texts import expression, literal, parts_of_text
from devpulse.core.syntax import parse


def _expression(code: str) -> Node:
    return parse("python", code).root_node.named_children[0].named_children[0]


@pytest.mark.parametrize(
    "code",
    [
        "'a %s' % x",
        "f'a {x}'",
        "'a {}'.format(x)",
        "'a {0}'.format(x)",
        "'a ' + str(x)",
        "('a ' f'{x}')",
        "'a ' + (f'{x}')",
    ],
)
def test_parts_of_text__every_way_of_building(code: str) -> None:
    parts = parts_of_text(_expression(code))
    assert parts is not None
    assert [part for part in parts if part.text] == [Part("a "), Part("x", value=True)]


@pytest.mark.parametrize(
    "code",
    [
        "'a %s %s' % x",
        "'a %(x)s' % x",
        "'a %r' % x",
        "f'{x:>3}'",
        "f'{x=}'",
        "b'a' + x",
        "'a {x}'.format(x=x)",
        "x",
        "x - y",
    ],
)
def test_parts_of_text__nothing_for_others(code: str) -> None:
    assert parts_of_text(_expression(code)) is None


def test_parts_of_text__deep_code() -> None:
    parts = parts_of_text(_expression("'a'" + " + x" * 3000))
    assert parts is not None
    assert len(parts) == 3001


def test_literal__quotes_that_fit() -> None:
    texts = ["a", 'say "a"', "two\nlines", 'it\'s "a"', "back\\slash"]
    assert [literal(text) for text in texts] == ['"a"', "'say \"a\"'", '"""two\nlines"""', None, None]


def test_expression__of_values_and_texts() -> None:
    value = Part("x", value=True)
    assert expression([value], text=False) == "x"
    assert expression([value], text=True) == "str(x)"
    assert expression([Part("x", value=True, joined=True)], text=True) == "x"
    assert expression([Part("-n"), value], text=True) == 'f"-n{x}"'
    assert expression([Part("-n"), Part('x["a"]', value=True)], text=True) is None
