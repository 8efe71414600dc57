from __future__ import annotations

import pytest
from work import assert_time_in_step, assert_work_in_step

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import LANGUAGES, language_of
from devpulse.core.languages.cpp import SUPPORT
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
#include <vector>
namespace shop::core {

/// A cart
/// of items.
template <typename T, int N>
class SHOP_API Cart final : public Base<T> {
 public:
  explicit Cart(int a) : size_(a) {}
  ~Cart() override = default;
  virtual void pay() const = 0;
  void declared();
  template <class U>
  auto add(U item) -> decltype(item) { return item; }
  bool operator==(const Cart& other) const { return true; }
  operator const char*() const { return ""; }
  static constexpr int kMax = 3;
  using Item = T;
  enum class Level : int { Low };
  struct Inner { void run() {} };
 private:
  int size_;
};

using Alias = int;
template <class T> concept Sized = requires { sizeof(T); };
inline constexpr int kLimit = 1;
auto twice = [](int x) { return x * 2; };
namespace { void hidden() {} }
}  // namespace shop::core

template <>
void shop::core::Cart<int>::declared() const {
}
shop::core::Cart<int>::~Cart() {}
bool Order::operator<(const Order& other) {
  return true;
}
int& Order::ref() { return x_; }
Order::Order(int a)
    : a_(a) {}

extern "C" {
int c_function() { return 1; }
}
extern "C" void single() {}
template <class T> struct hash<Cart<T>> { };
typedef struct { int a; } plain;
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("m.cpp", "cpp", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


def spans(text: str) -> list[tuple[str, int, int]]:
    return [(s.qualified_name, s.start_line, s.end_line) for s in symbols(text)]


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("shop.core", "namespace", 2, 30),
        ("shop.core.Cart", "class", 6, 23),
        ("shop.core.Cart.Cart", "method", 9, 9),
        ("shop.core.Cart.~Cart", "method", 10, 10),
        ("shop.core.Cart.pay", "method", 11, 11),
        ("shop.core.Cart.add", "method", 13, 14),
        ("shop.core.Cart.operator==", "method", 15, 15),
        ("shop.core.Cart.operator const char*", "method", 16, 16),
        ("shop.core.Cart.kMax", "constant", 17, 17),
        ("shop.core.Cart.Item", "type", 18, 18),
        ("shop.core.Cart.Level", "enum", 19, 19),
        ("shop.core.Cart.Inner", "struct", 20, 20),
        ("shop.core.Cart.Inner.run", "method", 20, 20),
        ("shop.core.Alias", "type", 25, 25),
        ("shop.core.Sized", "concept", 26, 26),
        ("shop.core.kLimit", "constant", 27, 27),
        ("shop.core.twice", "function", 28, 28),
        ("shop.core.hidden", "function", 29, 29),
        ("shop.core.Cart.declared", "method", 32, 34),
        ("Order.operator<", "method", 36, 38),
        ("Order.ref", "method", 39, 39),
        ("Order.Order", "method", 40, 41),
        ("c_function", "function", 44, 44),
        ("single", "function", 46, 46),
        ("hash", "struct", 47, 47),
        ("plain", "struct", 48, 48),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__nothing_else_is_a_symbol():
    assert len(symbols(MODULE)) == 27  # the 26 above and the destructor outside


def test_extract__signatures_and_docstrings():
    cart = named(MODULE, "shop.core.Cart")
    assert cart.signature == "template <typename T, int N> class SHOP_API Cart final : public Base<T>"
    assert cart.docstring == "A cart of items."
    assert named(MODULE, "shop.core.Cart.Cart").signature == "explicit Cart(int a)"
    assert named(MODULE, "shop.core.kLimit").signature == "inline constexpr int kLimit"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("API_CONSTEXPR inline auto f(int a) -> int {\n  return a;\n}\n", [("f", 1, 3)]),
        ("template <typename T, ENABLE_IF(is_x<T>())>\nvoid f(T a) {}\nvoid g() {}\n", [("f", 1, 2), ("g", 3, 3)]),
        ("struct A {\n  void f() EXCLUDES(mu_) { }\n  API_INLINE A(int a) : a_(a) {}\n  int a_;\n};\n",
         [("A", 1, 5), ("A.f", 2, 2), ("A.A", 3, 3)]),
        ("DISABLE_WARNINGS(4251 \\\n  x)\nclass A {\n  void f() {}\n};\n", [("A", 3, 5), ("A.f", 4, 4)]),
    ],
)  # fmt: skip
def test_extract__macros_around_definitions(text, expected):
    assert spans(text) == expected


def test_extract__half_edited_code_keeps_what_follows():
    text = (
        "namespace n {\nvoid A::f(int x) {\n  if (x > {\n    g(;\n}\n\nint g() {\n  return 1;\n}\n\nclass B {\n"
        " public:\n  void m() {}\n};\n}\n"
    )
    found = {name: (start, end) for name, start, end in spans(text)}
    assert found == {"n": (1, 15), "n.A.f": (2, 5), "n.g": (7, 9), "n.B": (11, 14), "n.B.m": (13, 13)}


@pytest.mark.parametrize("text", ["\ufeffint f() {\n}\n", "int f() {\r\n}\r\n", "int f() {\n\t}", "int größe() {\n}"])
def test_extract__bom_line_endings_unicode_no_newline_at_the_end(text):
    assert [(s.start_line, s.end_line) for s in symbols(text)] == [(1, 2)]


deep_and_long = pytest.mark.parametrize(
    "unit", ["{", "(", "namespace a { ", "class A {", "template <", "operator x ", "<", "~A() "]
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
    missing = {symbol.name for symbol in symbols(MODULE)} - found
    assert missing <= {"hidden", "run"}  # behind an opening brace on the same line


def test_index__methods_by_class():
    tree = {"src/m.cpp": MODULE.encode()}
    index = SymbolIndex(lambda: list(tree), tree.get)
    assert [row.start_line for row in index.definitions("Order::ref").rows] == [39]


def test_support__c_and_cpp_call_each_other():
    assert LANGUAGES["c"].family == LANGUAGES["cpp"].family == "c"


def test_language_of__cpp():
    paths = ("a.cc", "a.cpp", "a.cxx", "a.hpp", "a.hh", "a.hxx", "a.ipp", "a.inl", "a.cu")
    assert {language_of(path) for path in paths} == {"cpp"}


@pytest.mark.parametrize("end", [" { return 1; }\n", "\n{\n  return 1;\n}\nint g( {\n"])
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_extract__a_macro_around_the_type_is_no_function(language, end):
    names = {s.name for s in symbols_of("m.h", language, f"EXPORT_API(int) f(void){end}")}
    assert names - {"g"} == {"f"}


@pytest.mark.parametrize(
    "line",
    [
        "std::function<R(Args...)> f() {",
        "::std::ostream& f() { return x; }",
        "template <typename... T> void f(X<T...> a) {",
    ],
)
def test_scan__members_whose_type_has_brackets_dots_or_colons(line):
    source = f"\nclass A {{\n  {line}\n  }}\n}};\n".encode()
    assert "f" in {name.decode() for _, name in SUPPORT.scan(source, 1, len(source))}


def test_scan__initialisers_are_no_definitions():
    source = b"\nclass A {\n  A(int x)\n      : first(x), second(x) {\n  }\n};\n"
    assert {name for _, name in SUPPORT.scan(source, 1, len(source))} == {b"A"}
