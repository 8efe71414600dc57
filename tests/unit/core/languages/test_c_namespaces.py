"""Namespaces that a broken tree has lost."""

import time

import pytest

from devpulse.core.syntax import symbols_of


def found(text: str) -> list[tuple[str, int, int]]:
    return [(s.qualified_name, s.start_line, s.end_line) for s in symbols_of("m.cpp", "cpp", text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "int x = {\nnamespace a {\nnamespace b {\nint g() { return 1; }\nclass K { };\n}\n}\n",
            [("a", 2, 7), ("a.b", 3, 6), ("a.b.g", 4, 4), ("a.b.K", 5, 5)],
        ),
        (
            "#define X(\nnamespace a {\n  namespace b {\n    class C : D {\n      void h() { if ( }\n    };\n  }\n}\n",
            [("a", 2, 8), ("a.b", 3, 7), ("a.b.C", 4, 6), ("a.b.C.h", 5, 5)],
        ),
        (
            "void f( {\nnamespace a { namespace b {\nint g() {\n  return 1;\n}\n}}\n",
            [("f", 1, 2), ("a", 2, 6), ("a.b", 2, 6), ("a.b.g", 3, 5)],
        ),
        (
            "int x = {\n// namespace no {\nnamespace a::b {\nint g() { f('}'); }\n}  // namespace a::b\nint h() { }\n",
            [("a.b", 3, 5), ("a.b.g", 4, 5), ("h", 6, 6)],
        ),
    ],
    ids=["unclosed value", "unclosed macro", "on one line", "comment and character"],
)
def test_with_lost_namespaces__names_what_stands_in_them(text, expected):
    assert found(text) == expected


def test_with_lost_namespaces__one_that_nothing_closes_ends_with_the_text():
    assert found("int x = {\nnamespace a {\nint g() { return 1; }\n")[0] == ("a", 2, 3)


@pytest.mark.parametrize(
    "text", ["namespace a{int x;}" * 2_000, "namespace a{" * 2_000, "{" * 50_000, "namespace a{}\n" * 4_000]
)
def test_with_lost_namespaces__hostile_text_ends_soon(text):
    begin = time.process_time()
    found(f"int x = {{\n{text}")
    assert time.process_time() - begin < 5
