from __future__ import annotations

import subprocess
import sys

import pytest
from rule_tables import make_source

from devpulse.core import languages
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.sanitising import sanitises
from devpulse.core.imports import imported_names, imports_of
from devpulse.core.index import SymbolIndex
from devpulse.core.languages.base import LanguageSupport, dedented
from devpulse.core.rules import run_rules

APP = """
from shop.tidy import clean

def f(cur):
    cur.execute('DELETE FROM t WHERE a = ' + clean(request.args['a']))
"""
SCRIPT = "const f = (req) => db.query('DELETE FROM t WHERE a = ' + clean(req.body));\n"
TIDY = "def clean(v):\n    return int(v)\n"


@pytest.fixture
def bare(monkeypatch):
    """A language that brings only what every language must: names, a grammar, definitions, a scan."""
    support = languages.LANGUAGES["python"]
    bare = LanguageSupport("bare", (".bare",), support.grammar, support.extract, support.scan)
    monkeypatch.setitem(languages.LANGUAGES._loaded, "bare", bare)
    monkeypatch.setitem(languages.EXTENSIONS, ".bare", "bare")


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("path", "text", "asks"),
    [("shop/app.py", APP, ["shop.tidy.clean"]), ("shop/app.bare", APP, []), ("shop/app.ts", SCRIPT, ["clean"])],
)
def test_support__a_new_language_needs_nothing_optional(path, text, asks):
    tree = {"shop/tidy.bare": TIDY.encode(), path: text.encode(), "shop/old.bare": b"def old(): pass\n"}
    index = SymbolIndex(lambda: list(tree), tree.get)
    source = make_source(text, path=path, before=text + "\nx = 1\n")
    assert [name for hit in run_rules(source, index) for name in hit.asks] == asks  # unread, so still open
    assert [symbol.path for symbol in index.definitions("clean", near=path).rows] == ["shop/tidy.bare"]
    assert [symbol.path for symbol in index.search("clear", near="shop/tidy.bare").rows] == ["shop/tidy.bare"]
    assert index.references("clean", path="shop/old.bare").total


@pytest.mark.usefixtures("bare")
def test_support__without_adapter_and_reader_nothing_is_known():
    assert analyse("bare", APP).calls == []
    assert not sanitises("sql-injection", "shop/tidy.bare", TIDY)
    assert imports_of("shop/app.bare", "bare", APP, {"shop/tidy.py"}).files == {}
    assert imported_names("bare", APP) == {}


def test_dedented__keeps_a_decorator_at_the_margin():
    assert dedented("method", "    def f(self):\n        pass") == "def f(self):\n    pass"
    assert dedented("method", "@cache\n    def f(self):\n        pass") == "@cache\ndef f(self):\n    pass"


def test_support__family():
    families = {support.name: support.family for support in languages.LANGUAGES.values() if support.family}
    assert families == {
        "c": "c", "cpp": "c",
        "java": "jvm", "kotlin": "jvm",
        "javascript": "ecmascript", "typescript": "ecmascript", "tsx": "ecmascript",
    }  # fmt: skip


def test_languages__the_list_agrees_with_the_modules():
    listed = {name: languages.LANGUAGES[name] for name in languages.LANGUAGES}
    assert {name: support.name for name, support in listed.items()} == {name: name for name in listed}
    assert {name: support.extensions for name, support in listed.items()} == languages._EXTENSIONS
    assert {name for name, support in listed.items() if support.scan_is_complete} == languages._COMPLETE
    assert {name for name, support in listed.items() if support.scans_by_line} == languages._BY_LINE
    assert len(languages.LANGUAGES) == len(listed)


def test_languages__completeness_and_scan_are_there_without_loading():
    fresh = languages.Languages()
    assert (fresh.scan_is_complete("java"), fresh.scan_is_complete("kotlin")) == (True, False)
    assert (fresh.scans_by_line("python"), fresh.scans_by_line("go")) == (True, False)
    scans = {name: fresh.scan_of(name) for name in fresh}
    assert fresh._loaded == {}
    assert scans == {name: languages.LANGUAGES[name].scan for name in scans}
    assert scans == {name: languages.LANGUAGES.scan_of(name) for name in scans}
    with pytest.raises(KeyError, match="cobol"):
        fresh.scan_of("cobol")


def test_languages__one_is_loaded_only_when_it_is_met():
    code = (
        "import sys\nfrom devpulse.core.index import SymbolIndex\n"
        "data = {'a.py': b'def f(): pass', 'b.lua': b'f()'}\nindex = SymbolIndex(lambda: list(data), data.get)\n"
        "assert (index.definitions('f').total, index.references('f').total) == (1, 2)\n"
        "print(*(name for name in ('python', 'java', 'csharp') if f'devpulse.core.languages.{name}' in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["python"]


def test_languages__names_alone_load_neither_extractors_nor_a_parser():
    code = (
        "import sys\nfrom devpulse.core.index import SymbolIndex\n"
        "data = {'a.py': b'def f(): pass', 'b.go': b'func g() {}'}\nindex = SymbolIndex(lambda: list(data), data.get)\n"
        "index.prepare()\nassert index.definitions('h').total == 0\n"
        "print(*(name for name in ('python', 'go', 'walk') if f'devpulse.core.languages.{name}' in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("Rakefile", "ruby"), ("app/Gemfile", "ruby"), ("lib/tasks/db.rake", "ruby"), ("shop.gemspec", "ruby"),
        ("Gemfile.lock", None), ("rakefile/readme", None), ("a.d/Makefile", None), ("A.PY", "python"),
        (".py", "python"),
    ],
)  # fmt: skip
def test_language_of__by_extension_or_whole_name(path, language):
    assert languages.language_of(path) == language


def test_languages__an_unknown_one_is_a_key_error():
    with pytest.raises(KeyError, match="cobol"):
        languages.LANGUAGES["cobol"]
