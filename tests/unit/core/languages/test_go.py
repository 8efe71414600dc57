from __future__ import annotations

import pytest
from work import assert_time_in_step, assert_work_in_step

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.languages.go import SUPPORT
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
//go:build linux

// Package shop sells.
package shop

import "net/http"

const Limit = 10

// Roles of a user.
const (
	// Admin may do all.
	Admin, Guest = iota, 2
	token = "s3cr3t"
)

var (
	store = New()
	_ Store = (*User)(nil)
)

// User is a person.
type User struct {
	Name string
}

type (
	// Store keeps users.
	Store interface {
		// Get loads one.
		Get(id int) (*User, error)
	}
	ID = int64
	Handler func(w http.ResponseWriter)
)

// Save stores a user.
//
// It fails when full.
func (u *User) Save(
	ctx Context, // of the request
	force bool,
) error {
	type local struct{ a int }
	const inner = 1
	return nil
}

func (l List[K, V]) Len() int { return 0 }

func Map[T any](in []T, f func(T) T) []T {
	return nil
}

func show(w http.ResponseWriter, r *http.Request) {}

func Größe() int { return 1 }

func routes(r *gin.Engine, mux *http.ServeMux) {
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		w.Write(nil)
	})
	r.GET("/users/:id", auth, show)
	r.Post("/elsewhere", other.Create)
	mux.Handle("/all", http.HandlerFunc(show))
	cache.Get("key", func() {})
	header.Get("/x")
}
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("shop/m.go", "go", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("Limit", "constant", 8, 8),
        ("Admin", "constant", 13, 13),
        ("Guest", "constant", 13, 13),
        ("token", "constant", 14, 14),
        ("store", "variable", 18, 18),
        ("User", "struct", 23, 25),
        ("Store", "interface", 29, 32),
        ("Store.Get", "method", 31, 31),
        ("ID", "type", 33, 33),
        ("Handler", "type", 34, 34),
        ("User.Save", "method", 40, 47),
        ("User.Save.local", "struct", 44, 44),
        ("List.Len", "method", 49, 49),
        ("Map", "function", 51, 53),
        ("show", "function", 55, 55),
        ("Größe", "function", 57, 57),
        ("routes", "function", 59, 68),
        ("GET /health", "route", 60, 62),
        ("GET /users/:id", "route", 55, 55),
        ("ANY /all", "route", 55, 55),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__nothing_else_is_a_symbol():
    assert len(symbols(MODULE)) == 20
    assert symbols('package p\n\nimport (\n\t"fmt"\n)\n\nfunc init() {}\n')[0].name == "init"


def test_extract__signatures_have_no_values_and_no_bodies():
    assert named(MODULE, "User.Save").signature == "func (u *User) Save(ctx Context, force bool) error"
    assert named(MODULE, "token").signature == "token"
    assert named(MODULE, "User").signature == "type User struct"
    assert named(MODULE, "Store").signature == "Store interface"
    assert named(MODULE, "GET /users/:id").signature == 'r.GET("/users/:id", auth, show)'


def test_extract__docstrings():
    assert named(MODULE, "User.Save").docstring == "Save stores a user."
    assert named(MODULE, "Store").docstring == "Store keeps users."
    assert named(MODULE, "Store.Get").docstring == "Get loads one."
    assert named(MODULE, "Admin").docstring == "Admin may do all."
    assert named(MODULE, "Map").docstring == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "package p\n\nfunc a(x int) {\n\tif x > {\n\t\tb(\n\t}\n\n"
                "func (s *Srv) b() error {\n\treturn nil\n}\n\n"
                "// C.\ntype C struct {\n\tx int\n}\n\nfunc d() {\n}\n"
            ),
            [("a", 3, 6), ("Srv.b", 8, 10), ("C", 13, 15), ("d", 17, 18)],
        ),
        (
            "package p\n\nfunc a() {\n\tx := []int{1\n}\n\nfunc b() {}\n\ntype I interface {\n\tM(\n}\n\nfunc c() {}\n",
            [("a", 3, 5), ("b", 7, 7), ("I", 9, 11), ("c", 13, 13)],
        ),
        (
            "package p\n<<<<<<< HEAD\nfunc a() {}\n=======\nfunc b() {}\n>>>>>>> x\n",
            [("a", 3, 3), ("b", 5, 5)],
        ),
    ],
)
def test_extract__broken_code_gives_what_stands_around_the_damage(text, expected):
    found = [(s.qualified_name, s.start_line, s.end_line) for s in symbols(text) if s.name != "M"]
    assert found == expected


def test_extract__a_raw_string_in_a_broken_file_defines_nothing():
    text = "package p\n\nvar t = `\nfunc not() {}\n`\n\nfunc a( {\n}\n"
    assert "not" not in [symbol.name for symbol in symbols(text)]


@pytest.mark.parametrize("text", ["\ufefffunc f() {\n}\n", "func f() {\r\n}\r\n", "func f() {\n\t}"])
def test_extract__bom_line_endings_no_newline_at_the_end(text):
    assert [(s.name, s.start_line, s.end_line) for s in symbols(text)] == [("f", 1, 2)]


deep_and_long = pytest.mark.parametrize("unit", ["func f() {", "{", "(", "const (\n", "f(f)(", "x "])


def extract_and_scan(text):
    symbols(text)
    source = b"\n" + text.encode()
    list(SUPPORT.scan(source, 1, len(source)))


@deep_and_long
def test_extract__deep_and_long_text_takes_work_in_step_with_it(unit):
    assert_work_in_step(extract_and_scan, lambda size: "package p\nfunc f() {\n" + unit * (size // len(unit)), 2_000)


@pytest.mark.slow
@deep_and_long
def test_extract__deep_and_long_text_takes_time_in_step_with_it(unit):
    assert_time_in_step(extract_and_scan, lambda size: "package p\nfunc f() {\n" + unit * (size // len(unit)), 10_000)


def test_scan__finds_every_definition():
    source = b"\n" + MODULE.encode()
    found = {name.decode() for _, name in SUPPORT.scan(source, 1, len(source))}
    assert {symbol.name for symbol in symbols(MODULE) if symbol.kind != "route"} - found == set()


def test_index__finds_methods_and_routes():
    tree = {"shop/m.go": MODULE.encode()}
    index = SymbolIndex(lambda: list(tree), tree.get)
    assert [row.start_line for row in index.definitions("User.Save").rows] == [40]
    assert [row.start_line for row in index.definitions("GET /users/:id").rows] == [55]


def test_language_of__go():
    assert language_of("a/b.go") == "go"
