from __future__ import annotations

import pytest

from devpulse.core.languages import language_of
from devpulse.core.languages.csharp import SUPPORT
from devpulse.core.languages.csharp_lines import kind_of_line
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
using System;

namespace Shop.Orders
{
    /// <summary>
    /// Cares for <see cref="Order"/> rows.
    /// </summary>
    /// <remarks>Slow.</remarks>
    [ApiController, Route("api/[controller]")]
    [Other]
    public partial class OrderController<T> : Base, IRunner where T : new()
    {
        private const string Secret = "s3cr3t", Other = "x";
        public static readonly int Limit = 10;
        private static int counter;
        private readonly IRepository repository;
        private readonly Func<int, int> twice = x => x * 2;
        public event EventHandler Changed;

        public OrderController(IRepository repository) : base(repository)
        {
            this.repository = repository;
        }

        ~OrderController() { }

        public string Name { get; set; } = "none";
        public int Count => 1;
        public int this[int at] { get { return at; } }

        // Shows one.
        [HttpGet("{id}")]
        [Authorize]
        public async Task<Order> Show<U>(
            [FromRoute] int id, // from the path
            string name) where U : class
        {
            int Local(int a) => a;
            return await repository.Find(Local(id));
        }

        public Order Show(int id) => null;

        void IRunner.Run() { }

        public static bool operator ==(Id left, Id right) { return true; }
        public static implicit operator long(Id id) => 1;

        private enum State
        {
            Open = 1,
            Closed,
        }
    }

    public record Line(int Id, string Name);
    public struct Point { public int X; }
    public interface IClock { DateTime Now(); int Zone { get; } }
    public delegate void Handler(int a);
}
"""

MINIMAL = """\
namespace Shop;

var app = builder.Build();
app.MapGet("/orders/{id}", (int id) =>
{
    return id;
}).RequireAuthorization();
app.MapPost("/orders", Create);
cache.MapGet(path, () => 1);
static int Create(int a) { return a; }
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("m.cs", "csharp", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == f"Shop.Orders.{name}")


def scanned(text: str) -> list[str]:
    source = b"\n" + text.encode() + b"\n"
    return [name.decode() for _, name in SUPPORT.scan(source, 1, len(source))]


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("OrderController", "class", 9, 54),
        ("OrderController.Secret", "constant", 13, 13),
        ("OrderController.Other", "constant", 13, 13),
        ("OrderController.Limit", "constant", 14, 14),
        ("OrderController.counter", "variable", 15, 15),
        ("OrderController.twice", "method", 17, 17),
        ("OrderController.Changed", "event", 18, 18),
        ("OrderController.OrderController", "constructor", 20, 23),
        ("OrderController.~OrderController", "method", 25, 25),
        ("OrderController.Name", "property", 27, 27),
        ("OrderController.Count", "property", 28, 28),
        ("OrderController.this", "property", 29, 29),
        ("OrderController.Show", "route", 32, 40),
        ("OrderController.Show.Local", "function", 38, 38),
        ("OrderController.Run", "method", 44, 44),
        ("OrderController.operator ==", "method", 46, 46),
        ("OrderController.operator long", "method", 47, 47),
        ("OrderController.State", "enum", 49, 53),
        ("OrderController.State.Open", "constant", 51, 51),
        ("OrderController.State.Closed", "constant", 52, 52),
        ("Line", "record", 56, 56),
        ("Point", "struct", 57, 57),
        ("IClock", "interface", 58, 58),
        ("IClock.Now", "method", 58, 58),
        ("IClock.Zone", "property", 58, 58),
        ("Handler", "type", 59, 59),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__a_namespace_holds_what_stands_in_it():
    first = symbols(MODULE)[0]
    assert (first.qualified_name, first.name, first.start_line, first.end_line) == ("Shop.Orders", "Orders", 3, 60)
    assert [(s.qualified_name, s.start_line, s.end_line) for s in symbols("namespace A.B;\nclass C {\n}\n")] == [
        ("A.B", 1, 1),
        ("A.B.C", 2, 3),
    ]


