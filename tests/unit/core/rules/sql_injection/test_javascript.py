from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

REPORTED = {
    "template literal": """
        app.get('/u/:id', async (req, res) => {
          const { id } = req.params;
          const rows = await pool.query(`SELECT * FROM users WHERE id = '${id}'`); // BAD
          res.json(rows);
        });
        """,
    "concatenation": """
        function find(req, res) {
          const sql = "SELECT * FROM users WHERE name = '" + req.query.name + "'";
          connection.query(sql, (err, rows) => res.json(rows)); // BAD
        }
        """,
    "knex.raw": """
        router.post('/s', (req, res) => {
          const term = req.body.term.trim();
          return knex.raw('select * from t where a like \\'%' + term + '%\\''); // BAD
        });
        """,
    "order by": """
        const list = async (req) => db.query(`SELECT * FROM t ORDER BY ${req.query.sort}`); // BAD
        """,
    "prisma unsafe": """
        async function f(req) {
          return prisma.$queryRawUnsafe(`SELECT * FROM "User" WHERE email = '${req.body.email}'`); // BAD
        }
        """,
    "object form": """
        async function f(req) {
          return client.query({ text: `DELETE FROM t WHERE id = ${req.body.id}`, values: [] }); // BAD
        }
        """,
    "half bound": """
        async function f(req) {
          const { a, b } = req.body;
          return pool.query(`SELECT * FROM t WHERE a = $1 AND b = '${b}'`, [a]); // BAD
        }
        """,
    "parameter": """
        async function byName(name) {
          return await db.query("SELECT * FROM t WHERE name = '" + name + "'"); // BAD
        }
        """,
    "each item": """
        function f(req) {
          req.body.ids.forEach((id) => {
            db.query("DELETE FROM t WHERE id = " + id); // BAD
          });
        }
        """,
    "sequelize": """
        const f = (req) => sequelize.query('SELECT * FROM t WHERE a = ' + req.query.a, { raw: true }); // BAD
        """,
    "typeorm where": """
        function f(req) {
          return repo.createQueryBuilder('u').where(`u.name = '${req.query.name}'`).getMany(); // BAD
        }
        """,
    "list of texts": """
        function f(req) {
          const marks = req.body.names.map((name) => `'${name}'`).join(",");
          return db.query(`SELECT * FROM t WHERE name IN (${marks})`); // BAD
        }
        """,
    "function of the project": """
        const { rawQuery } = require("./db");
        router.get("/u", (req, res) => res.json(rawQuery(`SELECT * FROM u WHERE n = '${req.query.n}'`))); // BAD
        async function find(name) {
          const sql = `select * from u where n = '${name}'`;
          return store.runSql(sql); // BAD
        }
        """,
    "event of a function in a cloud": """
        exports.handler = async (event) => {
          return pool.query("DELETE FROM u WHERE n = '" + event.name + "'"); // BAD
        };
        """,
}
QUIET = {
    "formatted by a library": (
        "const format = require('pg-format');\n"
        "const f = (req) => client.query(format('SELECT * FROM t WHERE a = %L', req.query.a));\n"
    ),
    "rows of a statement": (
        "async function f(pool) { const request = new mssql.Request(pool); "
        "const found = await request.query('SELECT name FROM t'); "
        "return db.query(`SELECT * FROM ${found.recordset[0].name}`); }\n"
    ),
    "functions of the project": (
        "const f = (req) => rawQuery('SELECT * FROM u WHERE n = ?', [req.query.n]);\n"
        "const g = (req) => useQuery(`user-${req.query.n}`, load);\n"
        "const h = (sql, name) => logQuery(`select * from u where n = '${name}'`);\n"
    ),
    "numbers of a list": (
        "const f = (req) => db.query('SELECT * FROM t WHERE id IN (' + "
        "req.body.ids.map((id) => { const n = Number(id); return `'${n}'`; }).join(',') + ')');\n"
    ),
    "marks for a list": (
        "function f(ids) { "
        "const marks = ids.map(() => '?').join(','); "
        "return db.query(`SELECT * FROM t WHERE id IN (${marks})`, ids); "
        "}\n"
    ),
    "numbered marks": (
        "function f(ids) { "
        "const marks = ids.map((_, i) => `$${i + 1}`).join(','); "
        "return db.query(`SELECT * FROM t WHERE id IN (${marks})`, ids); "
        "}\n"
    ),
    "bound": "const f = (req) => pool.query('SELECT * FROM t WHERE a = $1', [req.query.a]);\n",
    "bound object": "const f = (req) => pool.query({ text: 'SELECT * FROM t WHERE a = $1', values: [req.query.a] });\n",
    "tagged": "const f = (req) => prisma.$queryRaw`SELECT * FROM t WHERE a = ${req.query.a}`;\n",
    "sql tag": "const f = (req) => db.query(sql`SELECT * FROM t WHERE a = ${req.query.a}`);\n",
    "number": (
        "const f = (req) => { const id = Number(req.params.id); "
        "return db.query(`SELECT * FROM t WHERE id = ${id}`); "
        "};\n"
    ),
    "parseInt": "const f = (req) => db.query('SELECT * FROM t LIMIT ' + parseInt(req.query.n, 10));\n",
    "typed": "async function f(id: number) { return db.query(`SELECT * FROM t WHERE id = ${id}`); }\n",
    "allow-list": (
        "function f(req) { "
        "const s = req.query.s; "
        "if (!ALLOWED.includes(s)) { "
        "return; "
        "} db.query(`SELECT * FROM t ORDER BY ${s}`); "
        "}\n"
    ),
    "set of names": (
        "function f(req) { "
        "const s = req.query.s; "
        "if (!COLUMNS.has(s)) throw new Error('x'); "
        "db.query(`SELECT * FROM t ORDER BY ${s}`); "
        "}\n"
    ),
    "choice": (
        "function f(req) { "
        "const d = req.query.d === 'desc' ? 'DESC' : 'ASC'; "
        "db.query(`SELECT * FROM t ORDER BY a ${d}`); "
        "}\n"
    ),
    "escaped": "const f = (req) => connection.query('SELECT * FROM t WHERE a = ' + connection.escape(req.query.a));\n",
    "constant parts": "const T = 'users';\nconst f = (a) => db.query(`SELECT * FROM ${T} WHERE a = ?`, [a]);\n",
    "raw with binding": "const f = (req) => knex.raw('select * from t where a = ?', [req.query.a]);\n",
    "not SQL": "const f = (req) => axios.get(`https://api/select/${req.query.a}`);\n",
    "query of the page": "const f = (id) => document.querySelector(`#item-${id}`);\n",
    "react query": "const f = (id) => client.query({ query: GET_USER, variables: { id } });\n",
    "lookup": (
        "const f = (req) => { const c = { a: 'x', b: 'y' }[req.query.c]; "
        "return db.query(`SELECT * FROM t ORDER BY ${c}`); "
        "};\n"
    ),
    "broken code": "const f = (req => db.query('SELECT 1', [req.query.a];\n",
}


