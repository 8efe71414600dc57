from __future__ import annotations

import pickle
import time

import pytest
from rule_tables import MemoryResolver, make_source

from devpulse.core.categories import CATEGORIES
from devpulse.core.rules import RULES, run_rules

MIXED = """
import hashlib

TOKEN = "ghp_aB3dE6gH9jK1m2N3p4Q5r6S7t8U9v0W1x2Y3"

@app.route("/files/<name>")
def show(name):
    cursor.execute("SELECT * FROM f WHERE n = '%s'" % name)
    h = hashlib.md5(password.encode())
    return open(os.path.join(ROOT, name)).read()
"""


def test_run_rules__is_sorted_and_deterministic():
    source = make_source(MIXED)
    hits = run_rules(source, MemoryResolver())
    assert [(hit.start_line, hit.category) for hit in hits] == [
        (4, "hardcoded-secret"),
        (8, "sql-injection"),
        (9, "weak-authentication"),
        (10, "path-traversal"),
    ]
    assert run_rules(source, MemoryResolver()) == hits


def test_run_rules__survives_pickling():
    source = make_source(MIXED, before=MIXED.replace("md5", "sha1"))
    rules, again, resolver = pickle.loads(pickle.dumps((RULES, source, MemoryResolver())))
    hits = run_rules(again, resolver)
    assert rules == RULES
    assert pickle.loads(pickle.dumps(hits)) == hits == run_rules(source, MemoryResolver())


def test_rules__ids_are_unique_and_categories_known():
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert {rule.category for rule in RULES} <= set(CATEGORIES)


@pytest.mark.parametrize("path", ["app.py", "app.js", "app.ts", "app.tsx", "notes.txt"])
@pytest.mark.parametrize(
    "text", ["", "\n", "\x00\x01", "def f(:\n  )(", "`${`${", "'" * 999, "\ufeff", "class {{{", "@app.route(\n@"]
)
def test_run_rules__broken_text(path: str, text: str):
    assert run_rules(make_source(text, path=path), MemoryResolver()) == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app.py", "x = execute(" + "(" * 10_000 + "request.args['a']" + ")" * 10_000 + ")\nopen(password == x)\n"),
        ("app.py", "execute(" + "-" * 10_000 + "1)\nopen(password)\n"),
        ("app.py", "x = " + "f(" * 10_000 + ")" * 10_000 + "\nexecute(x, password)"),
        ("app.py", "execute('select 1 from x' + " + " + ".join(["a"] * 5_000) + ")\n"),
        ("app.py", "if a:\n  pass\n" + "elif password == b:\n  execute(x)\n" * 5_000),
        ("app.js", "query(" + "[" * 10_000 + "password" + "]" * 10_000 + ");fs.open(x)"),
        ("app.js", "function f(req) {" * 3_000 + "query(`select ${req.body.x} from t`);fs.password" + "}" * 3_000),
        ("app.ts", "if (a) {} " + "else if (password === b) { query(x) } " * 3_000),
        ("app.py", "x = request.args['a']\n" + "x = x + str(x)\nif x: execute(x)\n" * 2_000),
        ("app.js", "query(" + "a?b:" * 5_000 + "password);fs.x"),
    ],
    ids=range(10),
)
def test_run_rules__deep_nesting(path: str, text: str):
    started = time.perf_counter()
    run_rules(make_source(text, path=path), MemoryResolver())
    assert time.perf_counter() - started < 20
