from __future__ import annotations

import pytest
from work import assert_time_in_step, assert_work_in_step

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.languages.c import SUPPORT
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
#ifndef SHOP_H
#define SHOP_H
#include "users.h"

/* Larger of two. */
#define MAX(a, b) \\
    ((a) > (b) ? (a) : (b))
#define LIMIT 10

/**
 * Loads one user.
 *
 * @param id its number
 */
static inline struct user *load_user(
    int id, /* the key */
    const char *name)
{
    struct local { int a; };
    #define TWICE(x) ((x) * 2)
    return NULL;
}

int old_style(a, b)
    int a;
    char *b;
{
    return 1;
}

int (*chosen(int a))(int) { return 0; }
int prototype(int a);
extern int elsewhere;
struct forward;

typedef struct user {
    int id;
    struct { int x; } at;
} user_t, *user_p;
typedef struct { int a; } plain;
typedef int (*callback)(void *, int);
typedef unsigned long my_size;

union bits { int a; char b[4]; };
enum level { LOW, HIGH };
struct pair { int a; } one_pair;

static const char *const names[] = { "a", "b" };
static const char *token = "s3cr3t";
int counter = 0, *other, grid[3];
static int (*hook)(int) = 0;

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((noinline)) void last(void) { }
#ifdef __cplusplus
}
#endif
#endif
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("m.h", "c", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


def spans(text: str) -> list[tuple[str, int, int]]:
    return [(s.qualified_name, s.start_line, s.end_line) for s in symbols(text)]


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("MAX", "macro", 6, 7),
        ("LIMIT", "constant", 8, 8),
        ("load_user", "function", 15, 22),
        ("local", "struct", 19, 19),
        ("TWICE", "macro", 20, 20),
        ("old_style", "function", 24, 29),
        ("chosen", "function", 31, 31),
        ("user", "struct", 36, 39),
        ("user_t", "type", 36, 39),
        ("user_p", "type", 36, 39),
        ("plain", "struct", 40, 40),
        ("callback", "type", 41, 41),
        ("my_size", "type", 42, 42),
        ("bits", "union", 44, 44),
        ("level", "enum", 45, 45),
        ("pair", "struct", 46, 46),
        ("one_pair", "variable", 46, 46),
        ("names", "constant", 48, 48),
        ("token", "constant", 49, 49),
        ("counter", "variable", 50, 50),
        ("other", "variable", 50, 50),
        ("grid", "variable", 50, 50),
        ("hook", "variable", 51, 51),
        ("last", "function", 56, 56),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__prototypes_and_forward_declarations_are_left_out():
    assert len(symbols(MODULE)) == 24


def test_extract__signatures_and_docstrings():
    load = named(MODULE, "load_user")
    assert load.signature.startswith("static inline struct user *load_user(int id,")
    assert load.signature.endswith("const char *name)")
    assert load.docstring == "Loads one user."
    assert named(MODULE, "MAX").signature == "#define MAX(a, b)"
    assert named(MODULE, "MAX").docstring == "Larger of two."
    assert named(MODULE, "token").signature == "static const char *token"
    assert named(MODULE, "user").signature == "typedef struct user"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A head for each of two configurations, one body.
        (
            "#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n    return 1;\n}\n\nint g(void) {\n}\n",
            [("f", 2, 7), ("f", 4, 7), ("g", 9, 10)],
        ),
        ('void NO_SANITIZE("x") f(void) {\n}\n', [("f", 1, 2)]),
        ("API_EXPORT int f(void) {\n}\nBOOL g(void) {\n}\n", [("f", 1, 2), ("g", 3, 4)]),
        ("BEGIN_DECLS\n\nint f(void) ATTR_PURE {\n}\n\nEND_DECLS\n", [("f", 3, 4)]),
        ("TEST(suite, one) {\n    x();\n}\n\nTEST(suite, two)\n{\n}\n", [("TEST", 1, 3), ("TEST", 5, 7)]),
        ("struct PACKED pair {\n    int a;\n};\n", [("pair", 1, 3)]),
        ("int f(void) {\n    if (a &&\n#ifdef B\n        b &&\n#endif\n        c) {\n    }\n}\nint g(void) {}\n",
         [("f", 1, 8), ("g", 9, 9)]),
    ],
)  # fmt: skip
def test_extract__macros_and_conditionals_around_definitions(text, expected):
    assert spans(text) == expected


def test_extract__half_edited_code_keeps_what_follows():
    text = (
        "static int a(int x)\n{\n    if (x > {\n        b(;\n}\n\n/* Next. */\nint b(int y) {\n    return y;\n}\n\n"
        "struct s {\n    int f;\n};\n\nint\nc(void)\n{\n}\n"
    )
    found = {name: (start, end) for name, start, end in spans(text)}
    assert found["a"] == (1, 5)
    assert found["b"] == (8, 10)
    assert found["s"] == (12, 14)
    assert found["c"][1] == 19


def test_extract__a_header_may_be_cpp():
    text = (
        "#pragma once\nnamespace shop {\nclass API User : public Base {\n"
        " public:\n  int id() const { return 1; }\n};\n}\n"
    )
    assert spans(text) == [("shop", 2, 7), ("shop.User", 3, 6), ("shop.User.id", 5, 5)]


@pytest.mark.parametrize("text", ["\ufeffint f() {\n}\n", "int f() {\r\n}\r\n", "int f() {\n\t}", "int größe() {\n}"])
def test_extract__bom_line_endings_unicode_no_newline_at_the_end(text):
    assert [(s.start_line, s.end_line) for s in symbols(text)] == [(1, 2)]


deep_and_long = pytest.mark.parametrize(
    "unit", ["{", "(", "#if 1\n", "#define X \\\n", "AAA(", "AAA ", "int f() {", "*", "struct a {", "/*"]
)


def extract_and_scan(text):
    symbols(text)
    source = b"\n" + text.encode()
    list(SUPPORT.scan(source, 1, len(source)))


@deep_and_long
def test_extract__deep_and_long_text_takes_work_in_step_with_it(unit):
    assert_work_in_step(extract_and_scan, lambda size: "int f() {\n" + unit * (size // len(unit)), 2_000)


@pytest.mark.slow
@deep_and_long
def test_extract__deep_and_long_text_takes_time_in_step_with_it(unit):
    assert_time_in_step(extract_and_scan, lambda size: "int f() {\n" + unit * (size // len(unit)), 10_000)


def test_scan__finds_every_definition():
    source = b"\n" + MODULE.encode()
    found = {name.decode() for _, name in SUPPORT.scan(source, 1, len(source))}
    assert {symbol.name for symbol in symbols(MODULE)} - found <= {"one_pair"}  # behind a body on the same line


def test_index__definition_before_prototype():
    tree = {
        "src/a.h": b"int f(int a);\n",
        "src/a.c": b'#include "a.h"\nint f(int a) {\n}\n',
        "src/b.c": b'#include "a.h"\n',
    }
    index = SymbolIndex(lambda: list(tree), tree.get)
    assert [(row.path, row.start_line) for row in index.definitions("f", near="src/b.c").rows] == [("src/a.c", 2)]


def test_language_of__c():
    assert [language_of(path) for path in ("a.c", "a.h", "a.H")] == ["c"] * 3
