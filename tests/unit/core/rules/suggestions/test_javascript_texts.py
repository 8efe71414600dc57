from __future__ import annotations

import pytest
from tree_sitter import Node

from devpulse.core.rules.suggestions.built_texts import Part
from devpulse.core.rules.suggestions.javascript_texts import expression, literal, parts_of_text
from devpulse.core.syntax import parse


def _expression(code: str) -> Node:
    return parse("javascript", code).root_node.named_children[0].named_children[0]


@pytest.mark.parametrize("code", ["'a ' + x", "`a ${x}`", "'a' + ' ' + x", "'a ' + `${x}`"])
def test_parts_of_text__every_way_of_building(code: str) -> None:
    parts = parts_of_text(_expression(code))
    assert parts is not None
    assert "".join(part.text for part in parts if not part.value) == "a "
    assert parts[-1] == Part("x", value=True)


@pytest.mark.parametrize("code", ["x + 'a'", "`a ${x + 1}`", "`a\\n${x}`", "tag`a ${x}`", "'a' - x", "x"])
def test_parts_of_text__nothing_for_others(code: str) -> None:
    assert parts_of_text(_expression(code)) is None


def test_literal__quotes_that_fit() -> None:
    texts = ["a", 'say "a"', "two\nlines", 'it\'s "a"', "a\n${b}"]
    assert [literal(text) for text in texts] == ['"a"', "'say \"a\"'", "`two\nlines`", None, None]


def test_expression__of_values_and_texts() -> None:
    value = Part("x", value=True)
    assert expression([value], text=False) == "x"
    assert expression([value], text=True) == "String(x)"
    assert expression([Part("-n"), value], text=True) == "`-n${x}`"
    assert expression([Part("`"), value], text=True) is None
