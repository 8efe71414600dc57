from __future__ import annotations

from pathlib import Path

import pytest

from devpulse.core import lazy_sources
from devpulse.core.lazy_sources import LazySources, group_of

ROOT = Path(__file__).parents[3]

FILES = {
    "b.py": b"def run(): pass\n",
    "a.py": b"from b import run\n",
    "c.ts": b"export const x = () => 1;\n",
    "d.go": b"func run() {}\n",
    "README.md": b"run\n",
    "e.py": b"bin\0ary",
}


class Tree:
    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = dict(files)
        self.asked: list[str] = []

    def paths(self) -> list[str]:
        self.asked.append("paths")
        return list(self.files)

    def read(self, path: str) -> bytes | None:
        self.asked.append(path)
        return self.files.get(path)

    def size(self, path: str) -> int | None:
        return len(self.files[path]) if path in self.files else None


def test_corpus__is_read_once_and_only_when_asked():
    tree = Tree(FILES)
    sources = LazySources(tree.paths, tree.read, None, tree.size)
    assert tree.asked == []
    assert sources.corpus() is sources.corpus()
    assert tree.asked.count("paths") == 1
    assert sources.corpus().paths == ("a.py", "b.py", "c.ts", "d.go")


def test_text__reads_that_file_only():
    tree = Tree(FILES)
    sources = LazySources(tree.paths, tree.read, None, tree.size)
    assert sources.text("b.py") == "def run(): pass\n"
    assert sources.text("b.py") == "def run(): pass\n"
    assert tree.asked == ["b.py"]


def test_text__none_for_binary_missing_and_oversized_files():
    tree = Tree(FILES | {"big.py": b"#" * 1_000_001})
    sources = LazySources(tree.paths, tree.read, None, tree.size)
    assert [sources.text(path) for path in ("e.py", "absent.py", "big.py")] == [None, None, None]
    assert "big.py" not in tree.asked


def test_read_many__is_used_when_there_and_may_leave_files_out():
    tree = Tree(FILES)
    sources = LazySources(tree.paths, tree.read, lambda paths: [(p, FILES[p]) for p in paths if p != "a.py"], None)
    assert sources.corpus().paths == ("b.py", "c.ts", "d.go")
    assert tree.asked == ["paths"]


def test_names__complete_and_likely():
    tree = Tree(FILES)
    sources = LazySources(tree.paths, tree.read, None, None)
    assert list(sources.defined_names().names()) == [b"run"]
    assert list(sources.likely_names().names()) == [b"x"]


def test_imports__of_a_file_and_of_none():
    tree = Tree(FILES)
    sources = LazySources(tree.paths, tree.read, None, None)
    assert sources.imports("a.py").files == {"b.py": frozenset({"run"})}
    assert sources.imports(None).files == {}
    assert sources.imports("absent.py").files == {}


def test_ready__once_the_names_are_there_and_without_waiting():
    tree = Tree(FILES)
    sources = LazySources(tree.paths, tree.read, None, tree.size)
    assert not sources.ready
    sources.corpus()
    assert not sources.ready
    sources.defined_names()
    assert sources.ready


def test_lines_defining__the_same_with_and_without_the_table_of_all_names():
    """Over sources of this project, which hold every kind of definition line."""
    files = {str(path): path.read_bytes() for path in sorted((ROOT / "src" / "devpulse" / "core").glob("*.py"))}

    def opened() -> LazySources:
        return LazySources(lambda: list(files), files.get, None, None)

    table = opened().defined_names()
    fresh = opened()
    names = [name.decode() for name in table.names()]
    assert len(names) > 500
    for name in [*names, "nowhere_defined", "return", "GET /x"]:
        assert fresh.lines_defining(name) == table.of(name), name
    assert not fresh.ready
    assert fresh.lines_defining("") == []


def test_lines_defining__a_name_on_very_many_lines_makes_the_table(monkeypatch):
    monkeypatch.setattr(lazy_sources, "RARE", 3)
    files = {"a.py": b"def often():\n    pass\n" + b"often()\n" * 4}
    sources = LazySources(lambda: list(files), files.get, None, None)
    assert sources.lines_defining("often") == [5]
    assert sources.ready


def test_lines_with__kept_for_the_next_question(monkeypatch):
    sources = LazySources(lambda: ["a.py"], {"a.py": b"x = y\ny = x\nx2\n"}.get, None, None)
    corpus = sources.corpus()
    assert list(sources.lines_with(b"x")) == list(corpus.lines(b"x")) == [1, 11]
    monkeypatch.setattr(type(corpus), "lines", None)
    assert list(sources.lines_with(b"x")) == [1, 11]


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("a.py", "python"), ("A.PY", "python"), ("a/Rakefile", "ruby"), ("a.sql", ""), ("a.SQL", ""), (".vue", ""),
        ("a.txt", None), ("a.py/x", None), ("a.py/x.txt", None), ("py", None), ("", None),
    ],
)  # fmt: skip
def test_group_of__language_words_or_nothing(path, group):
    assert group_of(path) == group
