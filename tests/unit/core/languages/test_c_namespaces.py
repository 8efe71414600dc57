"""Namespaces that a broken tree has lost."""

import pytest
from work import assert_time_in_step, assert_work_in_step

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


hostile = pytest.mark.parametrize("unit", ["namespace a{int x;}", "namespace a{", "{", "namespace a{}\n"])


@hostile
def test_with_lost_namespaces__hostile_text_takes_work_in_step_with_it(unit):
    assert_work_in_step(found, lambda count: f"int x = {{\n{unit * count}", 200)


@pytest.mark.slow
@hostile
def test_with_lost_namespaces__hostile_text_takes_time_in_step_with_it(unit):
    assert_time_in_step(found, lambda count: f"int x = {{\n{unit * count}", 1_000)
