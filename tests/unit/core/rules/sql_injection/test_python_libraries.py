"""Queries that Python hands to libraries, each in a statement of its own."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.sql_injection import RULE

REPORTED = (
    'db.users.find_one({"key": x})',
    'db.users.find_one_and_update({"key": x}, {"$set": known})',
    'db.users.find_one_and_delete({"key": x})',
    'db.users.find_one_and_replace({"key": x}, known)',
    'db.users.update_one({"key": x}, {"$set": known})',
    'db.users.update_many({"key": x}, {"$set": known})',
    'db.users.delete_one({"key": x})',
    'db.users.delete_many({"key": x})',
    'db.users.delete_many(filter={"key": x})',
    'db.users.count_documents({"key": x})',
    'db.users.replace_one({"key": x}, known)',
    'db.users.find({"key": x})',
    'collection.find({"key": x})',
    "polars.read_database(f\"SELECT * FROM users WHERE name = '{x}'\", connection)",
    'pl.read_database(query="SELECT * FROM " + x, connection=connection)',
)
QUIET = (
    'db.users.find_one_and_update({"key": str(x)}, {"$set": known})',
    'db.users.find_one_and_delete({"key": str(x)})',
    'db.users.replace_one({"key": known}, {"name": x})',
    'db.users.update_many({"key": known}, {"$set": {"name": x}})',
    'db.users.count_documents({"key": str(x)})',
    'db.users.delete_many({"key": f"{x}"})',
    'page.find({"key": x})',
    'pl.read_database("SELECT * FROM users", connection, execute_options={"parameters": [x]})',
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement in a view."""
    code = (
        f'from pymongo import MongoClient\n@app.post("/x")\ndef view():\n    x = request.json["x"]\n    {statement}\n'
    )
    return posted_lines(RULE, code)


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [5]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
