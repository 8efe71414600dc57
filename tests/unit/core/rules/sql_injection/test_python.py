from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import HitKind
from devpulse.core.rules.sql_injection import NUMBER, RULE

REPORTED = {
    "a statement that is kept elsewhere": """
        from shop import queries

        def find(cursor, name):
            cursor.execute(queries.FIND_USER_SQL % name)  # BAD
        """,
    "a connection that a function gives": """
        def alias(self, name):
            sql = "SELECT alias FROM names WHERE name = '{}'".format(name)
            return self._get_engine(None).execute(sql).fetchone()  # BAD
        """,
    "what is stored was fetched": """
        def copy(cur, source):
            for name in get_all_names(source):
                cur.execute("INSERT INTO names (name) VALUES (%s)" % name)  # BAD
        """,
    "the format alone keeps a parameter a number": """
        def unfollow(self, member, other):
            text = "DELETE FROM follows WHERE member = %d AND other = %d" % (member, other)
            return self.cursor.execute(text)  # BAD
        """,
    "double quotes around what is set": """
        def resign(conn, game):
            players, size = load_game(conn, game)
            conn.cursor().execute('UPDATE games SET state="%s won"' % players[0])  # BAD
        """,
    "expression of a table service": """
        def find(table, name):
            return table.scan(FilterExpression=name + " = :value")  # BAD
        """,
    "quotes of another kind": """
        def find(name):
            if '"' in name:
                return None
            cursor.execute("SELECT * FROM users WHERE name = '" + name + "'")  # BAD
        """,
    "format operator": """
        def login(cursor):
            name = request.form["name"].strip()
            cursor.execute("SELECT id FROM users WHERE name = '%s'" % name)  # BAD
        """,
    "f-string": """
        @app.get("/items/{item}")
        def read(item: str, db=Depends(get_db)):
            return db.execute(f"SELECT * FROM items WHERE title LIKE '%{item}%'").all()  # BAD
        """,
    "concatenation over lines": """
        def search():
            q = request.args.get("q", "")
            sql = "SELECT * FROM posts"
            if q:
                sql += " WHERE body LIKE '%" + q + "%'"
            return db.session.execute(sql)  # BAD
        """,
    "str.format with names": """
        def find(self, email):
            query = "SELECT id FROM members WHERE email = '{email}'".format(email=email)
            self.cursor.execute(query)  # BAD
        """,
    "joined list": """
        def many(cur):
            ids = request.json["ids"]
            cur.execute("DELETE FROM t WHERE id IN (" + ",".join(ids) + ")")  # BAD
        """,
    "escaping quotes is not enough": """
        def esc(cur):
            name = request.values["n"].replace("'", "''")
            cur.execute("SELECT * FROM t WHERE id = " + name)  # BAD
        """,
    "one value bound, the other not": """
        def half(cur):
            a, b = request.args["a"], request.args["b"]
            cur.execute("SELECT * FROM t WHERE a = %s AND b = '" + b + "'", (a,))  # BAD
        """,
    "sort column from the request": """
        def listing():
            order = request.args.get("order")
            return db.engine.execute(f"SELECT * FROM t ORDER BY {order}")  # BAD
        """,
    "sqlalchemy text": """
        def get(session):
            session.execute(text("SELECT * FROM t WHERE name = '" + request.args["n"] + "'"))  # BAD
        """,
    "django raw": """
        def view(request, slug):
            return Post.objects.raw("SELECT * FROM post WHERE slug = '%s'" % slug)  # BAD
        """,
    "whole statement from the request": """
        def run_query(cursor):
            cursor.execute(request.form["sql"])  # BAD
        """,
    "wrapper named like one": """
        def top(count):
            return execute_query("SELECT * FROM t LIMIT {}".format(count))  # BAD
        """,
    "only one branch is checked": """
        def pick(cur):
            col = request.args["c"]
            if strict:
                if col not in ALLOWED:
                    abort(400)
            cur.execute("SELECT " + col + " FROM t")  # BAD
        """,
    "dictionary of values": """
        def keyed(cur):
            data = {"n": request.form["n"]}
            cur.execute("INSERT INTO t VALUES ('%(n)s')" % data)  # BAD
        """,
    "attribute of an object": """
        def save(self):
            self.cursor.execute("UPDATE t SET name = '%s'" % self.name)  # BAD
        """,
    "value of a loop": """
        def store(cursor, folder):
            for name in get_names(folder):
                cursor.execute("INSERT INTO names (name) VALUES ('%s')" % name)  # BAD
        """,
    "built twice": """
        def count(cursor, poll, option):
            key = poll + "-" + option
            cursor.execute("UPDATE votes SET n = n + 1 WHERE name = '{}'".format(key))  # BAD
        """,
    "function of the database": (
        "def f(conn, name):\n    conn.execute_scalar(\"SELECT pg_create_restore_point('{0}');\".format(name))  # BAD\n"
    ),
    "sorting by a caller": (
        'def f(cursor, sort_field):\n    cursor.execute("SELECT * FROM t ORDER BY %s" % sort_field)  # BAD\n'
    ),
    "condition as text": (
        "from sqlalchemy import text\n"
        "def f(query, name):\n    return query.filter(text(\"name = '%s'\" % name)).all()  # BAD\n"
    ),
    "conditions by keyword": "def f(db, name):\n    return db.select('users', where=\"name='%s'\" % name)  # BAD\n",
    "graph": "def f(tx, name):\n    tx.run(f\"MATCH (p:Person) WHERE p.name = '{name}' RETURN p\")  # BAD\n",
    "statement kept in a field": """
        class Report:
            def __init__(self, name):
                self.statement = "SELECT * FROM t WHERE name = '%s'" % name
            def rows(self):
                return self.cursor.execute(self.statement)  # BAD
        """,
    "helper of the same file": """
        def rows(statement):
            return sqlite3.connect(PATH).execute(statement).fetchall()
        def find(name):
            return rows("SELECT * FROM t WHERE name = '%s'" % name)  # BAD
        """,
    "called from a browser by its name": """
        @frappe.whitelist()
        def items(txt):
            return frappe.db.sql("select name from tabItem where name like '%{0}%'".format(txt))  # BAD
        """,
    "hook": "def f(hook, n):\n    return hook.get_records(\"SELECT * FROM t WHERE n = '%s'\" % n)  # BAD\n",
}
QUIET = {
    "marks and tables in a statement that is kept elsewhere": """
        from shop import queries

        def find(cursor, ids, table_name):
            cursor.execute(queries.FIND_USERS_SQL % ", ".join(["%s"] * len(ids)), ids)
            cursor.execute(queries.COUNT_SQL % table_name)
            cursor.execute(queries.FIND_USER_SQL, (ids[0],))
        """,
    "a remainder": """
        def shard(cursor, key):
            cursor.execute(BUCKETS % key)
        """,
    "numbers of a type": """
        def unfollow(self, member: int, limit=10):
            self.cursor.execute("DELETE FROM follows WHERE member = %d AND rank < %d" % (member, limit))
        """,
    "a number that was made one": """
        def unfollow(self, member):
            self.cursor.execute("DELETE FROM follows WHERE member = %d" % int(member))
        """,
    "numbers that cannot be bound everywhere": """
        def page(self, size, version):
            self.cursor.execute("SELECT a FROM t LIMIT %d" % size)
            self.cursor.execute("PRAGMA user_version = %d" % version)
            self.cursor.execute("CREATE TABLE part_%d (a int)" % version)
        """,
    "a number of a request raises for anything else": """
        def show():
            cursor.execute("SELECT a FROM t WHERE id = %d" % request.args["id"])
        """,
    "values of an expression": """
        def find(table, name):
            return table.scan(FilterExpression="name = :name", ExpressionAttributeValues={":name": name})
        """,
    "quotes doubled": """
        def find(name):
            cursor.execute("SELECT * FROM users WHERE name = '" + name.replace("'", "''") + "'")
        """,
    "default for what is not allowed": (
        "def f(cur):\n"
        '    c = request.args["c"]\n'
        "    if c not in ALLOWED:\n"
        '        c = "id"\n'
        '    cur.execute("SELECT * FROM t ORDER BY " + c)\n'
    ),
    "bound": 'def f(cur):\n    cur.execute("SELECT * FROM t WHERE a = %s", (request.args["a"],))\n',
    "bound by name": 'def f(cur, a):\n    cur.execute("SELECT * FROM t WHERE a = :a", {"a": a})\n',
    "number": 'def f(cur):\n    cur.execute("SELECT * FROM t WHERE id = %s" % int(request.args["id"]))\n',
    "typed parameter": 'def f(cur, user_id: int):\n    cur.execute(f"SELECT * FROM t WHERE id = {user_id}")\n',
    "typed path": '@app.route("/<int:id>")\ndef f(id):\n    cur.execute("SELECT * FROM t WHERE id = %s" % id)\n',
    "placeholders": (
        "def f(cur, ids):\n"
        '    marks = ",".join("?" * len(ids))\n'
        '    cur.execute(f"SELECT * FROM t WHERE id IN ({marks})", ids)\n'
    ),
    "placeholder list": (
        "def f(cur, ids):\n"
        '    m = ", ".join(["%s"] * len(ids))\n'
        '    cur.execute("SELECT * FROM t WHERE id IN (" + m + ")", ids)\n'
    ),
    "constant table": (
        'TABLE = "users"\ndef f(cur, a):\n    cur.execute("SELECT * FROM " + TABLE + " WHERE a = ?", (a,))\n'
    ),
    "own table": 'def f(self, a):\n    self.cursor.execute(f"SELECT * FROM {self.table} WHERE a = ?", (a,))\n',
    "allow-list": (
        "def f(cur):\n"
        '    c = request.args["c"]\n'
        '    if c not in ("a", "b"):\n'
        "        abort(400)\n"
        '    cur.execute("SELECT * FROM t ORDER BY " + c)\n'
    ),
    "allow-list around": (
        "def f(cur):\n"
        '    c = request.args["c"]\n'
        "    if c in ALLOWED:\n"
        '        cur.execute("SELECT * FROM t ORDER BY " + c)\n'
    ),
    "allow-list choice": (
        "def f(cur):\n"
        '    c = request.args["c"]\n'
        '    c = c if c in COLUMNS else "id"\n'
        '    cur.execute("SELECT * FROM t ORDER BY " + c)\n'
    ),
    "lookup table": (
        "def f(cur):\n"
        '    c = {"a": "x", "b": "y"}.get(request.args["c"], "x")\n'
        '    cur.execute("SELECT * FROM t ORDER BY " + c)\n'
    ),
    "lookup item": 'COLS = {"a": "x"}\ndef f(cur):\n    cur.execute("SELECT " + COLS[request.args["c"]] + " FROM t")\n',
    "numbers of a list": (
        "def f(cur):\n"
        '    ids = ",".join(str(int(i)) for i in request.json["ids"])\n'
        '    cur.execute(f"DELETE FROM t WHERE id IN ({ids})")\n'
    ),
    "numeric format": 'def f(cur):\n    cur.execute("SELECT * FROM t LIMIT %d" % request.args["n"])\n',
    "uuid": (
        'def f(cur):\n    k = uuid.UUID(request.args["k"])\n    cur.execute(f"SELECT * FROM t WHERE k = \'{k}\'")\n'
    ),
    "composed identifiers": 'def f(cur, t):\n    cur.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(t)))\n',
    "logging": 'def f(a):\n    logger.info("select %s from cache" % a)\n',
    "not a database": 'def f(path):\n    utils.execute("mkdir", "-p", path)\n',
    "orm filter": 'def f():\n    return User.query.filter_by(name=request.args["n"]).first()\n',
    "prose": 'def f(name):\n    db.query("please select " + name)\n',
    "exact match": (
        "def f(cur):\n"
        '    d = request.args["d"]\n'
        '    if d != "asc" and d != "desc":\n'
        '        d = "asc"\n'
        '    cur.execute("SELECT * FROM t WHERE a = ?", (d,))\n'
    ),
    "digits only": (
        "def f(cur):\n"
        '    n = request.args["n"]\n'
        "    if not n.isdigit():\n"
        "        raise ValueError(n)\n"
        '    cur.execute("SELECT * FROM t LIMIT " + n)\n'
    ),
    "broken code": 'def f(cur:\n    cur.execute("SELECT * FROM t WHERE a = ?", (request.args["a"],)\n  else\n',
    "connection escape": (
        'def f(conn):\n    conn.query("SELECT * FROM t WHERE a = " + conn.escape_string(request.args["a"]))\n'
    ),
    "number converted by the framework": (
        '@app.get("/items/{id}")\ndef f(id: int):\n    db.execute(f"SELECT * FROM t WHERE id = {id}")\n'
    ),
    "escaped by the framework": (
        "@frappe.whitelist()\ndef f(txt):\n"
        '    frappe.db.sql("select name from tabItem where name like {0}".format(frappe.db.escape(txt)))\n'
    ),
    "sorting by one of a few": (
        "def f(cursor, sort_field):\n"
        '    if sort_field not in ("name", "day"):\n        raise ValueError(sort_field)\n'
        '    cursor.execute("SELECT * FROM t ORDER BY %s" % sort_field)\n'
    ),
    "bound in a graph": ('def f(tx, name):\n    tx.run("MATCH (p:Person) WHERE p.name = $name RETURN p", name=name)\n'),
    "text of a page": "from rich.text import Text as text\ndef f(name):\n    return text(\"name = '%s'\" % name)\n",
    "conditions with variables": "def f(db, name):\n    db.select('users', where=\"n=$n\", vars={'n': name})\n",
    "numbers of a list by map": (
        'def f(cur, ids):\n    cur.execute("SELECT * FROM t WHERE id IN (%s)" % ",".join(map(str, map(int, ids))))\n'
    ),
    "statement in a field with marks": """
        class Report:
            def __init__(self, name):
                self.statement, self.values = "SELECT * FROM t WHERE name = %s", (name,)
            def rows(self):
                return self.cursor.execute(self.statement, self.values)
        """,
    "helper given a constant": """
        def rows(statement, values=()):
            return sqlite3.connect(PATH).execute(statement, values).fetchall()
        def find(name):
            return rows("SELECT * FROM t WHERE name = ?", (name,))
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code)
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.kind is HitKind.LEAD and hit.cwe == 89 for hit in hits)
    assert all(hit.severity == ("low" if hit.title == NUMBER.title else "critical") for hit in hits)
    assert all(hit.trace is not None and hit.trace.sink.line == hit.start_line for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code) == []


def test_check__trace_follows_the_value():
    (hit,) = run(RULE, REPORTED["concatenation over lines"])
    assert hit.trace is not None
    assert [step.line for step in hit.trace.all_steps()] == [3, 3, 6, 7]
    assert hit.trace.source.note == "`request.args`: read from the request"
    assert hit.confidence is Confidence.HIGH


CLEANED = 'def f(cur):\n    n = clean(request.args["n"])\n    cur.execute("SELECT * FROM t WHERE n = " + n)\n'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (None, [(Confidence.MEDIUM, ("clean",))]),
        ("def clean(text):\n    return int(text)\n", []),
        ("def clean(text):\n    if text not in ('a', 'b'):\n        raise ValueError(text)\n    return text\n", []),
        ("def clean(text):\n    return text.strip().lower()\n", [(Confidence.HIGH, ())]),
        ("def clean(text):\n    return other(text)\n", [(Confidence.MEDIUM, ("clean",))]),
    ],
    ids=["unknown", "number", "allow-list", "passes through", "asks further"],
)
def test_check__asks_the_callee(body: str | None, expected: list[tuple[Confidence, tuple[str, ...]]]):
    resolver = MemoryResolver({"clean": body} if body else {})
    assert [(hit.confidence, hit.asks) for hit in run(RULE, CLEANED, resolver=resolver)] == expected
