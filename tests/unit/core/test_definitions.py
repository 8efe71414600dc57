import pytest

from devpulse.core import definitions
from devpulse.core.candidates import ask
from devpulse.core.definitions import Definitions, is_declaration, symbols_at
from devpulse.core.lazy_sources import LazySources
from devpulse.core.ranking import Nearness

FILES = {
    "app/a.py": b"class A:\n    def run(self): return 1\n\n\ndef use(): return run()\n",
    "app/b.py": b"def run(): return 2\n",
    "lib/c.py": b"def run(): return 3\n",
    "tests/test_d.py": b"def run(): return 4\n",
    "web/e.ts": b"export function run() {}\nrun()\n",
    "web/f.ts": b"run()\n",
}


def found(files: dict[str, bytes], name: str, near: str | None = None, limit: int = 10, place: str | None = None):
    sources = LazySources(lambda: list(files), files.get, None, None)
    return Definitions(sources).of(ask(name), near, limit, place)


def test_of__nearest_first():
    rows = found(FILES, "run", near="app/b.py").rows
    assert [row.path for row in rows] == ["app/b.py", "app/a.py", "lib/c.py", "web/e.ts", "tests/test_d.py"]
    assert found(FILES, "A.run").rows[0].path == "app/a.py"
    assert found(FILES, "").total == 0


def test_of__within_a_place_and_a_limit():
    assert [row.path for row in found(FILES, "run", place="lib").rows] == ["lib/c.py"]
    first = found(FILES, "run", near="lib/c.py", limit=1)
    assert ([row.path for row in first.rows], first.total) == (["lib/c.py"], 5)
    assert found(FILES, "run", limit=-1).rows == ()


def test_of__counts_lines_of_files_that_are_not_parsed(monkeypatch):
    monkeypatch.setattr(definitions, "PARSED_FILES", 2)
    some = found(FILES, "run", near="app/b.py")
    assert (len(some.rows), some.total) == (2, 5)


def test_of__of_very_many_files_ranks_few_and_counts_all(monkeypatch):
    ranked: list[str] = []

    class Spied(Nearness):
        def __call__(self, path):
            ranked.append(path)
            return super().__call__(path)

    monkeypatch.setattr(definitions, "Nearness", Spied)
    files = {f"area{number}/main.py": b"def main(): return 1\n" for number in range(3 * definitions.MOST_RANKED)}
    files |= {"z/own.py": b"from y.taken import main\n", "z/next.py": b"def main(): pass\n"}
    files |= {"y/taken.py": b"def main(): pass\n", "x/only.py": b"print(main)\n"}
    several = found(files, "main", near="z/own.py", limit=3)
    assert [row.path for row in several.rows][:2] == ["y/taken.py", "z/next.py"]
    assert several.total == 3 * definitions.MOST_RANKED + 2
    assert len(set(ranked)) <= definitions.MOST_RANKED
    assert "x/only.py" not in ranked


@pytest.mark.parametrize(
    ("path", "text", "declared"),
    [
        ("a.py", "@typing.overload\ndef f(a: int) -> int: ...\n", True),
        ("a.py", "def f(a): ...\n", True),
        ("a.py", "def f(a): return a\n", False),
        ("a.py", "class f: ...\n", False),
        ("a.ts", "declare function f(a: number): void;\n", True),
        ("a.ts", "function f() { return 1; }\n", False),
        ("A.java", "interface A {\n  int f();\n}\n", True),
    ],
)
def test_is_declaration__what_has_no_body(path, text, declared):
    corpus = LazySources(lambda: [path], {path: text.encode()}.get, None, None).corpus()
    symbol = next(symbol for symbol in symbols_at(corpus, 0) if symbol.name == "f")
    assert is_declaration(symbol, corpus) == declared


def test_symbols_at__none_without_a_grammar():
    corpus = LazySources(lambda: ["a.sql"], {"a.sql": b"select 1"}.get, None, None).corpus()
    assert symbols_at(corpus, 0) == ()


def test_of__minified_files_are_counted_and_not_parsed():
    packed = b"function run(){return 1}" + b"function a(b){return b};" * 1_000
    files = {"web/all.js": packed, "web/e.js": b"function run() {}\n"}
    told = found(files, "run", near="web/e.js")
    assert [row.path for row in told.rows] == ["web/e.js"]
    assert told.total == 2
    assert next(row.path for row in found(files, "run", near="web/all.js").rows) == "web/all.js"
    assert found({"web/all.js": packed}, "run").rows == ()
