from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_tables import MemoryResolver, make_source

from devpulse.core.called_sinks import sinks_written
from devpulse.core.finding import Hit
from devpulse.core.flow import engine, slicing
from devpulse.core.flow.definitions import definitions_of
from devpulse.core.flow.slicing import Slice, slice_of
from devpulse.core.languages import LANGUAGES, language_of
from devpulse.core.rules import handed_on, run_rules
from devpulse.core.syntax import parse


def followed(language: str, code: str) -> set[str]:
    """The names of the functions of which something matters for the sinks that are written."""
    text = dedent(code)
    root = parse(language, text).root_node
    table = definitions_of(root, engine.ADAPTERS[language], LANGUAGES[language].grammar())
    written = sinks_written(language, text) - {("sql-injection", "handed")}  # any call, in files with statements
    kept = slice_of(language, written, root, table)
    return {item.name for item in table.by_node.values() if kept.wants(item.node)}


def hits_without_slices(path: str, text: str) -> tuple[Hit, ...]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("slice_of", "slice_at"):
            patch.setattr(engine, name, lambda *_, **__: Slice([], everything=True))
        found = fresh_hits(path, text)
    _forget()
    return found


def fresh_hits(path: str, text: str) -> tuple[Hit, ...]:
    _forget()
    return run_rules(make_source(text, path=path), MemoryResolver())


def _forget() -> None:
    for kept in (engine.analyse_sinks, engine.analyse_fields, engine._analyse_in, handed_on._settings):
        kept.cache_clear()


CALLS = (
    "def a(x):\n    os.system(x)\ndef b(x):\n    a(x)\ndef c(x):\n    b(x)\n"
    "def d(x):\n    print(x)\ndef e():\n    d(1)\n"
)


def test_slice_of__functions_with_a_sink_and_those_that_call_them() -> None:
    assert followed("python", "import os\n" + CALLS) == {"a", "b", "c"}


def test_slice_of__functions_that_a_sink_is_in_a_part_of() -> None:
    code = "import os\ndef a():\n    def b():\n        os.system(x)\n    b()\ndef c():\n    def d():\n        pass\n"
    assert followed("python", code) == {"a", "b"}


def test_slice_of__a_function_that_is_mentioned_without_a_call() -> None:
    code = "import os\ndef a(x):\n    os.system(x)\ndef b(x):\n    register(a)\ndef c():\n    pass\n"
    assert followed("python", code) == {"a", "b"}


@pytest.mark.parametrize(
    ("call", "own"),
    [
        ("self.tidy(x)", True), ("super().tidy(x)", True), ("Job.tidy(x)", True), ("tidy(x)", True),
        ("f(*[1], self.tidy)", True), ("self.pool.tidy(x)", False), ("pool.tidy(x)", False),
        ("pools[0].tidy(x)", False), ("f().tidy(x)", False),
    ],
)  # fmt: skip
def test_slice_of__names_of_something_else_are_no_mentions(call: str, own: bool) -> None:
    job = "class Job:\n    def tidy(self, x):\n        os.system(x)\n    def b(self, x):\n        "
    assert followed("python", f"import os\n{job}{call}\n") == ({"tidy", "b"} if own else {"tidy"})


@pytest.mark.parametrize(
    ("path", "sink", "call", "own"),
    [
        ("a.php", "function tidy($x) { system($x); }", "$this->tidy($x);", True),
        ("a.php", "function tidy($x) { system($x); }", "static::tidy($x);", True),
        ("a.php", "function tidy($x) { system($x); }", "$pool->tidy($x);", False),
        ("a.js", "tidy(x) { eval(x) }", "this.tidy(x)", True),
        ("a.js", "tidy(x) { eval(x) }", "pool?.tidy(x)", False),
        ("a.js", "tidy(x) { eval(x) }", "f(...tidy)", True),
    ],
)
def test_slice_of__the_same_of_other_languages(path: str, sink: str, call: str, own: bool) -> None:
    php = path.endswith("php")
    other = f"function b($x) {{ {call} }}" if php else f"b(x) {{ {call} }}"
    code = f"{'<?php ' if php else ''}class Job {{ {sink} {other} }}"
    assert followed(str(language_of(path)), code) == ({"tidy", "b"} if own else {"tidy"})