def test_extract__overloads_are_kept_and_nothing_else_is_a_symbol():
    assert [(s.start_line, s.kind) for s in symbols(MODULE) if s.name == "Show"] == [(32, "route"), (42, "method")]
    assert len(symbols(MODULE)) == 28  # the 26 above, the namespace and the second Show


def test_extract__signatures_without_attributes_comments_and_values():
    assert named(MODULE, "OrderController").signature == (
        "public partial class OrderController<T> : Base, IRunner where T : new()"
    )
    assert named(MODULE, "OrderController.Show").signature == (
        "public async Task<Order> Show<U>([FromRoute] int id, string name) where U : class"
    )
    assert named(MODULE, "OrderController.Secret").signature == "private const string Secret"
    assert named(MODULE, "OrderController.Other").signature == "private const string Other"
    assert named(MODULE, "OrderController.Name").signature == "public string Name"
    assert named(MODULE, "Handler").signature == "public delegate void Handler(int a)"


def test_extract__docstrings():
    assert named(MODULE, "OrderController").docstring == "Cares for Order rows."
    assert named(MODULE, "OrderController.Show").docstring == "Shows one."
    assert named(MODULE, "OrderController.Name").docstring == ""


@pytest.mark.parametrize(
    ("attribute", "kind"),
    [
        ("[HttpGet]", "route"),
        ("[Authorize, HttpPost]", "route"),
        ('[Microsoft.AspNetCore.Mvc.Route("a")]', "route"),
        ("[HttpDeleteAttribute(Name = X)]", "route"),
        ("[Fact]", "method"),
        ("[Obsolete]", "method"),
        ("[HttpGetter]", "method"),
    ],
)
def test_extract__route_attributes(attribute, kind):
    found = symbols(f"class A {{\n  {attribute}\n  void F() {{}}\n}}")
    assert [(s.name, s.kind, s.start_line) for s in found[1:]] == [("F", kind, 2)]


def test_extract__mapped_routes():
    assert [(s.qualified_name, s.kind, s.start_line, s.end_line) for s in symbols(MINIMAL)] == [
        ("Shop", "namespace", 1, 1),
        ("Shop.GET /orders/{id}", "route", 4, 7),
        ("Shop.Create", "function", 10, 10),
    ]


BROKEN = """\
using System;

namespace Shop.Orders
{
    [ApiController]
    public class OrderService
    {
        private readonly IRepository repository;

        public Order Load(long id)
        {
            if (id < 0
            {
                throw new ArgumentException("id");
            }
            return repository.Find(id);
        }

        [HttpPost("cancel")]
        public void Cancel(long id, string reason)
        {
            var order = Load(id
            order.Reason = reason;

        public static int Count()
        {
            return 1;
        }

        public string Name { get; set; }
        string text = @"
        public void Prose(int a)
        ";
    }

    public interface IClock
    {
        DateTime Now();
    }
}
"""


def test_extract__broken_code_gives_what_stands_around_the_damage():
    found = [(s.qualified_name.rpartition("Orders.")[2], s.kind, s.start_line, s.end_line) for s in symbols(BROKEN)]
    assert found[1:] == [
        ("OrderService", "class", 5, 34),
        ("OrderService.Load", "method", 10, 17),
        ("OrderService.Cancel", "method", 19, 23),
        ("OrderService.Count", "method", 25, 28),
        ("OrderService.Name", "property", 30, 30),
        ("IClock", "interface", 36, 39),
        ("IClock.Now", "method", 38, 38),
    ]
    assert found[0][1:] == ("namespace", 3, 40)


def test_extract__conditional_code():
    text = "class A {\n#if DEBUG\n  void F() {}\n#else\n  void G() {}\n#endif\n  void H() {}\n}\n"
    assert [s.name for s in symbols(text)] == ["A", "F", "G", "H"]


