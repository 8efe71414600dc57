from __future__ import annotations

import pytest
from hypothesis import example, settings
from hypothesis import given as cases
from hypothesis import strategies as st
from tree_sitter import Node

from devpulse.core.given import Given, given_at
from devpulse.core.knowledge.model import EVERY, RECEIVER, Condition, Sink
from devpulse.core.syntax import parse

CASES = [
    (")", Given.NOTHING),
    (" \n )", Given.NOTHING),
    ("'a')", Given.CONSTANT),
    ('"a\\"b" )', Given.CONSTANT),
    ("rb'a')", Given.CONSTANT),
    ("1_000)", Given.CONSTANT),
    ("'a', b)", Given.CONSTANT_FIRST),
    ("'a',)", Given.CONSTANT_FIRST),
    ("name=b)", Given.KEYWORDS),
    ("name == b)", Given.ANYTHING),
    ("b)", Given.ANYTHING),
    ("f'{b}')", Given.ANYTHING),
    ("'a' + b)", Given.ANYTHING),
    ("'a' 'b' + c)", Given.ANYTHING),
    ("'a' % b)", Given.ANYTHING),
    ("'''a''' + b)", Given.ANYTHING),
    ("'a'.join(b))", Given.ANYTHING),
    ("1 if a else b)", Given.ANYTHING),
    ("1.5)", Given.ANYTHING),
    ("*a)", Given.ANYTHING),
    ("# note )\n b)", Given.ANYTHING),
    ("'a\nb')", Given.ANYTHING),
    ("`a`)", Given.ANYTHING),
    ("", Given.ANYTHING),
    ("'open", Given.ANYTHING),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_given_at__the_first_argument(text: str, expected: Given) -> None:
    assert given_at(f"call({text}", 5) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"ls $x")', Given.ANYTHING),
        ('"ls #{x}")', Given.ANYTHING),
        ('"a\\"b {$x}")', Given.ANYTHING),
        ('"ls", $x)', Given.CONSTANT_FIRST),
        ("'ls $x')", Given.CONSTANT),
        ('"ls")', Given.CONSTANT),
    ],
)
def test_given_at__values_in_texts(text: str, expected: Given) -> None:
    assert given_at(text, 0, interpolates=True) is expected


def sink(*arguments: int | str, needs: tuple[Condition, ...] = ()) -> Sink:
    return Sink("path-traversal", "open", arguments, needs=needs)


@pytest.mark.parametrize(
    ("arguments", "reaching"),
    [
        ((0,), {Given.ANYTHING}),
        ((1,), {Given.ANYTHING, Given.CONSTANT_FIRST}),
        ((0, "file"), {Given.ANYTHING, Given.CONSTANT_FIRST, Given.KEYWORDS}),
        ((EVERY,), {Given.ANYTHING, Given.CONSTANT_FIRST, Given.KEYWORDS}),
        ((RECEIVER, 0), set(Given)),
    ],
)
def test_may_reach__by_the_arguments_of_the_sink(arguments: tuple[int | str, ...], reaching: set[Given]) -> None:
    assert {given for given in Given if given.may_reach(sink(*arguments))} == reaching


def test_may_reach__a_sink_with_conditions_is_one_by_those() -> None:
    conditional = sink(0, needs=(Condition("noent", frozenset({"true"})),))
    assert all(given.may_reach(conditional) for given in Given)


PIECES = ("'a'", '"b"', "1", "x", "x=y", "x = 1", ",", ", ", "+", "%", " ", "\n", "# c )\n", "/* c ) */", "(", ")",
          "[x]", "*x", "'it\\'s'", "''", "r'a'", "f'{x}'", "`a${x}`", "if y else z", ".join(x)", "==", "=>", "1_0",
          "0x1", "$x", "'''a'''", "lambda: 1", "é", "\\\n", "//")  # fmt: skip
CONSTANTS = ("string", "integer", "number")


def is_constant(node: Node) -> bool:
    return node.type in CONSTANTS and all(child.type != "interpolation" for child in node.children)


def first_arguments(language: str, text: str) -> list[Node] | None:
    """What stands between the brackets of a text that is one call and no error; ``None`` for any other."""
    root = parse(language, text).root_node
    waiting, calls = [root], []
    while waiting:
        node = waiting.pop()
        if node.type in ("call", "call_expression") and node.start_byte == 0:
            calls.append(node)
        waiting += node.children
    if root.has_error or not calls:
        return None
    innermost = min(calls, key=lambda node: node.end_byte)
    arguments = innermost.child_by_field_name("arguments")
    if arguments is None or arguments.type not in ("arguments", "argument_list"):
        return None
    return [child for child in arguments.named_children if child.type != "comment"]


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_given_at__says_nothing_else_than_the_syntax_tree(language: str) -> None:
    told: set[Given] = set()

    @settings(max_examples=40, deadline=None)
    @cases(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
    @example("")
    @example("'a'")
    @example("f(x)")
    def check(inside: str) -> None:
        text = f"call({inside})"
        arguments = first_arguments(language, text)
        given = given_at(text, 5)
        if arguments is None:
            return
        told.add(given)
        if given is Given.NOTHING:
            assert arguments == []
        elif given is Given.CONSTANT:
            assert [is_constant(item) for item in arguments] == [True]
        elif given is Given.CONSTANT_FIRST:
            assert is_constant(arguments[0])
        elif given is Given.KEYWORDS:
            assert arguments[0].type in ("keyword_argument", "assignment_expression")

    check()
    assert told >= {Given.NOTHING, Given.CONSTANT, Given.ANYTHING}