def test_slice_of__methods_of_go_are_called_on_what_they_have_received() -> None:
    code = (
        "package a\nfunc (s *Job) tidy(x string) { exec.Command(x).Run() }\n"
        "func (s *Job) b(x string) { s.tidy(x) }\nfunc c(o Other, x string) { o.tidy(x) }\n"
    )
    assert followed("go", code) == {"tidy", "b"}


def test_slice_of__what_a_route_gives_back_matters() -> None:
    code = """
        @app.route("/")
        def page():
            return "<b>" + name()
        def name():
            return request.args["x"]
        def other():
            return 1
    """
    assert followed("python", code) == {"page"}  # what it calls is evaluated for the call
    assert len(fresh_hits("src/app.py", dedent(code))) == 1


@pytest.mark.parametrize("before", ["", "# größe\n", f"x = '{'日本😀' * 40}'\n"])
def test_slice_of__text_before_a_place_that_is_not_ascii(before: str) -> None:
    names = "def größe():\n    'é'\n    os.system(x)\ndef b():\n    größe()\ndef c(): pass\n"
    assert followed("python", f"import os\n{before}{names}") == {"größe", "b"}


def test_slice_of__carriage_returns() -> None:
    assert followed("python", ("import os\n" + CALLS).replace("\n", "\r\n")) == {"a", "b", "c"}


def test_slice_of__everything_at_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing, "MAX_ROUNDS", 1)
    assert followed("python", "import os\n" + CALLS) == {"a", "b", "c", "d", "e"}


INPUT = """
    from flask import request
    from app.jobs import start
    def given():
        return request.args["x"]
    def view():
        start(given())
    def quiet():
        start(1)
    def other():
        pass
"""


def test_slice_of__calls_into_other_files_by_functions_that_are_connected_with_input() -> None:
    assert followed("python", INPUT) == {"view"}


def test_slice_of__input_outside_of_any_function_may_be_anywhere() -> None:
    assert followed("python", dedent(INPUT) + "x = request.args['a']\n") == {"view", "quiet"}


def test_slice_of__a_parameter_that_the_request_gives_is_input() -> None:
    code = """
        from fastapi import APIRouter
        from app.jobs import start
        router = APIRouter()
        @router.get("/{name}")
        def view(name: str):
            start(name)
        def quiet():
            start(1)
    """
    assert followed("python", code) == {"view"}


def test_slice__wants_what_a_place_is_in() -> None:
    root = parse("python", "ab = 1\nc = 2\n").root_node
    first, second = root.named_children
    assert Slice([0]).wants(first)
    assert Slice([5]).wants(first)
    assert not Slice([6]).wants(first)
    assert not Slice([6]).wants(second)
    assert Slice([7]).wants(second)
    assert not Slice([]).wants(root)
    assert Slice([], everything=True).wants(root)


NAMES = ("alpha", "_beta", "gamma", "_delta")
PYTHON = ("os.system({x})", "{y} = {f}({x})", "return {x}", "{y} = {x}", "print({x})", "return '<b>' + {f}({x})",
          "os.system('ls')", "def in_{f}(z):\n        os.system(z)\n    in_{f}({x})", "cursor.execute('select ' + {x})",
          "{y} = request.args['q']", "open({x})", "{y} = shlex.quote({x})", "'größe'", "run = lambda z: {f}(z)",
          "if {x}:\n        {f}({y})", "map({f}, [{x}])")  # fmt: skip
SCRIPT = ("cp.exec({x});", "{y} = {f}({x});", "return {x};", "{y} = {x};", "cp.exec('ls');", "cp.exec /* é */ ({x});",
          "[{x}].forEach({f});", "el.innerHTML = {x};", "{y} = req.query.q;", "(z => {f}(z))({x});",
          "if ({x}) {{ {f}({y}); }}", "fs.readFile({x}, z => {f}(z));", "res.send(`<b>${{{x}}}`);",
          "eval\n({x});")  # fmt: skip
