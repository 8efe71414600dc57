from __future__ import annotations

from devpulse.core.flow.definitions import Definitions, definitions_of
from devpulse.core.flow.javascript import JavascriptAdapter
from devpulse.core.flow.python import PythonAdapter
from devpulse.core.languages import LANGUAGES
from devpulse.core.syntax import parse

PYTHON = """
def a(): pass
class B:
    def c(self):
        def d(): pass
    def _e(self): pass
class F(B):
    def c(self): pass
def a2(): a()
def a2(): a()
g = lambda x: x
"""


def python(code: str) -> Definitions:
    return definitions_of(parse("python", code).root_node, PythonAdapter(), LANGUAGES["python"].grammar())


def test_definitions_of__python():
    table = python(PYTHON)
    found = {(item.owner, item.name, bool(item.within), item.private) for item in table.by_node.values()}
    assert found == {
        ("", "a", False, False), ("B", "c", False, False), ("", "d", True, True), ("B", "_e", False, True),
        ("F", "c", False, False), ("", "a2", False, False), ("", "g", False, False),
    }  # fmt: skip
    assert table.bases == {"B": (), "F": ("B",)}


def test_definitions_of__javascript():
    code = (
        "const a = (x) => x; export function b() {} class C { d() {} } exports.e = function () {}; o = { f: () => 1 };"
    )
    table = definitions_of(parse("javascript", code).root_node, JavascriptAdapter(), LANGUAGES["javascript"].grammar())
    found = {(item.owner, item.name): item.private for item in table.by_node.values()}
    assert found == {
        ("", "a"): True, ("", "b"): False, ("C", "d"): False, ("", "e"): True, ("", "f"): True,
    }  # fmt: skip


def test_method__own_before_inherited_and_none_when_there_are_several():
    table = python(PYTHON)
    own, inherited = table.method("F", "c"), table.method("F", "_e")
    assert own is not None
    assert own.owner == "F"
    assert inherited is not None
    assert inherited.owner == "B"
    assert table.find("a2", []) is None
    assert table.method("F", "nothing") is None


def test_only_called__every_mention_is_a_call():
    table = python("def _a(): pass\n_a()\n_a()\n")
    (definition,) = table.by_node.values()
    assert table.only_called(definition, 2)
    assert not table.only_called(definition, 1)
    assert not python("def a(): pass\na()\n").only_called(definition, 1)
