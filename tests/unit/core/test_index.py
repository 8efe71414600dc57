from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from devpulse.core.definitions import PARSED_FILES
from devpulse.core.index import SymbolIndex
from devpulse.core.symbols import Resolver

SHOP = {
    "shop/__init__.py": "",
    "shop/views.py": "from shop.db import query\n\n\n@app.route('/')\ndef index(request):\n"
    "    return query(request.args)\n",
    "shop/db.py": "import sqlite3\n\n\ndef query(sql):\n    return connection().execute(sql)\n\n\nclass Store:\n"
    "    def query(self, sql):\n        return sql\n",
    "shop/other.py": "def query():\n    return 1\n",
    "tests/test_db.py": "def query():\n    return 2\n\n\ndef test_query():\n    assert query()\n",
    "vendor/lib.py": "def query():\n    return 3\n",
    "web/api.ts": "import { query } from './client';\n\nexport const load = async (id: string) => {\n"
    "  return query(id);\n};\n",
    "web/client.ts": "/** Asks the server. */\nexport function query(q: string) {\n  return fetch(q);\n}\n"
    "app.get('/users', async (req, res) => {\n  res.send(await query(req.query.q));\n});\n",
    "templates/page.html": "{{ query|safe }}\n",
    "main.lua": "function query() end\n",
}


def make_index(files: dict[str, str] | None = None) -> SymbolIndex:
    data = {path: text.encode() for path, text in (SHOP if files is None else files).items()}
    return SymbolIndex(lambda: list(data), data.get)


def paths(index: SymbolIndex, name: str, near: str | None = None) -> list[str]:
    return [symbol.path for symbol in index.definitions(name, near=near, limit=20).rows]


def test_ready__once_prepared():
    index = make_index()
    index.enclosing("shop/db.py", 5)
    assert index.definitions("Store").total
    assert not index.ready
    index.prepare()
    assert index.ready


def test_prepare__leaves_nothing_to_be_read_for_a_name():
    index = make_index()
    index.prepare()
    assert index.ready
    assert paths(index, "Store") == ["shop/db.py"]


def test_index__implements_the_resolver():
    resolver: Resolver = make_index()
    assert resolver.definitions("Store").total == 1


def test_definitions__nearest_first_and_all_counted():
    found = make_index().definitions("query", near="shop/views.py", limit=1)
    assert [(symbol.path, symbol.start_line, symbol.end_line) for symbol in found.rows] == [("shop/db.py", 4, 5)]
    assert found.total == 6
    assert found.exact


def test_definitions__the_whole_order():
    assert paths(make_index(), "query", "shop/views.py") == [
        "shop/db.py", "shop/db.py", "shop/other.py", "web/client.ts", "tests/test_db.py", "vendor/lib.py",
    ]  # fmt: skip


def test_definitions__from_typescript_the_imported_file():
    assert paths(make_index(), "query", "web/api.ts")[0] == "web/client.ts"


def test_definitions__from_the_file_itself():
    assert paths(make_index(), "query", "vendor/lib.py")[0] == "vendor/lib.py"


@pytest.mark.parametrize(
    ("name", "qualified"),
    [
        ("Store.query", "Store.query"),
        ("db.Store.query", "Store.query"),
        ("shop.db.query", "query"),
        ("other.query", "query"),
        ("query()", "query"),
        ("GET /users", "GET /users"),
    ],
)
def test_definitions__qualified_names_and_routes(name, qualified):
    found = make_index().definitions(name, near="shop/views.py")
    assert found.rows[0].qualified_name == qualified


@pytest.mark.parametrize("name", ["absent", "Store.absent", "Absent.query", "", "...", "quer", "Query", "GET /absent"])
def test_definitions__of_nothing(name):
    found = make_index().definitions(name)
    assert (found.rows, found.total) == ((), 0)


def test_definitions__a_name_in_hundreds_of_files_parses_a_few_and_counts_all():
    files = {f"pkg{number:03}/m.py": "class A:\n    def __init__(self):\n        pass\n" for number in range(200)}
    files |= {f"web{number:03}/m.ts": "class A { \n  __init__() {\n  }\n}\n" for number in range(50)}
    found = make_index(files).definitions("__init__", near="pkg150/m.py", limit=PARSED_FILES * 3)
    assert found.rows[0].path == "pkg150/m.py"
    assert len(found.rows) == PARSED_FILES
    assert found.total == 250


