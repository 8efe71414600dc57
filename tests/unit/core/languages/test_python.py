from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest

from devpulse.core.languages import language_of
from devpulse.core.languages.python_lines import scan
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of
from devpulse.core.text import decode

MODULE = '''\
"""A shop."""
from flask import Flask

app = Flask(__name__)
# Seconds before
# a session ends.
SESSION_SECONDS: int = 900
parse = lambda text: text.split(",")
type Row = tuple[int, str]


# Shows one order.
@app.route("/orders/<int:order_id>", methods=["GET"])
@login_required
async def show_order(
    order_id: int,  # from the path
    *fields: str,
    **options,
) -> Response:
    """Show one order.

    With its lines.
    """

    def total(lines):
        return sum(lines)

    return total([])


class Order(Base, table=True):
    """An order
    of a customer."""

    key = lambda self: self.id

    @property
    def paid(self):
        return self._paid

    class Meta:
        ordering = ["id"]

    if DEBUG:
        def dump(self): print(self)
'''


def names(text: str) -> list[str]:
    return [symbol.qualified_name for symbol in symbols_of("m.py", "python", text)]


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols_of("m.py", "python", text) if symbol.qualified_name == name)


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("app", "variable", 4, 4),
        ("SESSION_SECONDS", "constant", 7, 7),
        ("parse", "function", 8, 8),
        ("Row", "type", 9, 9),
        ("show_order", "route", 13, 28),
        ("show_order.total", "function", 25, 26),
        ("Order", "class", 31, 45),
        ("Order.key", "method", 35, 35),
        ("Order.paid", "method", 37, 39),
        ("Order.Meta", "class", 41, 42),
        ("Order.dump", "method", 45, 45),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)
    assert symbol.name == name.rpartition(".")[2]
    assert symbol.path == "m.py"


def test_extract__nothing_else_is_a_symbol():
    assert len(names(MODULE)) == 11
    assert names("import os\nprint(1)\nx == 2\nd['k'] = 3\nobj.attr = 4\n") == []
    assert names("def f():\n    local = 1\n") == ["f"]
    assert names("text = '''\ndef not_code(): pass\n'''\n") == ["text"]


def test_extract__signature_is_one_line_without_body_comment_and_last_comma():
    assert (
        named(MODULE, "show_order").signature
        == "async def show_order(order_id: int, *fields: str, **options) -> Response"
    )
    assert named(MODULE, "Order").signature == "class Order(Base, table=True)"
    assert len(named("def f(" + "argument, " * 60 + "): pass", "f").signature) == 200


def test_extract__a_constants_value_is_not_in_its_signature():
    assert named('API_KEY: str = "s3cr3t"', "API_KEY").signature == "API_KEY: str"


def test_extract__docstring_is_the_first_paragraph_or_the_comment_above():
    assert named(MODULE, "show_order").docstring == "Show one order."
    assert named(MODULE, "Order").docstring == "An order of a customer."
    assert named(MODULE, "SESSION_SECONDS").docstring == "Seconds before a session ends."
    assert named(MODULE, "Order.paid").docstring == ""
    assert named("x = 1  # about x\ndef f(): pass", "f").docstring == ""
    assert named("# far away\n\ndef f(): pass", "f").docstring == ""
    assert len(named('def f():\n    """' + "word " * 100 + '"""', "f").docstring) == 300


@pytest.mark.parametrize(
    ("decorator", "kind"),
    [
        ('@app.route("/x")', "route"),
        ('@bp.route(rule="/x")', "route"),
        ('@router.get("/items/{id}", response_model=Item)', "route"),
        ('@router.post("")', "route"),
        ('@api_view(["GET"])', "route"),
        ("@require_POST", "route"),
        ("@action(detail=True)", "route"),
        ('@mock.patch("shop.orders.pay")', "function"),
        ("@cache.get", "function"),
        ('@settings.get("name")', "function"),
        ("@functools.cache", "function"),
        ("@app.before_request", "function"),
    ],
)
def test_extract__route_decorators(decorator, kind):
    assert named(f"{decorator}\ndef f(request): pass", "f").kind == kind