PHP = ("system({x});", "{y} = {f}({x});", "return {x};", "echo ('a') . {x};", "echo \"<b>{x}\";", "{y} = $_GET['q'];",
       "system('ls');", "array_map('{f}', [{x}]);", "include('a/') . {x};", "System({x});", "`ls {x}`;",
       "if ({x}) {{ {f}({y}); }}", "$db->query(\"select {x}\");", "$z = function($w) {{ {f}($w); }};")  # fmt: skip
RUBY = ("system {x}", "{y} = {f}({x})", "{y} = {f} {x}", "return {x}", "system('ls')", 'system("ls #{{{x}}}")',
        "{y} = params[:q]", "[{x}].each {{ |z| {f}(z) }}", "`ls #{{{x}}}`", "User.where \"a = #{{{x}}}\"",
        "{f}({y}) if {x}", "redirect_to {x}")  # fmt: skip


def files(
    path: str, statements: tuple[str, ...], function: str, variables: tuple[str, str], whole: str
) -> st.SearchStrategy[tuple[str, str]]:
    line = st.builds(
        lambda text, name, given, other: "    " + text.format(f=name, x=given, y=other),
        st.sampled_from(statements), st.sampled_from(NAMES), st.sampled_from(variables), st.sampled_from(variables),
    )  # fmt: skip
    body = st.lists(line, min_size=1, max_size=4).map("\n".join)
    bodies = st.lists(body, min_size=len(NAMES), max_size=len(NAMES))
    return bodies.map(lambda found: (path, whole % "".join(function % pair for pair in zip(NAMES, found, strict=True))))


GENERATED = (
    files("src/app.py", PYTHON, "def %s(a, b=None):\n%s\n", ("a", "b"), "import os\nfrom flask import request\n%s"),
    files("src/app.py", PYTHON, "@app.route('/<a>')\ndef %s(a, b=None):\n%s\n", ("a", "b"), "import os\n%s"),
    files("src/app.js", SCRIPT, "function %s(a, b, req, res) {\n%s\n}\n", ("a", "b"),
          "const cp = require('child_process'), fs = require('fs');\n%sapp.get('/', alpha);\n"),
    files("src/app.php", PHP, "function %s($a, $b = 1) {\n%s\n}\n", ("$a", "$b"),
          "<?php // ü\n%s alpha($_GET['a']);\n"),
    files("app/controllers/a_controller.rb", RUBY, "  def %s(a = 1, b = 2)\n%s\n  end\n", ("a", "b"),
          "class AController < ApplicationController\n%send\n"),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.one_of(*GENERATED))
def test_slice_of__loses_no_hit(generated: tuple[str, str]) -> None:
    path, text = generated
    assert language_of(path) is not None
    assert fresh_hits(path, text) == hits_without_slices(path, text)


def test_slice_of__an_owner_whose_begin_is_not_seen_may_be_the_own() -> None:
    owner = "a_very_long_name_of_a_pool_of_things_that_do_something_for_others_in_the_end"
    code = f"import os\nclass Job:\n    def tidy(self, x):\n        os.system(x)\ndef run(x):\n    {owner}.tidy(x)\n"
    assert "run" in followed("python", code)
    assert "run" not in followed("python", code.replace(owner, owner[:40]))


def test_set_in__fields_in_front_of_an_equals_sign_in_their_line() -> None:
    far = "self.a" + " , other" * 60 + " = 1\n"
    text = f"{far}self.b.run()\nself.c,\nself.d = x == self.e\nwith open() as self.f:\n  self.g\n  h = 1\nreturn self.i"
    assert [field for _, field in engine._set_in(text)] == ["a", "c", "d", "f"]


def test_set_in__looks_through_a_long_line_once() -> None:
    text = "self.a.b(); " * 5_000
    looked = 0

    class Counting(str):
        def find(self, sign: str, start: int = 0) -> int:  # type: ignore[override]
            nonlocal looked
            looked += 1
            return super().find(sign, start)

    assert list(engine._set_in(Counting(text))) == []
    assert looked == 2