def test_definitions__a_mere_mention_does_not_use_up_the_cap():
    files = {f"a{number:03}.ts": "const y = { get: (run) => wrap(run == 1) }; run(1)\n" for number in range(60)}
    files["zz/deep/last.ts"] = "export function run() {\n}\n"
    assert paths(make_index(files), "run", "a000.ts") == ["zz/deep/last.ts"]


def test_search__exact_names_are_exact():
    found = make_index().search("query", near="shop/views.py", limit=2)
    assert found.exact
    assert (found.total, len(found.rows), found.rows[0].path) == (6, 2, "shop/db.py")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("QUERY", "query"),
        ("test query", "test_query"),
        ("query test", "test_query"),
        ("testQuery", "test_query"),
        ("stroe", "Store"),
        ("tor", "Store"),
        ("loda", "load"),
        ("client.Store", "Store"),
    ],
)
def test_search__inexact_stages(query, name):
    found = make_index().search(query)
    assert not found.exact
    assert found.rows[0].name == name
    assert found.total >= 1


def test_search__within_a_file_or_folder():
    index = make_index()
    assert {symbol.path for symbol in index.search("query", path="shop").rows} == {"shop/db.py", "shop/other.py"}
    assert {symbol.path for symbol in index.search("QUERY", path="web/client.ts").rows} == {"web/client.ts"}
    assert index.search("query", path="shop/views.py").rows == ()


@pytest.mark.parametrize("query", ["", "   ", "zzzzqqqq", "()", "日本"])
def test_search__of_nothing(query):
    found = make_index().search(query)
    assert (found.rows, found.total, found.exact) == ((), 0, False)


def test_references__whole_words_with_their_symbols():
    found = make_index().references("query", path="shop/views.py", limit=3)
    assert [(row.path, row.line, row.text, row.symbol) for row in found.rows] == [
        ("shop/views.py", 1, "from shop.db import query", None),
        ("shop/views.py", 6, "return query(request.args)", "index"),
        ("shop/db.py", 4, "def query(sql):", "query"),
    ]
    assert found.total == 14


def test_references__in_languages_without_a_grammar_too():
    rows = make_index().references("query", limit=50).rows
    assert {("templates/page.html", None), ("main.lua", None)} <= {(row.path, row.symbol) for row in rows}
    assert not [row for row in rows if "test_query" in row.text]


def test_references__a_folder_comes_first():
    assert {row.path for row in make_index().references("query", path="web", limit=3).rows} == {
        "web/api.ts",
        "web/client.ts",
    }


def test_references__long_lines_are_cut():
    found = make_index({"a.js": "x = '" + "y" * 5000 + "'; run();\n"}).references("run")
    assert len(found.rows[0].text) == 200


@pytest.mark.parametrize("name", ["absent", "", "que"])
def test_references__of_nothing(name):
    assert make_index().references(name).rows == ()


def test_enclosing__and_symbols_in():
    index = make_index()
    around = index.enclosing("shop/db.py", 10)
    assert around is not None
    assert around.qualified_name == "Store.query"
    assert index.enclosing("shop/db.py", 1) is None
    assert index.enclosing("absent.py", 1) is None
    assert index.enclosing("main.lua", 1) is None
    assert [symbol.qualified_name for symbol in index.symbols_in("shop/db.py")] == ["query", "Store", "Store.query"]
    assert index.symbols_in("absent.py") == ()


def test_source__the_span_with_its_decorator():
    index = make_index()
    view = index.definitions("index").rows[0]
    assert index.source(view) == "@app.route('/')\ndef index(request):\n    return query(request.args)"


def test_source__none_when_the_file_is_gone_or_shorter():
    files = {"a.py": b"def f():\n    return 1\n"}
    index = SymbolIndex(lambda: list(files), files.get)
    symbol = index.definitions("f").rows[0]
    files["a.py"] = b"def f():\n"
    assert index.source(symbol) is None
    del files["a.py"]
    assert index.source(symbol) is None
    assert index.text("b.py") is None


