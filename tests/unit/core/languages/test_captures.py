from __future__ import annotations

import pytest

from devpulse.core.flow.syntax_nodes import walk
from devpulse.core.languages import LANGUAGES
from devpulse.core.languages.captures import kinds_in, nodes_of
from devpulse.core.syntax import parse

CODE = {
    "python": "class A:\n    def f(self):\n        return lambda: g(1)\n\nx = A()\n",
    "javascript": "const a = { f() { return () => g(1); } };\nexport default class B {}\n",
    "go": "package a\n\nfunc f() { go func() { g(1) }() }\n",
}


@pytest.mark.parametrize("language", CODE)
@pytest.mark.parametrize("cut", [0, 7])
def test_nodes_of__those_of_a_walk_in_its_order(language: str, cut: int) -> None:
    text = CODE[language][: len(CODE[language]) - cut]
    grammar, root = LANGUAGES[language].grammar(), parse(language, text).root_node
    for kinds in (frozenset({"call", "call_expression", "identifier"}), kinds_in(grammar)):
        expected = [node for node in walk(root) if node.is_named and node.type in kinds]
        found = nodes_of(root, grammar, kinds)
        assert {node.id for node in found} == {node.id for node in expected}
        assert [node.byte_range for node in found] == [node.byte_range for node in expected]


def test_nodes_of__kinds_of_other_grammars() -> None:
    root = parse("python", "f()").root_node
    assert nodes_of(root, LANGUAGES["python"].grammar(), frozenset({"no_such_node"})) == []
