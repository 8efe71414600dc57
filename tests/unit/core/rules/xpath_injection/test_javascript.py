from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.xpath_injection import RULE

REPORTED = {
    "parameter of a library": "exports.find = (name, doc) => xpath.select(`//user[name='${name}']`, doc); // BAD\n",
    "command line": "xpath.select(`//user[name='${process.argv[2]}']`, doc); // BAD\n",
}
QUIET = {
    "whole expression": "exports.find = (name, doc) => xpath.select(name, doc);\n",
    "compared afterwards": (
        "exports.find = (name, doc) => xpath.select('//user', doc).filter((user) => user.name === name);\n"
    ),
    "number": "exports.find = (id, doc) => xpath.select(`//user[${parseInt(id, 10)}]`, doc);\n",
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    assert lines_of(run(RULE, code, path="src/users.js")) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert run(RULE, code, path="src/users.js") == []
