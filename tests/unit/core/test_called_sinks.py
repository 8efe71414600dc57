from __future__ import annotations

import pytest

from devpulse.core.called_sinks import NONE, _calls, is_sink, kinds_of, sinks_at, sinks_written
from devpulse.core.flow import operations as ops
from devpulse.core.flow.python import PythonAdapter
from devpulse.core.flow.syntax_nodes import walk
from devpulse.core.knowledge import knowledge_of
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
def test_calls__all_that_the_syntax_tree_has(text: str) -> None:
    adapter = PythonAdapter()
    operations = map(adapter.operation, walk(parse("python", text)))
    called = {operation.callee for operation in operations if isinstance(operation, ops.Call)} - {""}
    assert called
    assert called <= {callee for _, callees, _ in _calls(text) for callee in callees}


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


def test_sinks_written__a_word_that_a_sink_needs() -> None:
    assert "cross-site-scripting" not in _categories("python", "print(x)")
    assert "cross-site-scripting" in _categories("python", "form = cgi.FieldStorage()\nprint(x)")


def test_sinks_written__what_is_handed_to_a_thread() -> None:
    assert "command-injection" in _categories("python", "await asyncio.to_thread(os.system, x)")
    assert "command-injection" in _categories("python", "loop.run_in_executor(None, os.system, x)")
    assert "command-injection" in _categories("python", "Thread(target=os.system, args=(x,))")
    assert "command-injection" in _categories("python", "Thread(daemon=True, args=(x,), target=os.system)")
    assert "command-injection" not in _categories("python", "Thread(daemon=True)\nshow(target=os.system)")
    assert "command-injection" not in _categories("python", "asyncio.to_thread(greet, x)")


def test_is_sink__by_what_a_name_was_imported_as() -> None:
    assert is_sink("python", "import subprocess as s", "s.run")
    assert is_sink("python", "from os import system", "system")
    assert not is_sink("python", "import greetings as s", "s.greet")
    assert not is_sink("cobol", "", "eval")


def test_sinks_written__what_is_no_call() -> None:
    assert "open-redirect" in _categories("python", "response.location = x")
    assert "cross-site-scripting" in _categories("python", "@app.route('/')\ndef f():\n    return x")
    assert "cross-site-scripting" in _categories("python", "class A:\n  @expose\n  def f(self):\n    return x")
    assert "cross-site-scripting" not in _categories("python", "@property\ndef route(self):\n    return x")


def test_sinks_written__other_languages_by_their_words() -> None:
    assert "cross-site-scripting" in _categories("javascript", "a.innerHTML = b")
    assert not sinks_written("cobol", "eval(x)")


def _places(language: str, text: str, category: str) -> list[int]:
    wanted = frozenset(pair for pair in sinks_written(language, text) if pair[0] == category)
    return sinks_at(language, text, wanted)


CALLS = [
    ("javascript", "cp.@(x)"),
    ("javascript", "cp.@ /* c */ (x)"),
    ("javascript", "cp.@ // c\n (x)"),
    ("javascript", "cp.@\n(x)"),
    ("javascript", "cp.@.call(cp, x)"),
    ("javascript", "cp?.@?.(x)"),
    ("javascript", "cp['@'](x)"),
    ("javascript", "cp[`@`](x)"),
    ("javascript", "(0, cp.@)(x)"),
    ("javascript", "xs.forEach(cp.@)"),
    ("javascript", "util.promisify(cp.@)"),
    ("javascript", "cp.@`ls ${x}`"),
    ("typescript", "cp.@!(x)"),
    ("typescript", "cp.@<string>(x)"),
    ("javascript", "const {@: run} = require('child_process');\n@(x)"),
    ("java", "runtime.@ /* c */ (x)"),
    ("php", "@ ($x)"),
    ("php", '@("ls $x")'),
    ("php", "@ /* c */ ($x)"),
    ("ruby", "@ x"),
    ("ruby", '@("ls #{x}")'),
    ("ruby", "@ ('ls ') + x"),
]


@pytest.mark.parametrize("before", ["", "'größe 😀' + 1\r\n"])
@pytest.mark.parametrize(("language", "text"), CALLS)
def test_sinks_at__calls_in_their_many_forms(language: str, text: str, before: str) -> None:
    written = before + text.replace("@", "exec")
    assert written.rindex("exec") in _places(language, written, "command-injection")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "import os\nos.system('ls')"),
        ("python", "import os\nrun = os.system"),
        ("javascript", "cp.exec('ls')"),
        ("javascript", "cp.exec('ls', {cwd: x})"),
        ("javascript", "const exec = 1;"),
        ("java", 'runtime.exec("ls")'),
        ("php", "exec('ls $x');"),
        ("php", "exec();"),
        ("ruby", "exec('ls')"),
    ],
)
def test_sinks_at__what_keeps_values_out(language: str, text: str) -> None:
    assert _places(language, text, "command-injection") == []


def test_sinks_at__signs_without_a_name() -> None:
    assert 6 in _places("php", "<?php `ls $x`;", "command-injection")
    assert 4 in _places("ruby", "a = %x(ls #{x})", "command-injection")
    assert 3 in _places("php", "<b><?= $x ?></b>", "cross-site-scripting")


@pytest.mark.parametrize("text", ["echo ('a') . $x;", "print('a') . $x;", "echo('a'), $x;", "ECHO $x;", "Print $x;"])
def test_sinks_at__a_bracket_is_only_a_part_of_what_a_statement_of_php_gets(text: str) -> None:
    assert _places("php", f"<?php {text}", "cross-site-scripting") == [6]
    assert _places("php", "<?php INCLUDE('a/') . $x;", "path-traversal") == [6]


def test_sinks_at__the_wanted_ones_alone() -> None:
    text = "import os\nos.system(x)\nopen(x)\n"
    assert _places("python", text, "command-injection") == [10]
    assert _places("python", text, "path-traversal") == [23]
    assert sinks_at("python", text, NONE) == []
    assert sinks_at("python", text, sinks_written("python", text)) == [10, 23]
    assert sinks_at("cobol", text, sinks_written("python", text)) == []


def test_sinks_at__names_that_imports_bind() -> None:
    text = "import {exec as go} from 'child_process';\ngo(x)"
    assert text.rindex("go") in _places("javascript", text, "command-injection")


def test_kinds_of__category_and_kind() -> None:
    knowledge = knowledge_of("go")
    assert knowledge is not None
    sinks = knowledge.every_sink_of("exec.Command", "os/exec.Command")
    assert kinds_of(sinks) == {(sink.category, sink.kind) for sink in sinks} != NONE
    assert kinds_of(()) == NONE


@pytest.mark.timeout(20)  # which a time that grows with the square of the text would take many times over
@pytest.mark.parametrize(
    ("language", "text", "written"),
    [
        ("python", "a#" * 200_000, False),
        ("python", "#a\n" * 200_000, False),
        ("python", ("a#" * 250 + "\n") * 800, False),
        ("python", "a. " * 200_000, False),
        ("python", "a" * 400_000, False),
        ("python", "a." * 200_000, False),
        ("python", "import os\nos.system(" + " # x\n" * 80_000 + "a)", True),
        ("javascript", "const cp = require('fs'); " + "$" * 400_000, False),
    ],
)
def test_sinks_written__of_long_texts(language: str, text: str, written: bool) -> None:
    assert bool(sinks_written(language, text)) is written
