from __future__ import annotations

import pytest
from rule_tables import run

from devpulse.core.rules.xpath_injection import RULE


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("exports.find = (name, doc) => xpath.select(`//user[name='${name}']`, doc);", True),
        ("xpath.select(`//user[name='${process.argv[2]}']`, doc);", True),
        ("exports.find = (name, doc) => xpath.select(name, doc);", False),
        ("exports.find = (name, doc) => xpath.select('//user', doc).filter((user) => user.name === name);", False),
        ("exports.find = (id, doc) => xpath.select(`//user[${parseInt(id, 10)}]`, doc);", False),
    ],
)
def test_check(code: str, expected: bool):
    assert bool(run(RULE, f"{code}\n", path="src/users.js")) is expected
