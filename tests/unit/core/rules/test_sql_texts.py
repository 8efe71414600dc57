from __future__ import annotations

import pytest

from devpulse.core.flow.values import HOLE, Value
from devpulse.core.rules import sql_texts


def _said(template: str) -> Value:
    return Value(skeleton=template.replace("?", HOLE))


@pytest.mark.parametrize(
    "statement",
    [
        "select a from t where b = ?",
        "  (SELECT now())",
        "insert ignore into t values (?)",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "explain analyze select 1",
        "pragma user_version",
        "MATCH (n:User {name: '?'}) RETURN n",
        "CREATE (n:User {name: ?})",
        "begin x(); end",
        "drop table ?",
    ],
)
def test_is_statement(statement: str) -> None:
    assert sql_texts.is_statement(_said(statement))


@pytest.mark.parametrize("prose", ["select one of ?", "update ? to 2.0", "delete ?", "create", "no match (?)", ""])
def test_is_statement__prose(prose: str) -> None:
    assert not sql_texts.is_statement(_said(prose))


def test_picks_rows__where_and_values() -> None:
    assert sql_texts.picks_rows(_said("delete from t where id = ?"))
    assert sql_texts.picks_rows(_said("insert into t values (?)"))


@pytest.mark.parametrize(
    "statement", ["pragma user_version = ?", "select a from t limit ?", "SELECT SLEEP(?)", "create table t? (a int)"]
)
def test_picks_rows__what_counts_or_cannot_be_bound(statement: str) -> None:
    assert not sql_texts.picks_rows(_said(statement))


def test_sorts_by_value__the_column_alone() -> None:
    assert sql_texts.sorts_by_value(_said("select a from t order by ?"))
    assert not sql_texts.sorts_by_value(_said("select a from t where b = ? order by c"))


def test_names_column__a_condition_that_begins_with_a_value() -> None:
    assert sql_texts.names_column(_said("? LIKE '%x'"))
    assert not sql_texts.names_column(_said("name LIKE ?"))
