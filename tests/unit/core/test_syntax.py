from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core import syntax
from devpulse.core.languages import LANGUAGES
from devpulse.core.syntax import innermost, parse, symbols_of

NESTED = (
    "class Outer:\n    def method(self):\n        def inner():\n            return 1\n        return inner\n\nx = 1\n"
)


def test_parse__same_text_gives_the_kept_tree():
    assert parse("python", "a = 1\n") is parse("python", "a = 1\n")
    assert parse("python", "a = 1\n") is not parse("javascript", "a = 1\n")


def test_parse__unknown_language():
    with pytest.raises(KeyError):
        parse("cobol", "x")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (1, "Outer"),
        (2, "Outer.method"),
        (4, "Outer.method.inner"),
        (5, "Outer.method"),
        (6, None),
        (7, "x"),
        (99, None),
    ],
)
def test_innermost__of_nested_definitions(line, name):
    symbol = innermost(symbols_of("", "python", NESTED), line)
    assert (symbol.qualified_name if symbol else None) == name


def test_innermost__one_line_nesting_gives_the_inner_one():
    symbols = symbols_of("m.js", "javascript", "class A { run() { return 1; } }\n")
    assert [symbol.qualified_name for symbol in symbols] == ["A", "A.run"]
    assert innermost(symbols, 1) == symbols[1]


def test_symbols_of__symbols_are_picklable_and_carry_the_path():
    symbols = symbols_of("a/b.py", "python", NESTED)
    assert pickle.loads(pickle.dumps(symbols)) == symbols
    assert {symbol.path for symbol in symbols} == {"a/b.py"}
    assert {symbol.path for symbol in symbols_of("c.py", "python", NESTED)} == {"c.py"}


def test_symbols_of__from_many_threads():
    texts = [f"def f{number}():\n    return {number}\n" for number in range(40)] * 3
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: symbols_of("m.py", "python", text)[0].name, texts))
    assert found == [f"f{number}" for number in range(40)] * 3


DEEP = {
    "python": [
        "x = " + "(" * 10_000 + ")" * 10_000 + "\ndef f():\n    pass\n",
        "x = " + "[" * 10_000 + "\n",
        "\n".join(" " * depth + "def f():" for depth in range(300)),
        "a = " * 5_000 + "1\n",
        "f(" * 10_000,
    ],
    "javascript": [
        "x = " + "(" * 10_000 + ")" * 10_000 + ";\nfunction f() {}\n",
        "{" * 10_000,
        "function f() {" * 3_000 + "}" * 3_000,
        "x = {a: " * 5_000,
        "app.get('/x', () => " * 3_000,
        "r.route('/x')" + ".get(() => {})" * 500,
        "// note\n" * 3_000 + "function f() {}",
    ],
}


@pytest.mark.parametrize(("language", "text"), [(name, text) for name, texts in DEEP.items() for text in texts])
def test_symbols_of__very_deep_nesting_is_no_error(language, text):
    assert isinstance(symbols_of("m", language, text), tuple)


def test_symbols_of__definitions_after_deep_nesting_are_found():
    assert symbols_of("m.py", "python", DEEP["python"][0])[-1].name == "f"
    assert symbols_of("m.js", "javascript", DEEP["javascript"][0])[-1].name == "f"


def test_symbols_of__qualified_names_of_deep_nesting_stay_short():
    symbols = symbols_of("m.js", "javascript", DEEP["javascript"][2])
    assert len(symbols) == 3_000
    assert max(len(symbol.qualified_name) for symbol in symbols) < 100


def test_symbols_of__a_line_of_a_megabyte():
    text = "data = '" + "x" * 900_000 + "'\ndef f(): pass\n"
    assert [symbol.name for symbol in symbols_of("m.py", "python", text)] == ["data", "f"]


@settings(max_examples=75, deadline=None)
@given(
    language=st.sampled_from(sorted(LANGUAGES)),
    pieces=st.lists(
        st.sampled_from(
            [
                "def f(",
                "):\n",
                "class A",
                "{",
                "}",
                "\n",
                "    ",
                "\t",
                "function g(",
                "=>",
                "const x = ",
                "@d\n",
                "export ",
                "lambda: 1",
                "'",
                '"',
                "`",
                "/*",
                "*/",
                "#",
                "//",
                "\r\n",
                "\ufeff",
                "\ufffd",
                "é",
                "app.get('/x', ",
                "\0",
                "async ",
            ]
        ),
        max_size=30,
    ),
)
def test_symbols_of__any_text_gives_spans_inside_it(language, pieces):
    text = "".join(pieces)
    lines = text.count("\n") + 1
    for symbol in symbols_of("m", language, text):
        assert 1 <= symbol.start_line <= symbol.end_line <= lines
        assert symbol.name
        assert symbol.qualified_name.endswith(symbol.name) or symbol.name == "exports"
        assert "\n" not in symbol.signature + symbol.docstring
        assert len(symbol.signature) <= 200
        assert len(symbol.docstring) <= 300


def test_symbols_of__a_kept_tree_is_used(monkeypatch):
    text = "class Kept:\n    def tree(self):\n        pass\n"
    fresh = symbols_of("one.py", "python", text)
    parse("python", text)
    monkeypatch.setattr(syntax, "parse_within_limit", None)
    assert [symbol.name for symbol in symbols_of("two.py", "python", text)] == ["Kept", "tree"]
    assert [replace(symbol, path="two.py") for symbol in fresh] == list(symbols_of("two.py", "python", text))


def test_symbols_of__for_symbols_alone_no_tree_is_kept():
    text = "def no_tree_of_this(): pass\n"
    symbols_of("one.py", "python", text)
    assert syntax._trees.kept(("python", syntax._keyed(text)[1])) is None