@pytest.mark.parametrize("text", ["\ufeffclass F {\n}\n", "class F\r\n{}\r\n", "class F {\n\t}", "[A]\nclass F { }"])
def test_extract__bom_line_endings_tabs(text):
    assert [(s.name, s.start_line, s.end_line) for s in symbols(text)] == [("F", 1, 2)]


def test_extract__unusual_names():
    assert [s.name for s in symbols("class Größe { void @new() {} int _X => 1; }")] == ["Größe", "new", "_X"]


@pytest.mark.parametrize("text", ["class A { void F() " + "{" * 20_000, 'app.MapGet("/", () => 1)' + ".Use()" * 20_000])
def test_extract__hostile_nesting_ends(text):
    assert "B" in [symbol.name for symbol in symbols(text + ";\nclass B {}\n")]


def test_scan__finds_the_same_names_as_the_parser():
    special = {"Other", "this", "~OrderController", "operator ==", "operator long"}
    found = sorted(set(scanned(MODULE)))
    assert found == sorted({s.name for s in symbols(MODULE)} - special)


@pytest.mark.parametrize(
    "line",
    [
        "return Call(x);",
        "throw new Error(x);",
        "else if (x) {",
        "if (x)",
        "foo.Bar(x);",
        "Foo (x);",
        "var local = Call(1);",
        "await Call(x);",
        "/// prose with a call (of something)",
        "private readonly IRepository repository;",
        "using A.B;",
        "Name = value,",
    ],
)
def test_scan__lines_that_define_nothing(line):
    assert scanned("    " + line) == []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("    public TResult Map<TKey, TValue>(TKey key, Func<TKey, TValue> make)", ["Map"]),
        ("    private static IDictionary<TKey, TValue> Create<TKey, TValue>(int size)", ["Create"]),
        ("private static readonly Dictionary<string, List<(int a, int b)>> cache = new();", ["cache"]),
        ("IEnumerator IEnumerable.GetEnumerator()", ["GetEnumerator"]),
        ("protected override global::System.Data.DataTable Create()", ["Create"]),
        ("public (int, string) Pair(", ["Pair"]),
        ("static Task<(int Id, string Name)> Load(", ["Load"]),
        ("public override object Read (Reader reader,", ["Read"]),
        ("[Fact] public async Task<T> Run<T>() {", ["Run"]),
        ("public int Count => 1;", ["Count"]),
        ("public int Count\n    {", ["Count"]),
        ("enum State { Open = 1, Closed }", ["State", "Open", "Closed"]),
        ("static Foo()\n    {", ["Foo"]),
    ],
)
def test_scan__definition_lines(line, names):
    assert scanned("  " + line) == names


def test_scan__takes_linear_time():
    text = "enum x " * 50_000 + "a " * 50_000 + "\npublic A" + "<" * 50_000 + "\npublic int " + "(a) " * 50_000 + ";"
    assert scanned(text) == ["x"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"    [A] public sealed class B {", "class"),
        (b"public record struct B(int A)", "record"),
        (b"namespace A.B", "namespace"),
        (b"public int B { get; }", "property"),
        (b"public int B()", "method"),
    ],
)
def test_kind_of_line__kinds(line, kind):
    assert kind_of_line(line) == kind


def test_standalone__a_method_gets_a_class_around_it():
    assert [s.name for s in symbols(SUPPORT.standalone("route", "  [HttpGet]\n  void F() {}"))] == ["Of", "F"]
    assert SUPPORT.standalone("struct", "  struct A {}") == "struct A {}"


def test_language_of__csharp():
    assert [language_of(path) for path in ("a/B.cs", "B.csx", "B.CS")] == ["csharp", None, "csharp"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("interface IOp { int Apply(int a); int X { get; } }\n", {"IOp", "Apply", "X"}),
        ("class A { void F() { G(1); } Task<int> H<T>() => null; }\n", {"A", "F", "H"}),
        ("class A { class B : C { const int D = 1; } }\n", {"A", "B", "D"}),
    ],
)
def test_scan__members_on_the_line_of_their_type(text, found):
    assert set(scanned(text)) == found
