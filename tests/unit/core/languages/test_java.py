from __future__ import annotations

import pytest

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.languages.java import SUPPORT
from devpulse.core.languages.java_lines import kind_of_line
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
package shop.orders;

import shop.users.User;

/**
 * Cares for {@link Order orders}.
 *
 * @author Ann
 */
@RestController
@RequestMapping("/orders")
public sealed class OrderController<T> extends Base implements Runnable {

    private static final String SECRET = "s3cr3t", OTHER[] = {"x"};
    static int counter;
    private final Repository repository;
    private final Function<Long, Order> find = (id) -> repository.find(id);

    public OrderController(Repository repository) {
        this.repository = repository;
    }

    // Shows one.
    @GetMapping("/{id}")
    @ResponseBody
    public @Nullable Order show(
            @PathVariable("id") long id, // from the path
            Map<String, List<Order>> more) throws NotFound {
        Runnable task = new Runnable() {
            public void run() { }
        };
        return find.apply(id);
    }

    public Order show(long id) { return show(id, null); }

    abstract <S extends T> S convert(S value);

    enum State {
        OPEN, CLOSED(2) {
            void stop() { }
        };

        State() { }
    }

    record Line(long id, String name) {
        Line { }
    }

    @interface Audited {
        int level() default 1;
        String NAME = "audit";
    }

    interface Clock {
        int ZERO = 0;
        Instant now();
        default void tick() { }
    }
}
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("m.java", "java", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


def scanned(text: str) -> list[str]:
    source = b"\n" + text.encode() + b"\n"
    return [name.decode() for _, name in SUPPORT.scan(source, 1, len(source))]


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("OrderController", "class", 10, 61),
        ("OrderController.SECRET", "constant", 14, 14),
        ("OrderController.OTHER", "constant", 14, 14),
        ("OrderController.counter", "variable", 15, 15),
        ("OrderController.find", "method", 17, 17),
        ("OrderController.OrderController", "constructor", 19, 21),
        ("OrderController.show", "route", 24, 33),
        ("OrderController.show.run", "method", 30, 30),
        ("OrderController.convert", "method", 37, 37),
        ("OrderController.State", "enum", 39, 45),
        ("OrderController.State.OPEN", "constant", 40, 40),
        ("OrderController.State.CLOSED", "constant", 40, 42),
        ("OrderController.State.CLOSED.stop", "method", 41, 41),
        ("OrderController.State.State", "constructor", 44, 44),
        ("OrderController.Line", "record", 47, 49),
        ("OrderController.Line.Line", "constructor", 48, 48),
        ("OrderController.Audited", "annotation", 51, 54),
        ("OrderController.Audited.level", "method", 52, 52),
        ("OrderController.Audited.NAME", "constant", 53, 53),
        ("OrderController.Clock", "interface", 56, 60),
        ("OrderController.Clock.ZERO", "constant", 57, 57),
        ("OrderController.Clock.now", "method", 58, 58),
        ("OrderController.Clock.tick", "method", 59, 59),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__overloads_are_kept_and_nothing_else_is_a_symbol():
    assert [(s.start_line, s.kind) for s in symbols(MODULE) if s.name == "show"] == [(24, "route"), (35, "method")]
    assert len(symbols(MODULE)) == 24  # the 23 above and the second show


def test_extract__signatures_without_annotations_comments_and_values():
    assert named(MODULE, "OrderController").signature == (
        "public sealed class OrderController<T> extends Base implements Runnable"
    )
    assert named(MODULE, "OrderController.show").signature == (
        'public Order show(@PathVariable("id") long id, Map<String, List<Order>> more) throws NotFound'
    )
    assert named(MODULE, "OrderController.SECRET").signature == "private static final String SECRET"
    assert named(MODULE, "OrderController.OTHER").signature == "private static final String OTHER[]"
    assert len(named("class A { void f(" + "int argument, " * 60 + "int b) {} }", "A.f").signature) == 200


def test_extract__docstrings():
    assert named(MODULE, "OrderController").docstring == "Cares for Order orders."
    assert named(MODULE, "OrderController.show").docstring == "Shows one."
    assert named(MODULE, "OrderController.convert").docstring == ""
    assert named("/** <p>One &amp; <b>two</b>. */\nclass A {}", "A").docstring == "One &amp; two."


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("@GetMapping", "route"),
        ('@PostMapping(path = "/a")', "route"),
        ('@org.springframework.web.bind.annotation.RequestMapping("/a")', "route"),
        ('@MessageMapping("/chat")', "route"),
        ("@GET", "route"),
        ('@Path("/a")', "route"),
        ('@Get("/a")', "route"),
        ('@GET("users/{id}")', "method"),
        ("@Override", "method"),
        ("@Getter", "method"),
        ('@PathVariable("a")', "method"),
    ],
)
def test_extract__route_annotations(annotation, kind):
    assert named(f"class A {{\n  {annotation}\n  void f() {{}}\n}}", "A.f").kind == kind


BROKEN = """\
package shop;

@Service
public class OrderService {
    private static final Logger log = LoggerFactory.getLogger(OrderService.class);

    public Order load(long id) {
        if (id < 0 {
            throw new IllegalArgumentException("id");
        }
        return repository.find(id);
    }

    /* public void prose(int a) { */
    @Transactional
    public void cancel(long id,
            String reason) {
        Order order = load(id)
        order.setReason(reason;
    }

    static int count() {
        return 1;
    }

    enum State {
        OPEN, CLOSED
    }
}

interface Clock {
    Instant now();
}
"""


