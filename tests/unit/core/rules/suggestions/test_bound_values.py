from __future__ import annotations

import pytest
from rule_tables import suggested

SUGGESTED = {
    "pg": (
        "const { Pool } = require('pg');\n",
        "await pool.query(`SELECT * FROM t WHERE a = '${req.query.a}' AND b = ${req.query.b}`);",
        'await pool.query("SELECT * FROM t WHERE a = $1 AND b = $2", [req.query.a, req.query.b]);',
    ),
    "mysql2 with a callback": (
        "import mysql from 'mysql2';\n",
        'connection.query("SELECT * FROM t WHERE a = \'" + req.body.a + "\'", (err, rows) => res.json(rows));',
        'connection.query("SELECT * FROM t WHERE a = ?", [req.body.a], (err, rows) => res.json(rows));',
    ),
    "pattern": (
        "const mysql = require('mysql');\n",
        "connection.query(`SELECT * FROM t WHERE a LIKE '%${req.query.a}%'`, cb);",
        'connection.query("SELECT * FROM t WHERE a LIKE ?", [`%${req.query.a}%`], cb);',
    ),
}
NOTHING = {
    "driver unknown": ("const db = require('./db');\n", "db.query(`SELECT * FROM t WHERE a = '${req.query.a}'`);"),
    "two drivers": (
        "const pg = require('pg');\nconst mysql = require('mysql');\n",
        "db.query(`SELECT * FROM t WHERE a = '${req.query.a}'`);",
    ),
    "values already there": (
        "const pg = require('pg');\n",
        "client.query(`SELECT * FROM t WHERE a = '${req.query.a}' AND b = $1`, [b]);",
    ),
    "values in a variable": (
        "const pg = require('pg');\n",
        "client.query(`SELECT * FROM t WHERE a = '${req.query.a}'`, values);",
    ),
    "name of a table": ("const pg = require('pg');\n", "client.query(`SELECT * FROM ${req.query.a}`);"),
    "arithmetic": ("const pg = require('pg');\n", "client.query(`SELECT * FROM t WHERE a = ${req.query.a + 1}`);"),
}


def _written(head: str, statement: str) -> list[str]:
    return suggested(f"{head}app.get('/t', async (req, res) => {{\n  {statement}\n}});\n", path="src/app.js")


@pytest.mark.parametrize(("head", "statement", "expected"), SUGGESTED.values(), ids=SUGGESTED)
def test_suggest__binds(head: str, statement: str, expected: str) -> None:
    assert _written(head, statement) == [expected]


@pytest.mark.parametrize(("head", "statement"), NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_that_needs_a_decision(head: str, statement: str) -> None:
    assert _written(head, statement) == []
