"""The list of definitions that changed lines call."""

from __future__ import annotations

import pytest
from builders import MemoryIndex, make_symbol

from devpulse.core.called import MAX_QUESTIONS, MAX_ROWS, OwnDefinitions, called_by
from devpulse.core.index import SymbolIndex


def tree(**files: str) -> SymbolIndex:
    paths = {name.replace("__", "/").replace("_dot_", "."): text.encode() for name, text in files.items()}
    return SymbolIndex(lambda: list(paths), paths.get)


def called(
    code: str, index, path: str = "app/views.py", language: str | None = "python", in_view=lambda _symbol: False
):
    found = called_by(code.split("\n"), path, language, index, in_view)
    return [f"{symbol.qualified_name} {symbol.path}:{symbol.start_line}-{symbol.end_line}" for symbol in found]


PYTHON = {
    "app__views_dot_py": "from app.db import lookup\n\ndef here(x):\n    return x\n",
    "app__db_dot_py": "def lookup(name):\n    pass\n\n\nclass Store:\n    def load(self, key):\n        pass\n",
    "app__guards_dot_py": "def login_required(view):\n    return view\n",
    "tests__test_db_dot_py": "def only_in_tests():\n    pass\n",
}


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("    return lookup(name)", ["lookup app/db.py:1-2"]),
        ("    value = here(1)", ["here app/views.py:3-4"]),
        ("    Store().load(key)", ["Store app/db.py:5-7", "Store.load app/db.py:6-7"]),
        ("    store.load(key)", ["Store.load app/db.py:6-7"]),
        ("    db.lookup(name)", ["lookup app/db.py:1-2"]),
        ("    Store.load(key)", ["Store.load app/db.py:6-7"]),
        ("@login_required", ["login_required app/guards.py:1-2"]),
        ("    load(key)", []),  # a method is not called without its object
        ("    only_in_tests()", []),
        ("    nowhere(name)", []),
        ("    # lookup(name)", []),
        ("    if (name):", []),
        ("    lookup = 1", []),
    ],
)
def test_called_by__python_lines(line, rows):
    assert called(line, tree(**PYTHON)) == rows


def test_called_by__methods_of_the_languages_own_types_only_on_the_object_itself():
    index = tree(app__cache_dot_py="class Cache:\n    def get(self, key):\n        return key\n")
    assert called("data.get(1)", index) == []
    assert called("self.get(1)", index, path="app/cache.py") == ["Cache.get app/cache.py:2-3"]


def test_called_by__a_name_with_many_definitions_only_when_one_is_near():
    files = {f"lib{n}__m_dot_py": "def clean(x):\n    return x\n" for n in range(6)}
    assert called("clean(x)", tree(**files)) == []
    assert called("clean(x)", tree(**files), path="lib3/views.py") == ["clean lib3/m.py:1-2"]


def test_called_by__a_body_rather_than_a_declaration():
    symbols = [
        make_symbol("Send", "api/iface.go", kind="method", start_line=3, end_line=3),
        make_symbol("Send", "mail/send.go", kind="method", start_line=9, end_line=20),
    ]
    assert called("c.Send(m)", MemoryIndex(symbols), "web/x.go", "go") == ["Send mail/send.go:9-20"]
    header = make_symbol("reply", "src/server.h", kind="function", start_line=3, end_line=4)
    assert called("reply(c);", MemoryIndex([header]), "src/x.c", "c") == ["reply src/server.h:3-4"]


def test_called_by__ruby_calls_without_brackets():
    text = "class Files\n  def authenticate_user\n    1\n  end\nend\n"
    index = tree(app__files_dot_rb=text)
    assert called("  authenticate_user", index, "app/a.rb", "ruby") == ["Files.authenticate_user app/files.rb:2-4"]
    assert called("  user = :authenticate_user", index, "app/a.rb", "ruby") == []
    assert called("  authenticate_user", index, "app/a.py", "python") == []


def test_called_by__what_is_in_view_is_left_out():
    assert called("here(lookup(x))", tree(**PYTHON), in_view=lambda s: s.name == "here") == ["lookup app/db.py:1-2"]


def test_called_by__nothing_without_a_language():
    assert called("lookup(x)", tree(**PYTHON), "notes.txt", None) == []


def test_called_by__the_nearest_first_and_no_more_than_fit():
    near = [make_symbol(f"near{n}", "app/views.py", start_line=n, end_line=n) for n in range(1, 4)]
    far = [make_symbol(f"far{n}", "lib/far.py", start_line=n, end_line=n) for n in range(1, 12)]
    code = "\n".join(f"{symbol.name}()" for symbol in [*far, *near])
    rows = called(code, MemoryIndex([*far, *near]))
    assert len(rows) == MAX_ROWS
    assert [row.split(" ")[0] for row in rows] == ["near1", "near2", "near3", *(f"far{n}" for n in range(1, 6))]


def test_called_by__asks_about_a_limited_number_of_names():
    asked: list[str] = []

    class Index(MemoryIndex):
        def definitions(self, name, *, near=None, limit=3):
            asked.append(name)
            return super().definitions(name, near=near, limit=limit)

    called("\n".join(f"name{n}()" for n in range(100)), Index())
    assert len(asked) == MAX_QUESTIONS


def test_called_by__other_languages_are_not_called():
    index = tree(web__a_dot_js="function lookup() {\n  return 1;\n}\n")
    assert called("lookup(x)", index) == []
    assert called("lookup(x)", index, "web/b.ts", "typescript") == ["lookup web/a.js:1-3"]


def test_called_by__is_the_same_each_time():
    index = tree(**PYTHON)
    code = "@login_required\nlookup(x)\nstore.load(y)\nStore()"
    assert len({tuple(called(code, index)) for _ in range(3)} | {tuple(called(code, tree(**PYTHON)))}) == 1


def test_own_definitions__by_name_or_class_under_the_path_that_asks():
    own = OwnDefinitions((make_symbol("Store.load", "", kind="method"), make_symbol("load", ""), make_symbol("x", "")))
    assert [(s.qualified_name, s.path) for s in own.definitions("load", near="a.py").rows] == [
        ("Store.load", "a.py"),
        ("load", "a.py"),
    ]
    assert [s.qualified_name for s in own.definitions("Store.load", near="a.py").rows] == ["Store.load"]
    assert (own.definitions("load", limit=1).total, own.definitions("oad").total) == (2, 0)