def test_extract__broken_code_gives_what_stands_around_the_damage():
    assert [(s.qualified_name, s.kind, s.start_line, s.end_line) for s in symbols(BROKEN)] == [
        ("OrderService", "class", 3, 29),
        ("OrderService.log", "constant", 5, 5),
        ("OrderService.load", "method", 7, 12),
        ("OrderService.cancel", "method", 15, 20),
        ("OrderService.count", "method", 22, 24),
        ("OrderService.State", "enum", 26, 28),
        ("OrderService.State.OPEN", "constant", 27, 27),
        ("OrderService.State.CLOSED", "constant", 27, 27),
        ("Clock", "interface", 31, 33),
        ("Clock.now", "method", 32, 32),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "class A {\n  void a() {\n    for (;;) {\n      call();\n  }\n\n  void b() {\n    return;\n  }\n\n"
                "  class Inner {\n    void c() {\n    }\n  }\n}\n\nclass B {\n  void d() {}\n}\n"
            ),
            [("A", 1, 15), ("A.a", 2, 5), ("A.b", 7, 9), ("A.Inner", 11, 14), ("A.Inner.c", 12, 13),
             ("B", 17, 19), ("B.d", 18, 18)],
        ),
        (
            'class A {\n  String s = """\n  void no(int a) {\n  """;\n  void a( {\n  }\n  void b() {\n  }\n}\n',
            [("A", 1, 9), ("A.a", 5, 6), ("A.b", 7, 8)],
        ),
    ],
)  # fmt: skip
def test_extract__unclosed_blocks(text, expected):
    assert [(s.qualified_name, s.start_line, s.end_line) for s in symbols(text)] == expected


@pytest.mark.parametrize(
    "text", ["\ufeffclass F {\n}\n", "class F {\r\n}\r\n", "class F {\n\t}", "@A class F {\n}", "@A\nclass F { }"]
)
def test_extract__bom_line_endings_tabs(text):
    assert [(s.name, s.start_line, s.end_line) for s in symbols(text)] == [("F", 1, 2)]


def test_extract__unusual_names():
    text = "class Größe { void café$() {} int _x() { return 1; } }"
    assert [s.name for s in symbols(text)] == ["Größe", "café$", "_x"]


@pytest.mark.parametrize("text", ["class A { void f() " + "{" * 20_000, "class A { int x = " + "(" * 20_000 + "; }"])
def test_extract__hostile_nesting_ends(text):
    assert [symbol.name for symbol in symbols(text + "\nclass B {}\n")][-1] == "B"


def test_extract__many_names_in_one_declaration():
    text = "class A { static int " + ", ".join(f"a{at} = 1" for at in range(3000)) + "; }"
    assert len(symbols(text)) == 3001
    assert symbols(text)[-1].signature == "static int a2999"


def test_scan__finds_the_same_names_as_the_parser():
    # Of several names in one declaration the first is found.
    assert sorted(scanned(MODULE)) == sorted(s.name for s in symbols(MODULE) if s.name != "OTHER")


@pytest.mark.parametrize(
    "line",
    [
        "return call(x);",
        "throw new Error(x);",
        "} else if (x) {",
        "if (x) {",
        "foo.bar(x);",
        "foo (x);",
        "int local = call(1);",
        " * prose with a call (of something)",
        "private final Repository repository;",
        "import a.b.C;",
        "Foo x, new Bar(",
    ],
)
def test_scan__lines_that_define_nothing(line):
    assert scanned("    " + line) == []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("private static final Map<String, List<Map.Entry<A, B>>> CACHE = new HashMap<>();", ["CACHE"]),
        ("public <T extends A & B> Map<K, V>[] build(", ["build"]),
        ("default LocalCache.@Nullable Volume getVolume() {", ["getVolume"]),
        ("public Foo (int a) {", ["Foo"]),
        ("Foo(int a) {", ["Foo"]),
        ("enum State { OPEN, CLOSED }", ["State", "OPEN", "CLOSED"]),
        ("public @interface Audited {", ["Audited"]),
        ("static Logger logger;", ["logger"]),
    ],
)
def test_scan__definition_lines(line, names):
    assert scanned("  " + line) == names


def test_scan__takes_linear_time():
    assert scanned("enum x " * 50_000 + "a " * 50_000 + "public A" + "<" * 50_000) == ["x"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"  public final class A {", "class"),
        (b"public @interface A {", "annotation"),
        (b"record A(int b) {", "record"),
        (b"  public Class record(enum x) {", "method"),
    ],
)
def test_kind_of_line__kinds(line, kind):
    assert kind_of_line(line) == kind


def test_standalone__a_method_gets_a_class_around_it():
    assert [s.name for s in symbols(SUPPORT.standalone("route", "  @GetMapping\n  void f() {}"))] == ["Of", "f"]
    assert SUPPORT.standalone("class", "  class A {}") == "class A {}"


def test_language_of__java():
    assert [language_of(path) for path in ("a/B.java", "B.JAVA", "B.class")] == ["java", "java", None]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("interface Op { int apply(int a); }\n", {"Op", "apply"}),
        ("class A { class B { void f() { g(1); } } static int X = 1; }\n", {"A", "B", "f", "X"}),
        ("record P(int x) { List<String> twice() { return null; } }\n", {"P", "twice"}),
        ("class A {\n  void f() { }\n}\n", {"A", "f"}),
        ("class A { }\n", {"A"}),
    ],
)
def test_scan__members_on_the_line_of_their_type(text, found):
    assert set(scanned(text)) >= found
    assert "g" not in scanned(text)


def test_index__finds_a_member_on_the_line_of_its_type():
    tree = {"Op.java": b"interface Op { int apply(int a); }\n"}
    index = SymbolIndex(lambda: list(tree), tree.get)
    assert [row.qualified_name for row in index.definitions("apply").rows] == ["Op.apply"]
