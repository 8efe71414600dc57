from __future__ import annotations

from dataclasses import fields, replace

import pytest
from rule_tables import MemoryResolver, make_source

from devpulse.core.finding import Hit
from devpulse.core.rules import run_rules

TOKEN = "ghp_aB3dE6gH9jK1m2N3p4Q5r6S7t8U9v0W1x2Y3"
UNKNOWN = "tr0ub4dor_hunter2x"  # of no known format

PLANTED = {
    "subscript key": ("app.py", "def f(cur):\n    cur.execute(\"SELECT a FROM t WHERE b = '\" + row['{}'] + \"'\")\n"),
    "key of a request": ("app.py", "def f(cur):\n    cur.execute('DELETE FROM t WHERE b = ' + request.args['{}'])\n"),
    "argument of a source": (
        "app.py",
        "def f(self, cur):\n    q = self.get_argument('{}')\n    cur.execute('DELETE FROM t WHERE b = ' + q)\n",
    ),
    "default argument": ("app.py", "def f(cur, q='{}'):\n    cur.execute('DELETE FROM t WHERE b = ' + q)\n"),
    "concatenated": (
        "app.py",
        "def f(cur):\n    q = '{}' + request.args['a']\n    cur.execute('DELETE FROM t WHERE b = ' + q)\n",
    ),
    "dictionary key": (
        "app.py",
        "def f(cur):\n    q = {{'{}': request.args['a']}}\n    cur.execute('DELETE FROM t WHERE b = ' + q['{}'])\n",
    ),
    "call on a literal": (
        "app.py",
        "def f(cur):\n    cur.execute('DELETE FROM t WHERE b = ' + '{}'.join(request.args['a']))\n",
    ),
    "looked-up call": (
        "app.py",
        "def f(cur):\n    cur.execute('DELETE FROM t WHERE b = ' + table['{}'].load(request.args['a']))\n",
    ),
    "member of an archive": (
        "app.py",
        "def f():\n    z = ZipFile(p)\n    for n in z.namelist('{}'):\n        open(os.path.join(B, n))\n",
    ),
    "javascript key": ("app.js", "const f = () => db.query(`SELECT a FROM t WHERE b = '${{row['{}'].x}'`);\n"),
    "javascript default": ("app.ts", "function f(q = '{}') {{ return db.query('DELETE FROM t WHERE b = ' + q); }}\n"),
    "javascript file": ("app.js", "const f = (req) => fs.readFile('/a/' + req.query['{}'], done);\n"),
}


def texts_of(hit: Hit) -> list[str]:
    # A suggestion is the code of the hit's own lines, and is dropped where those are redacted.
    values = [getattr(hit, field.name) for field in fields(hit) if field.name != "suggestion"]
    steps = hit.trace.all_steps() if hit.trace is not None else ()
    return [*(value for value in values if isinstance(value, str)), *hit.asks, *(step.note for step in steps)]


@pytest.mark.parametrize("token", [TOKEN, UNKNOWN])
@pytest.mark.parametrize(("path", "code"), PLANTED.values(), ids=PLANTED)
def test_run_rules__no_text_of_a_hit_quotes_a_literal(path: str, code: str, token: str):
    text = code.replace("{{", "\0").replace("}}", "\1").replace("{}", token).replace("\0", "{").replace("\1", "}")
    hits = run_rules(make_source(text, path=path), MemoryResolver())
    assert any(hit.trace is not None for hit in hits)
    shown = " ".join(text for hit in hits for text in texts_of(hit))
    assert [part for at in range(len(token) - 7) if (part := token[at : at + 8]) in shown] == []


def test_run_rules__a_name_that_is_a_credential_is_not_shown():
    code = f"def f(cur, {TOKEN}):\n    cur.execute('DELETE FROM t WHERE b = ' + {TOKEN})\n"
    (hit,) = (hit for hit in run_rules(make_source(code), MemoryResolver()) if hit.trace is not None)
    assert TOKEN not in repr(replace(hit, suggestion=None))


def test_run_rules__the_source_is_called_by_its_names():
    code = "def f(cur):\n    a = load(request.args['pin'])\n    cur.execute('DELETE FROM t WHERE b = ' + a)\n"
    (hit,) = run_rules(make_source(code), MemoryResolver())
    assert hit.trace is not None
    assert hit.trace.source.note == "`request.args`: read from the request"
