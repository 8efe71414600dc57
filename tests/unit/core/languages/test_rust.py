from __future__ import annotations

import pytest
from work import assert_time_in_step, assert_work_in_step

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.languages.rust import SUPPORT
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
//! A shop.
use crate::db::Pool;

/// A user
/// of the shop.
#[derive(Debug)]
#[serde(rename = "user")] // as stored
pub struct User<T: Ord> {
    name: T,
}

pub(crate) union Bits { a: u8 }
enum Level { Low, High(u8) }

pub trait Store: Sized {
    const KIND: u8;
    type Out;
    /// Loads one.
    fn get(&self, id: u64) -> Option<User>;
    fn all() {}
}

impl<T> Store for User<T>
where
    T: Ord,
{
    fn get(&self, id: u64) -> Option<User> {
        const LOCAL: u8 = 1;
        fn inner() {}
        None
    }
}

impl<'a> From<&'a str> for shop::User<String> {
    fn from(text: &'a str) -> Self { todo!() }
}

macro_rules! square {
    ($x:expr) => { $x * $x };
}

const LIMIT: &str = "s3cr3t";
static mut COUNT: u8 = 1;
type Rows<T> = Vec<T>;

mod inner {
    pub fn deep() {}
}
mod elsewhere;

extern "C" {
    fn strlen(s: *const u8) -> usize;
}

#[get("/users/{id}")]
async fn show(id: u64) -> String {
    String::new()
}

async fn list() {}

/** Builds it. */
pub unsafe extern "C" fn app() -> Router {
    Router::new()
        .route("/users", get(list).post(|form| async {
            create(form)
        }))
        .route("/gone", delete(other::gone))
        .route("/web", web::put().to(list))
}

fn r#match() {}
fn größe() {}
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("src/m.rs", "rust", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("User", "struct", 6, 10),
        ("Bits", "union", 12, 12),
        ("Level", "enum", 13, 13),
        ("Store", "trait", 15, 21),
        ("Store.KIND", "constant", 16, 16),
        ("Store.Out", "type", 17, 17),
        ("Store.get", "method", 19, 19),
        ("Store.all", "method", 20, 20),
        ("User.get", "method", 27, 31),
        ("User.get.inner", "function", 29, 29),
        ("User.from", "method", 35, 35),
        ("square", "macro", 38, 40),
        ("LIMIT", "constant", 42, 42),
        ("COUNT", "variable", 43, 43),
        ("Rows", "type", 44, 44),
        ("inner", "module", 46, 48),
        ("inner.deep", "function", 47, 47),
        ("strlen", "function", 52, 52),
        ("show", "route", 55, 58),
        ("list", "function", 60, 60),
        ("app", "function", 63, 70),
        ("GET /users", "route", 60, 60),
        ("POST /users", "route", 65, 67),
        ("PUT /web", "route", 60, 60),
        ("match", "function", 72, 72),
        ("größe", "function", 73, 73),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__nothing_else_is_a_symbol():
    assert len(symbols(MODULE)) == 26


def test_extract__signatures_have_no_attributes_values_or_bodies():
    assert named(MODULE, "User").signature == "pub struct User<T: Ord>"
    assert named(MODULE, "LIMIT").signature == "const LIMIT: &str"
    assert named(MODULE, "app").signature == 'pub unsafe extern "C" fn app() -> Router'
    assert named(MODULE, "square").signature == "macro_rules! square"


def test_extract__docstrings():
    assert named(MODULE, "User").docstring == "A user of the shop."
    assert named(MODULE, "Store.get").docstring == "Loads one."
    assert named(MODULE, "app").docstring == "Builds it."
    assert named(MODULE, "list").docstring == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "fn a(x: u8) {\n    if x > {\n        b(\n}\n\n"
                "impl S {\n    pub fn m(&self) -> u8 {\n        let v = vec![1;\n"
                "    }\n\n    fn n(&self) {}\n}\n\nstruct T {\n    a: u8,\n}\n\nfn d()\nwhere\n    u8: Copy,\n{\n}\n"
            ),
            [("a", 1, 4), ("S.m", 7, 9), ("S.n", 11, 11), ("T", 14, 16), ("d", 18, 22)],
        ),
        (
            "impl S {\n    fn m(&self) {\n        x();\n\nfn g() {\n}\n\npub enum E {\n    A,\n}\n",
            [("S.m", 2, 3), ("g", 5, 6), ("E", 8, 10)],
        ),
        ("<<<<<<< HEAD\nfn a() {}\n=======\nfn b() {}\n>>>>>>> x\n", [("a", 2, 2), ("b", 4, 4)]),
    ],
)
def test_extract__broken_code_gives_what_stands_around_the_damage(text, expected):
    assert [(s.qualified_name, s.start_line, s.end_line) for s in symbols(text)] == expected


@pytest.mark.parametrize("text", ["\ufefffn f() {\n}\n", "fn f() {\r\n}\r\n", "fn f() {\n\t}"])
def test_extract__bom_line_endings_no_newline_at_the_end(text):
    assert [(s.name, s.start_line, s.end_line) for s in symbols(text)] == [("f", 1, 2)]


deep_and_long = pytest.mark.parametrize("unit", ["fn f() {", "{", "(", "mod m {", "impl<", "x.y(", "#["])


def extract_and_scan(text):
    symbols(text)
    source = b"\n" + text.encode()
    list(SUPPORT.scan(source, 1, len(source)))


@deep_and_long
def test_extract__deep_and_long_text_takes_work_in_step_with_it(unit):
    assert_work_in_step(extract_and_scan, lambda size: "fn f() {\n" + unit * (size // len(unit)), 2_000)


@pytest.mark.slow
@deep_and_long
def test_extract__deep_and_long_text_takes_time_in_step_with_it(unit):
    assert_time_in_step(extract_and_scan, lambda size: "fn f() {\n" + unit * (size // len(unit)), 10_000)


def test_scan__finds_every_definition():
    source = b"\n" + MODULE.encode()
    found = {name.decode() for _, name in SUPPORT.scan(source, 1, len(source))}
    assert {s.name for s in symbols(MODULE) if " " not in s.name} - found == set()


def test_index__finds_methods_by_type():
    tree = {"src/m.rs": MODULE.encode()}
    index = SymbolIndex(lambda: list(tree), tree.get)
    assert [row.start_line for row in index.definitions("User::get").rows] == [27]
    assert [row.start_line for row in index.definitions("POST /users").rows] == [65]


def test_language_of__rust():
    assert language_of("src/a.rs") == "rust"
