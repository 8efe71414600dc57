from __future__ import annotations

import re

import pytest

from devpulse.core.flow.purposes import Purpose
from devpulse.core.knowledge.model import Cleaner, Knowledge, Sink, matches, words_of


@pytest.mark.parametrize(
    ("pattern", "callee", "imported", "expected"),
    [
        ("os.system", "os.system", "os.system", True),
        ("subprocess.run", "sp.run", "subprocess.run", True),
        ("subprocess.run", "subprocess.run", "gevent.subprocess.run", True),
        ("subprocess.run", "run", "mytools.run", False),
        ("subprocess.run", "run", "run", False),
        ("subprocess.run", "mysubprocess.run", "mysubprocess.run", False),
        (".execute", "self.cursor.execute", "self.cursor.execute", True),
        (".execute", ".execute", ".execute", True),
        (".execute", "execute", "execute", False),
        ("eval", "eval", "eval", True),
        ("eval", "model.eval", "model.eval", False),
        ("eval", "eval", "mymath.eval", False),
        ("exec.Command", "exec.Command", "os.exec.Command", True),
        ("*HttpResponse", "HttpResponse", "django.http.HttpResponse", True),
        ("*HttpResponse", "http.HttpResponse", "django.http.HttpResponse", True),
        ("*HttpResponse", "MyHttpResponse", "MyHttpResponse", False),
    ],
)
def test_matches__names_through_imports(pattern: str, callee: str, imported: str, expected: bool) -> None:
    assert matches(pattern, callee, imported) is expected


def _sink(pattern: str, receivers: str | None = None) -> Sink:
    return Sink("sql-injection", pattern, (0,), receivers=None if receivers is None else re.compile(receivers))


def _knowledge(*sinks: Sink, cleaners: dict[str, tuple[Cleaner, ...]] | None = None) -> Knowledge:
    by_name: dict[str, tuple[Sink, ...]] = {}
    for sink in sinks:
        last = sink.pattern.rpartition(".")[2]
        by_name[last] = (*by_name.get(last, ()), sink)
    return Knowledge(by_name, cleaners or {})


def test_sinks_of__receivers_narrow_a_method() -> None:
    known = _knowledge(_sink(".execute", r"cursor$|^db$"))
    assert list(known.sinks_of("sql-injection", "self.cursor.execute", "self.cursor.execute"))
    assert not list(known.sinks_of("sql-injection", "executor.execute", "executor.execute"))
    assert not list(known.sinks_of("path-traversal", "db.execute", "db.execute"))


def test_sinks_of__a_renamed_import_is_found_by_what_it_stands_for() -> None:
    known = _knowledge(_sink("os.system"))
    assert list(known.sinks_of("sql-injection", "run_it", "os.system"))


def test_sinks_of__a_known_last_name_does_not_hide_the_imported_one() -> None:
    known = _knowledge(_sink(".call"), _sink("os.system"))
    assert [sink.pattern for sink in known.sinks_of("sql-injection", "call", "os.system")] == ["os.system"]


def test_purposes_of__all_cleaners_that_match() -> None:
    cleaners = (
        Cleaner("html.escape", frozenset({Purpose.HTML})),
        Cleaner(".escape", frozenset({Purpose.SQL})),
    )
    known = _knowledge(cleaners={"escape": cleaners})
    assert known.purposes_of("html.escape", "html.escape") == {Purpose.HTML, Purpose.SQL}
    assert known.purposes_of("conn.escape", "conn.escape") == {Purpose.SQL}
    assert known.purposes_of("escape", "escape") == frozenset()


def test_sinks_in__whole_names_from_their_start() -> None:
    known = _knowledge(_sink("os.system"))
    assert known.sinks_in("import os\nos.system(x)")
    assert not known.sinks_in("the ecosystem")
    assert _knowledge(_sink(".innerHTML=")).sinks_in("a.innerHTML = b")
    assert list(known.sinks_in("os.system(x)")) == ["system"]


def test_sinks_in__asks_for_the_owner_unless_it_may_be_any() -> None:
    one = _sink("location.replace")
    assert _knowledge(one).sinks_in("location.replace(x)")
    assert not _knowledge(one).sinks_in("text.replace(x, y)")
    assert _knowledge(one, _sink(".replace")).sinks_in("text.replace(x, y)")
    assert _knowledge(_sink(".replace"), one).sinks_in("text.replace(x, y)")


def test_setters_and_answers__those_alone() -> None:
    known = _knowledge(_sink("os.system"), _sink(".innerHTML="), _sink("route.return"))
    assert not known.setters.sinks_in("os.system(x); return route")
    assert known.setters.sinks_in("a.innerHTML = b")
    assert not known.answers.sinks_in("os.system(x); a.innerHTML = b")
    assert known.answers.sinks_in("@app.route('/')\ndef f():\n    return x")


def test_sinks_of__a_convention_may_be_narrowed_by_its_owner() -> None:
    sink = _sink("~^all$", r"db$")
    knowledge = Knowledge({}, {}, ((re.compile("^all$"), sink),))
    assert list(knowledge.sinks_of("sql-injection", "self.db.all", "self.db.all")) == [sink]
    assert list(knowledge.sinks_of("sql-injection", "items.all", "items.all")) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [("`ls`", "backtick"), ("`ls`", "shell_exec"), ("%x(ls)", "backtick"), ("<?= 1 ?>", "echo"), ("<?=1", "echo")],
)
def test_sinks_in__signs_that_call_without_a_name(text: str, name: str) -> None:
    known = _knowledge(_sink(name))
    assert list(known.sinks_in(text)) == [name]
    assert not known.sinks_in("ls 1 % x = <? ?>")
    assert name in words_of(text)


def test_sinks_in__conventions_by_the_names_that_a_text_has() -> None:
    sink = _sink("~^run")
    known = Knowledge({}, {}, ((re.compile("^run"), sink),))
    assert known.sinks_in("run_it(); runs; rerun") == {"run_it": (sink,), "runs": (sink,)}


def test_words_of__long_words_are_cut() -> None:
    assert words_of("a." + "b" * 100) == {"a", "b" * 80, "b" * 20}
