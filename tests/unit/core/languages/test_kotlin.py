from __future__ import annotations

import pytest

from devpulse.core.languages import language_of
from devpulse.core.languages.kotlin import SUPPORT
from devpulse.core.languages.kotlin_lines import kind_of_line
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
package shop.orders

import io.ktor.server.routing.*

/** Cares for [Order]s. */
@RestController
class OrderController<T>(val repository: Repository, private val key: String = "s3cr3t") : Base(), Runnable {
    companion object {
        const val LIMIT = 10
        fun create() = OrderController(Repository())
    }

    constructor(url: String) : this(Repository(url)) {
        log(url)
    }

    /** Shows one. */
    @GetMapping("/{id}")
    override suspend fun show(
        @PathVariable id: Long, // from the path
        name: String?,
    ): Order {
        fun local() = 1
        val task = object : Runnable {
            override fun run() {}
        }
        return task
    }

    val size: Int get() = 1
    var state: State = State.OPEN
        set(value) { field = value }
    val find = { id: Long -> repository.find(id) }

    inner class Line
}

data class User(val name: String)

sealed interface Shape {
    fun area(): Double
}

enum class State(val code: Int) {
    OPEN(1),
    CLOSED(2) {
        override fun stop() {}
    };

    open fun stop() {}
}

annotation class Audited(val by: String)

object Registry {
    val TOKEN = "s3cr3t"
}

fun List<String>?.shout(): String = joinToString()
fun (Int.() -> Unit).twice() {}
val String.half: Int
    get() = length / 2
const val TIMEOUT: Int = 30
private val cache = HashMap<String, Int>()
typealias Rows = List<Row>
fun `is fine`() {}

