from __future__ import annotations

import pytest
from rule_tables import suggested


def _written(statement: str, *, head: str = "", owner: str = "cursor") -> list[str]:
    return suggested(f"{head}\ndef find({owner.partition('.')[0]}, name, kind):\n    {owner}.execute({statement})\n")


SUGGESTED = {
    "format operator": (
        "\"SELECT id FROM users WHERE name = '%s'\" % name",
        'cursor.execute("SELECT id FROM users WHERE name = %s", (name,))',
    ),
    "two values": (
        "\"SELECT id FROM t WHERE a = '%s' AND b = %s\" % (name, kind)",
        'cursor.execute("SELECT id FROM t WHERE a = %s AND b = %s", (name, kind))',
    ),
    "f-string": (
        "f\"SELECT id FROM t WHERE a = '{name}' ORDER BY id\"",
        'cursor.execute("SELECT id FROM t WHERE a = %s ORDER BY id", (name,))',
    ),
    "concatenation": (
        '"DELETE FROM t WHERE a = \'" + name + "\'"',
        'cursor.execute("DELETE FROM t WHERE a = %s", (name,))',
    ),
    "str.format": (
        "\"INSERT INTO t (a, b) VALUES ('{}', {})\".format(name, kind)",
        'cursor.execute("INSERT INTO t (a, b) VALUES (%s, %s)", (name, kind))',
    ),
    "a pattern around it": (
        "f\"SELECT id FROM t WHERE a LIKE '%{name}%'\"",
        'cursor.execute("SELECT id FROM t WHERE a LIKE %s", (f"%{name}%",))',
    ),
    "percent sign elsewhere": (
        "f\"SELECT id FROM t WHERE b LIKE 'x%' AND a = '{name}'\"",
        "cursor.execute(\"SELECT id FROM t WHERE b LIKE 'x%%' AND a = %s\", (name,))",
    ),
    "over several lines": (
        '"""\n        SELECT id FROM t\n        WHERE a = \'{}\'\n    """.format(name)',
        'cursor.execute("""\n        SELECT id FROM t\n        WHERE a = %s\n    """, (name,))',
    ),
}
NOTHING = {
    "name of a table": 'f"SELECT id FROM {name} WHERE a = 1"',
    "sort order": 'f"SELECT id FROM t ORDER BY {name}"',
    "list": '"SELECT id FROM t WHERE id IN (" + name + ")"',
    "arguments already there": "f\"SELECT id FROM t WHERE a = '{name}' AND b = %s\", (kind,)",
    "conversion": 'f"SELECT id FROM t WHERE a = {name!r}"',
    "escaped characters": "f\"SELECT id FROM t WHERE a = '{name}'\\n\"",
    "part of a word": 'f"SELECT id FROM t WHERE a = {name}x"',
    "double quotes": "f'SELECT id FROM t WHERE a = \"{name}\"'",
    "comment inside": "\"SELECT id FROM t WHERE a = '%s'\" % (\n        name,  # from the form\n    )",
    "statement built before": "name",
}


@pytest.mark.parametrize(("statement", "expected"), SUGGESTED.values(), ids=SUGGESTED)
def test_suggest__binds(statement: str, expected: str) -> None:
    assert _written(statement) == [expected]


@pytest.mark.parametrize("statement", NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_that_is_no_data(statement: str) -> None:
    assert _written(statement) == []


@pytest.mark.parametrize(
    ("head", "owner", "mark"),
    [
        ("import sqlite3", "cursor", "?"),
        ("import sqlite3", "conn", "?"),
        ("import psycopg2", "self.cursor", "%s"),
        ("import mysql.connector", "cur", "%s"),
        ("import pyodbc", "cursor", "?"),
        ("from django.db import connection", "cursor", "%s"),
        ("", "cur", "%s"),
    ],
)
def test_suggest__placeholder_of_the_driver(head: str, owner: str, mark: str) -> None:
    found = _written("f\"SELECT id FROM t WHERE a = '{name}'\"", head=head, owner=owner)
    assert found == [f'{owner}.execute("SELECT id FROM t WHERE a = {mark}", (name,))']


@pytest.mark.parametrize(
    ("head", "owner"),
    [
        ("import sqlite3, psycopg2", "cursor"),
        ("from sqlalchemy import create_engine", "conn"),
        ("import oracledb", "cursor"),
        ("", "session"),
        ("", "conn"),
    ],
)
def test_suggest__nothing_for_a_driver_that_is_unknown(head: str, owner: str) -> None:
    assert _written("f\"SELECT id FROM t WHERE a = '{name}'\"", head=head, owner=owner) == []


def test_suggest__nothing_when_the_placeholder_stands_in_the_statement() -> None:
    assert _written("f\"SELECT id FROM t WHERE b = 'why?' AND a = '{name}'\"", head="import sqlite3") == []