@pytest.mark.parametrize("path", ["src/app.js", "src/app.ts", "src/app.tsx"])
@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str, path: str):
    hits = run(RULE, code, path=path)
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.cwe) for hit in hits} == {("sql-injection", 89)}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path="src/app.ts") == []


def test_check__asks_the_callee():
    code = (
        "const f = (req) => { const n = clean(req.query.n); return db.query(`SELECT * FROM t WHERE n = '${n}'`); };\n"
    )
    safe = MemoryResolver({"clean": "function clean(n) { return Number(n); }"}, path="src/clean.js")
    same = MemoryResolver({"clean": "function clean(n) { return n.trim(); }"}, path="src/clean.js")
    assert run(RULE, code, path="src/app.js", resolver=safe) == []
    assert [(hit.confidence, hit.asks) for hit in run(RULE, code, path="src/app.js", resolver=same)] == [
        (Confidence.HIGH, ())
    ]
    assert [(hit.confidence, hit.asks) for hit in run(RULE, code, path="src/app.js")] == [
        (Confidence.MEDIUM, ("clean",))
    ]


def test_check__is_less_sure_of_a_list_of_names():
    code = "const f = (names) => db.query('SELECT * FROM t WHERE ' + names.map((n) => `a = '${n}'`).join(' OR '));\n"
    assert [hit.confidence for hit in run(RULE, code, path="src/app.js")] == [Confidence.LOW]