fun Application.module() {
    routing {
        route("/api") {
            get("/orders") {
                call.respond(1)
            }
            post<Order>("/orders") { }
        }
    }
    client.get("/none") { }
}
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("m.kt", "kotlin", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


def scanned(text: str) -> list[str]:
    source = b"\n" + text.encode() + b"\n"
    return [name.decode() for _, name in SUPPORT.scan(source, 1, len(source))]


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("OrderController", "class", 6, 36),
        ("OrderController.Companion", "object", 8, 11),
        ("OrderController.LIMIT", "constant", 9, 9),
        ("OrderController.create", "method", 10, 10),
        ("OrderController.OrderController", "constructor", 13, 15),
        ("OrderController.show", "route", 18, 28),
        ("OrderController.show.local", "function", 23, 23),
        ("OrderController.show.run", "method", 25, 25),
        ("OrderController.size", "property", 30, 30),
        ("OrderController.state", "property", 31, 32),
        ("OrderController.find", "method", 33, 33),
        ("OrderController.Line", "class", 35, 35),
        ("User", "class", 38, 38),
        ("Shape", "interface", 40, 42),
        ("Shape.area", "method", 41, 41),
        ("State", "enum", 44, 51),
        ("State.OPEN", "constant", 45, 45),
        ("State.CLOSED", "constant", 46, 48),
        ("State.CLOSED.stop", "method", 47, 47),
        ("State.stop", "method", 50, 50),
        ("Audited", "annotation", 53, 53),
        ("Registry", "object", 55, 57),
        ("Registry.TOKEN", "constant", 56, 56),
        ("List.shout", "function", 59, 59),
        ("Int.twice", "function", 60, 60),
        ("String.half", "property", 61, 62),
        ("TIMEOUT", "constant", 63, 63),
        ("cache", "variable", 64, 64),
        ("Rows", "type", 65, 65),
        ("is fine", "function", 66, 66),
        ("Application.module", "function", 68, 78),
        ("Application.module.GET /orders", "route", 71, 73),
        ("Application.module.POST /orders", "route", 74, 74),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__nothing_else_is_a_symbol():
    assert len(symbols(MODULE)) == 33
    assert symbols("fun f() {\n    val local = 1\n}\n") == symbols("fun f() {\n    val local = 1\n}\n")[:1]
    assert symbols("val (a, b) = pair\n") == ()


def test_extract__calls_are_routes_only_with_ktor():
    text = 'fun f() {\n    get("/x") {\n    }\n}\n'
    assert [s.name for s in symbols(text)] == ["f"]
    assert [s.name for s in symbols("import io.ktor.server.routing.get\n" + text)] == ["f", "GET /x"]


def test_extract__signatures_without_annotations_comments_and_values():
    assert named(MODULE, "OrderController.show").signature == (
        "override suspend fun show(@PathVariable id: Long, name: String?): Order"
    )
    assert named(MODULE, "Registry.TOKEN").signature == "val TOKEN"
    assert named(MODULE, "TIMEOUT").signature == "const val TIMEOUT: Int"
    assert named(MODULE, "OrderController.state").signature == "var state: State"
    assert named(MODULE, "List.shout").signature == "fun List<String>?.shout(): String"


def test_extract__docstrings():
    assert named(MODULE, "OrderController").docstring == "Cares for [Order]s."
    assert named(MODULE, "OrderController.show").docstring == "Shows one."
    assert named(MODULE, "User").docstring == ""


BROKEN = """\
package shop

class OrderService(private val repository: Repository) {
    fun load(id: Long): Order {
        if (id < 0 {
            throw IllegalArgumentException("id")
        }
        return repository.find(id)
    }

    @Transactional
    fun cancel(
        id: Long,
        reason: String,
    ) {
        val order = load(id
        order.reason = reason
    }

    companion object {
        fun count(): Int = 1
    }
}

interface Clock {
    fun now(): Instant
}

fun String.shout() = uppercase(
fun after(): Int {
    return 1
}
"""


def test_extract__broken_code_gives_what_stands_around_the_damage():
    found = [(s.qualified_name, s.kind, s.start_line, s.end_line) for s in symbols(BROKEN) if s.kind != "object"]
    assert found == [
        ("OrderService", "class", 3, 23),
        ("OrderService.load", "method", 4, 9),
        ("OrderService.cancel", "method", 11, 18),
        ("OrderService.count", "method", 21, 21),
        ("Clock", "interface", 25, 27),
        ("Clock.now", "method", 26, 26),
        ("shout", "function", 29, 29),
        ("after", "function", 30, 32),
    ]


def test_extract__annotations_that_the_grammar_takes_for_expressions():
    found = symbols("/** A. */\n@Target(X)\n@Retention(Y)\nannotation class Flaky\n")
    assert [(s.name, s.kind, s.start_line, s.end_line) for s in found] == [("Flaky", "annotation", 2, 4)]
    text = '@Deprecated("x") fun a() {\n}\n@Test fun b() {}\n@Test(1) private class C {\n}\n'
    assert [(s.name, s.kind, s.start_line, s.end_line) for s in symbols(text)] == [
        ("a", "function", 1, 2),
        ("b", "function", 3, 3),
        ("C", "class", 4, 5),
    ]


@pytest.mark.parametrize("text", ["\ufeffclass F {\n}\n", "class F {\r\n}\r\n", "class F {\n\t}", "@A class F {\n}"])
def test_extract__bom_line_endings_tabs(text):
    assert [(s.name, s.start_line, s.end_line) for s in symbols(text)] == [("F", 1, 2)]


def test_extract__unusual_names():
    assert [s.name for s in symbols("class Größe {\n    fun `a b`() {}\n    val _x = 1\n}\n")] == ["Größe", "a b", "_x"]


def test_scan__finds_the_same_names_as_the_parser():
    extra = {"OrderController": 1, "GET /orders": 1, "POST /orders": 1}  # a constructor and routes have no name there
    missing = sorted(scanned(MODULE))
    for name, count in extra.items():
        missing += [name] * count
    assert sorted(missing) == sorted(s.name for s in symbols(MODULE))


@pytest.mark.parametrize(
    "line",
    ["foo(x)", "return call(x)", "if (x) {", "// fun a() {", " * class of things", "import a.b.C", "HeldCertificate"],
)
def test_scan__lines_that_define_nothing(line):
    assert scanned("    " + line) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("fun <T : Any> Map.Entry<T, Int>.last() where T : Foo {}", ["last"]),
        ("    private inline fun <reified T> read(): T =", ["read"]),
        ("fun interface Check {", ["Check"]),
        ("class A {\n    fun f() {\n        val x = 1\n    }\n    val y = 2\n}", ["A", "f", "y"]),
        ("fun f() {\n    object : A {\n        override val x = 1\n    }\n}", ["f", "x"]),
        ("    companion object Named {", ["Named"]),
        ("    OPEN,\n    Closed,\n    LAST", ["OPEN", "Closed", "LAST"]),
    ],
)
def test_scan__definition_lines(text, names):
    assert scanned(text) == names


def test_scan__takes_linear_time():
    assert scanned("\nfun " + "a." * 50_000 + "\nfun <" + "a " * 50_000 + "\nval " + "<a> " * 50_000) == []


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"  data class A(val b: Int) {", "class"),
        (b"enum class A {", "enum"),
        (b"annotation class A", "annotation"),
        (b"fun interface A {", "interface"),
        (b"fun interfaceOf(a: Int) {", "function"),
        (b"private object A {", "object"),
    ],
)
def test_kind_of_line__kinds(line, kind):
    assert kind_of_line(line) == kind


def test_standalone__a_function_gets_a_class_around_it():
    assert [s.name for s in symbols(SUPPORT.standalone("constructor", "constructor(a: Int) {\n}"))] == ["Of", "Of"]
    assert SUPPORT.standalone("object", "  object A") == "object A"


def test_language_of__kotlin():
    assert [language_of(path) for path in ("a/B.kt", "build.gradle.kts", "B.ktx")] == ["kotlin", "kotlin", None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("object Reg { fun add(a: Int) = a }\nfun broken( {\n", [("object", "Reg"), ("method", "Reg.add")]),
        ("class A { class B { fun x() = 1 } }\nfun broken( {\n", [("class", "A"), ("method", "A.x")]),
    ],
)
def test_extract__owners_on_one_line_of_broken_code(text, expected):
    assert [(s.kind, s.qualified_name) for s in symbols(text)] == [*expected, ("function", "broken")]