def test_extract__overloads_and_repeated_names_are_all_kept():
    text = "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): ...\n"
    assert [(s.start_line, s.end_line) for s in symbols_of("m.py", "python", text)] == [(1, 2), (3, 4), (5, 5)]


BROKEN = [
    ("def a():\n    x = call(1,\n    y = 2\n\n@dec\ndef b(q):\n    return 1\n", [("a", 1, 3), ("b", 5, 7)]),
    (
        "class C:\n    def m(self):\n        if x\n            return {\n    def n(self):\n        return 2\n",
        [("C", 1, 6), ("C.m", 2, 4), ("C.n", 5, 6)],
    ),
    ("def before(): pass\ndef broken(:\n    pass\ndef after(): pass\n",
     [("before", 1, 1), ("broken", 2, 3), ("after", 4, 4)]),
    ("def a():\n    return (1\n\nclass K:\n    def m(self):\n        return 3\n",
     [("a", 1, 2), ("K", 4, 6), ("K.m", 5, 6)]),
    ("<<<<<<< HEAD\ndef a(): pass\n=======\ndef b(): pass\n>>>>>>> x\n", [("a", 2, 2), ("b", 4, 4)]),
    ("print 'old python'\ndef a(): pass\n", [("a", 2, 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_extract__broken_code_gives_what_stands_around_the_damage(text, expected):
    assert [(s.qualified_name, s.start_line, s.end_line) for s in symbols_of("m.py", "python", text)] == expected


def test_extract__salvaged_signature_ends_at_its_line():
    assert named(BROKEN[0][0], "a").signature == "def a()"
    assert named(BROKEN[1][0], "C.n").kind == "method"


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffdef f():\n    pass\n",
        "def f():\r\n    pass\r\n",
        "def f():\n\tpass\n",
        "def f():\n    pass",
        "\x0cdef f():\n  pass",
    ],
)
def test_extract__bom_line_endings_tabs(text):
    assert [(s.name, s.start_line, s.end_line) for s in symbols_of("m.py", "python", text)] == [("f", 1, 2)]


def test_extract__invalid_utf8_and_unusual_names():
    text = decode(b"def caf\xc3\xa9(): pass\n# \xff\xfe\ndef g(): return '\xff'\n")
    assert names(text) == ["café", "g"]


def test_scan__finds_the_same_names_as_the_parser():
    source = b"\n" + MODULE.encode()
    assert sorted(name.decode() for _, name in scan(source, 1, len(source))) == sorted(
        symbol.name for symbol in symbols_of("m.py", "python", MODULE)
    )


@pytest.mark.parametrize("line", ["x == 1", "    local = 1", "call(key=1)", "return lambda: 1", "f(key=lambda x: x)"])
def test_scan__lines_that_define_nothing(line):
    source = b"\n" + line.encode() + b"\n"
    assert list(scan(source, 1, len(source))) == []


def test_language_of__python_extensions():
    assert [language_of(path) for path in ("a/b.py", "b.PYI", "b.pyc", "py")] == ["python", "python", None, None]


def standard_library_sample() -> list[Path]:
    library = Path(sysconfig.get_path("stdlib"))
    files = [
        path for path in sorted(library.glob("*.py")) + sorted(library.glob("*/*.py")) if path.stat().st_size < 150_000
    ]
    chosen = [path for path in files if not {"test", "site-packages", "lib2to3"} & set(path.parts)]
    return chosen[:: max(1, len(chosen) // 60)][:60]


def test_extract__agrees_with_ast_on_the_standard_library():
    total = missed = scanned = 0
    for path in standard_library_sample():
        data = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = [node for node in ast.walk(ast.parse(data))
                     if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]  # fmt: skip
        truth = [(n.name, min([n.lineno, *(d.lineno for d in n.decorator_list)]), n.end_lineno) for n in nodes]
        found = {(s.name, s.start_line, s.end_line) for s in symbols_of(path.name, "python", decode(data))}
        lines = {name.decode() for _, name in scan(b"\n" + data, 1, len(data) + 1)}
        total += len(truth)
        missed += sum(one not in found for one in truth)
        scanned += sum(name in lines for name, _, _ in truth)
    assert total > 1000
    assert (total - missed) / total >= 0.995
    assert scanned / total >= 0.995
