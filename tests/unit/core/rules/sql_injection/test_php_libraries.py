"""Queries of document databases, and escapes of texts between quotes, in PHP by libraries' names."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.sql_injection import RULE

REPORTED = (
    "$users->findOne(['key' => $_POST['x']]);",
    "$users->find(['key' => $_POST['x']]);",
    "$users->countDocuments(['key' => $_POST['x']]);",
    "$users->updateOne(['key' => $_POST['x']], ['$set' => $known]);",
    "$users->updateMany(['key' => $_POST['x']], ['$set' => $known]);",
    "$users->deleteOne(['key' => $_POST['x']]);",
    "$users->deleteMany(['key' => $_POST['x']]);",
    "$users->findOneAndUpdate(['key' => $_POST['x']], ['$set' => $known]);",
    "mysqli_query($db, \"SELECT * FROM users WHERE id = \" . escape_value($_POST['x']));",
    "mysqli_query($db, \"SELECT * FROM users WHERE id = \" . mysql_escape($_POST['x']));",
    "mysqli_query($db, \"SELECT * FROM users WHERE name = '\" . trim($_POST['x']) . \"'\");",
    "mysqli_query($db, \"SELECT * FROM users WHERE name = '\" . unescape_value($_POST['x']) . \"'\");",
)
ESCAPES = (
    "mysql_escape",
    "mysqli_escape",
    "db_escape_string",
    "real_escape",
    "mysql_real_escape",
    "escape_value",
    "escapeSQL",
    "escapeSql",
    "$db->escape_value",
    "$db->escapeSql",
    "$db->escape_string",
    "$db->real_escape_string",
    "sqlite_escape_string",
    "esc_sql",
    "addslashes",
    "pg_escape_string",
)
QUIET = (
    "$users->findOne(['key' => (string) $_POST['x']]);",
    "$users->deleteMany(['key' => strval($_POST['x'])]);",
    "$users->updateOne(['key' => $known], ['$set' => ['name' => $_POST['x']]]);",
    "$users->countDocuments(['key' => (int) $_POST['x']]);",
    *(
        f"mysqli_query($db, \"SELECT * FROM users WHERE name = '\" . {escape}($_POST['x']) . \"'\");"
        for escape in ESCAPES
    ),
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement."""
    code = f"<?php\n$users = (new MongoDB\\Client)->shop->users;\n{statement}\n"
    return posted_lines(RULE, code, path="src/page.php")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [3]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