def test_index__files_that_vanish_while_reading_are_left_out():
    data = {"a.py": b"def f(): pass\n"}
    index = SymbolIndex(lambda: ["a.py", "gone.py", "gone.ts"], data.get)
    assert index.definitions("f").total == 1


def test_index__an_empty_tree():
    index = make_index({})
    assert index.definitions("f").total == index.references("f").total == index.search("f").total == 0


def test_index__reads_nothing_before_the_first_question_and_only_one_file_for_a_line():
    asked: list[str] = []

    def read(path: str) -> bytes | None:
        asked.append(path)
        return SHOP[path].encode()

    index = SymbolIndex(lambda: list(SHOP), read)
    assert asked == []
    index.enclosing("shop/db.py", 4)
    assert asked == ["shop/db.py"]


def test_index__unusual_bytes():
    files = {
        "bom.py": b"\xef\xbb\xbfdef bom(): pass\n",
        "crlf.py": b"def crlf():\r\n    return 1\r\n",
        "latin.py": b"# \xe9\xff\ndef latin(): pass\n",
        "sur\udcffrogate.py": b"def odd(): pass\n",
        "line.js": b"x = '" + b"y" * 900_000 + b"';\nfunction after() {}\n",
        "binary.py": b"\0def binary(): pass\n",
    }
    index = SymbolIndex(lambda: list(files), files.get)
    assert [index.definitions(name).total for name in ("bom", "crlf", "latin", "odd", "after", "binary")] == [
        1,
        1,
        1,
        1,
        1,
        0,
    ]
    assert index.definitions("crlf").rows[0].end_line == 2
    assert index.source(index.definitions("odd").rows[0]) == "def odd(): pass"


def test_index__many_threads_build_it_once():
    listed: list[int] = []

    def listing() -> list[str]:
        listed.append(1)
        return list(SHOP)

    index = SymbolIndex(listing, lambda path: SHOP[path].encode())
    with ThreadPoolExecutor(8) as pool:
        totals = list(pool.map(lambda _: index.definitions("query", near="web/api.ts").total, range(50)))
    assert totals == [6] * 50
    assert listed == [1]


def test_definitions__an_implementation_before_its_overloads():
    text = "from typing import overload\n\n\n@overload\ndef f(a: int) -> int: ...\n\n\ndef f(a):\n    return a\n"
    assert [row.start_line for row in make_index({"a.py": text}).definitions("f").rows] == [8, 4]


def test_definitions__a_bare_name_is_the_imported_function_not_a_method_of_the_file():
    files = {
        "a.py": "from b import run\n\n\nclass A:\n    def run(self):\n        return run()\n",
        "b.py": "def run():\n    return 1\n",
    }
    assert paths(make_index(files), "run", "a.py") == ["b.py", "a.py"]
    assert paths(make_index(files), "self.run", "a.py") == ["a.py", "b.py"]


def test_index__a_tree_that_changes_while_it_is_read_breaks_nothing():
    data = {f"p{number:02}/m.py": f"def f{number:02}():\n    return run()\n".encode() for number in range(40)}
    listed = list(data)

    def read_many(wanted):
        for number, path in enumerate(wanted):
            if number % 4 == 0:
                data.pop(path, None)
            elif number % 4 == 1:
                data[path] = data[path][: number % 7]
            elif number % 4 == 2:
                data[path] = b"\0" + data[path]
            if path in data:
                yield path, data[path]

    index = SymbolIndex(lambda: listed, data.get, read_many, lambda path: len(data[path]) if path in data else None)
    with ThreadPoolExecutor(8) as pool:
        names = [f"f{number:02}" for number in range(40)] * 2
        found = list(pool.map(lambda name: index.search(name, near=f"p{name[1:]}/m.py"), names))
        list(pool.map(lambda name: index.references(name, path="p03/m.py"), names))
    assert {row.name for answer in found if answer.exact for row in answer.rows} >= {"f03", "f07", "f39"}
    data.clear()
    assert index.source(index.definitions("f03").rows[0]) is None
