from __future__ import annotations

import pytest

from devpulse.core.categories import Confidence
from devpulse.core.secrets.connections import find_connection_passwords

FOUND = [
    "postgresql://app:Zx9kq22w@db.internal/prod",
    "mongodb+srv://app:Zx9kq22w@c0.mongodb.net/?retryWrites=true",
    "redis://:Zx9kq22w@cache:6379/0",
    "amqp://svc:Zx9kq22w@mq.internal:5672/v",
    "Driver={ODBC Driver 18};Server=x;Uid=sa;Pwd={Zx9kq22w};",
    'cs = "Server=x;User Id=sa;Password=Zx9kq22w"',
    "jdbc:oracle:thin:scott/Zx9kq22w@db:1521/x",
    'db, err := sql.Open("mysql", "app:Zx9kq22w@tcp(db:3306)/shelf")',
    'DriverManager.getConnection("jdbc:mysql://db/shelf", "app", "Zx9kq22w")',
    'ds.getConnection(url, USER, "Zx9kq22w");',
]
QUIET = [
    'f"postgres://{user}:{password}@{host}/db"',
    "https://host:8080/a@b",
    "https://user:********@h.org",
    "postgres://$USER:$PASS@db/x",
    "pwd = os.getcwd(); print(pwd)",
    "const password = process.argv[3];",
    "let a = 1; const pwd = args[2];",
    "https://example.org/?q=a;b=c",
    'sql.Open("mysql", user+":"+word+"@tcp(db:3306)/shelf")',
    'fmt.Sprintf("%s:%s@tcp(%s)/%s", user, word, host, name)',
    'sql.Open("mysql", "root:root@tcp(127.0.0.1:3306)/shelf")',
    "DriverManager.getConnection(url, user, word)",
    'DriverManager.getConnection("jdbc:mysql://db/shelf", "root", "root")',
]


def spans(line: str) -> list[tuple[str, Confidence]]:
    return [(line[span.start : span.end], span.confidence) for span in find_connection_passwords(line, 0, len(line))]


@pytest.mark.parametrize("line", FOUND)
def test_find_connection_passwords__exact_value(line: str):
    assert [value.strip("{}") for value, confidence in spans(line) if confidence is not Confidence.LOW] == ["Zx9kq22w"]


@pytest.mark.parametrize("line", QUIET)
def test_find_connection_passwords__none(line: str):
    assert [found for found in spans(line) if found[1] is not Confidence.LOW] == []


@pytest.mark.parametrize("line", ["postgres://postgres:postgres@db/x", "http://a:Zx9kq22w@example.org/"])
def test_find_connection_passwords__made_up__is_doubtful(line: str):
    assert [confidence for _, confidence in spans(line)] == [Confidence.LOW]
