"""Parsing that ends."""

import sys
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Parser

from devpulse.core.languages import LANGUAGES
from devpulse.core.languages.parsing import parse_within_limit
from devpulse.core.syntax import parse, symbols_of
from devpulse.errors import ParseLimitReached

COMMENTS = "int f(void) { return 1; }\n" + "/*\n" * 3_000
LAMBDAS = "function f() { return 1; }\n" + "lambda x:\n" * 3_000


@pytest.mark.parametrize(("language", "text"), [("c", COMMENTS), ("cpp", COMMENTS), ("javascript", LAMBDAS)])
def test_parse_within_limit__text_made_to_be_ambiguous(language, text):
    with pytest.raises(ParseLimitReached, match="too tangled"):
        parse(language, text)
    assert symbols_of("x", language, text) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "x = [" + "12, " * 50_000 + "]\n"),
        ("javascript", "export const x = [" + "12," * 50_000 + "];\n"),
        ("python", "(" * 5_000),
        ("python", "def f(:\n" * 2_000),
        ("kotlin", "class A {" * 1_000),
    ],
)
def test_parse_within_limit__large_dense_deep_or_broken_text_is_parsed(language, text):
    assert parse(language, text).root_node.end_byte == len(text)


def test_parse_within_limit__reads_text_in_pieces():
    source = b"# \xc3\xa9\n" * 20_000 + b"def last(): pass\n"
    root = parse_within_limit(LANGUAGES["python"].grammar(), source).root_node
    assert root.end_byte == len(source) > 65_536
    assert root.children[-1].type == "function_definition"


def test_parse_within_limit__nothing_of_a_text_is_left_when_its_tree_is_gone():
    grammar = LANGUAGES["python"].grammar()
    source = b"def f(a):\n    return g(a)\n" * 2_000
    parse_within_limit(grammar, source)
    before = sys.getrefcount(source)
    tracemalloc.start()
    try:
        for _ in range(10):
            parse_within_limit(grammar, source)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < len(source)
    assert sys.getrefcount(source) == before


def test_parse_within_limit__nodes_of_any_size_know_their_text():
    source = b"x = '" + bytes(range(97, 123)) * 20_000 + b"'\ny = 1\n"
    root = parse_within_limit(LANGUAGES["python"].grammar(), source).root_node
    assert root.text == source
    assert [node.text for node in root.children] == source.splitlines()
    assert root.children[1].children[0].children[0].text == b"y"


def test_parse_within_limit__no_text():
    assert parse_within_limit(LANGUAGES["python"].grammar(), b"").root_node.text == b""


PARTS = st.sampled_from(
    ["def f(", "):", "\n", "    ", "x = 1", "'", '"""', "é", "{", "}", "(", ")", "<?php ", "echo", "`", ";", "// a\n"]
)


@pytest.mark.parametrize("language", ["python", "javascript", "php", "ruby"])
@settings(max_examples=50, deadline=None)
@given(text=st.lists(PARTS, max_size=30).map("".join))
def test_parse_within_limit__gives_the_tree_of_the_text(language, text):
    def shape(node):
        return node.type, node.start_byte, node.end_byte, node.is_missing, [shape(child) for child in node.children]

    grammar, source = LANGUAGES[language].grammar(), text.encode()
    found, plain = parse_within_limit(grammar, source).root_node, Parser(grammar).parse(source).root_node
    assert shape(found) == shape(plain)
    assert found.text == plain.text
