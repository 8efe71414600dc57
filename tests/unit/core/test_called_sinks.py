from __future__ import annotations

import pytest

from devpulse.core.called_sinks import callees_of, sinks_written
from devpulse.core.flow import operations as ops
from devpulse.core.flow.python import PythonAdapter
from devpulse.core.flow.syntax_nodes import walk
from devpulse.core.syntax import parse


@pytest.mark.parametrize(
    "text",
    [
        "os.system(x)",
        "os . system(x)",
        "os.\\\n    system (x)",
        "rows().filter(a)[0].raw(q)",
        "(cursor\n .execute(q))",
        "(run  # why\n (x))",
        "run\\\n(x)",
        "f'{run(x)}'",
        "@app.route('/')\ndef show(): pass",
        "''.join(x)",
        "x[0].save(y)",
        "größe.lesen(x)",
        "a." + "b" * 130 + ".c(x)",
        "await session.get(url)",
    ],
)
def test_callees_of__all_that_the_syntax_tree_has(text: str) -> None:
    adapter = PythonAdapter()
    operations = map(adapter.operation, walk(parse("python", text)))
    called = {operation.callee for operation in operations if isinstance(operation, ops.Call)} - {""}
    assert called
    assert called <= callees_of(text)


def _categories(language: str, text: str) -> set[str]:
    return {category for category, _ in sinks_written(language, text)}


def test_sinks_written__a_call_with_the_owner_that_its_sink_asks_for() -> None:
    assert "path-traversal" in _categories("python", "store.get(name)")
    assert "path-traversal" not in _categories("python", "row.get(name)")
    assert "sql-injection" not in _categories("python", "delete = updated = None")


def test_sinks_written__by_what_a_name_was_imported_as() -> None:
    assert "command-injection" in _categories("python", "from os import system as s\ns(x)")
    assert "command-injection" not in _categories("python", "s(x)")


def test_sinks_written__an_argument_that_a_sink_needs() -> None:
    assert ("command-injection", "shell") not in sinks_written("python", "import subprocess\nsubprocess.run(x)")


def test_sinks_written__what_is_no_call() -> None:
    assert "open-redirect" in _categories("python", "response.location = x")
    assert "cross-site-scripting" in _categories("python", "@app.route('/')\ndef f():\n    return x")
    assert "cross-site-scripting" in _categories("python", "class A:\n  @expose\n  def f(self):\n    return x")
    assert "cross-site-scripting" not in _categories("python", "@property\ndef route(self):\n    return x")


def test_sinks_written__other_languages_by_their_words() -> None:
    assert "cross-site-scripting" in _categories("javascript", "a.innerHTML = b")
    assert not sinks_written("cobol", "eval(x)")
