from __future__ import annotations

import pytest

from devpulse.core.rules import sql_injection
from devpulse.core.rules.flow_rule import FlowCheck
from devpulse.core.source import Source


def _mentioned(text: str) -> bool:
    check = sql_injection.RULE.check
    assert isinstance(check, FlowCheck)
    return check.danger.mentioned(Source("a.py", "python", text, frozenset()))


@pytest.mark.parametrize(
    "quoted", ["'select * from t where a=%s'", '"""\\\n  SELECT a FROM t WHERE b=%s"""', "f'(select {a} from t) %s'"]
)
def test_plausible__a_statement_begins_somewhere_in_the_file(quoted: str) -> None:
    assert _mentioned(f"run_query({quoted} % x)")


def test_plausible__no_statement_in_the_file() -> None:
    assert not _mentioned("run_query('delay %s' % x)")


def test_plausible__a_function_of_another_file_may_give_the_statement_back() -> None:
    assert _mentioned("from shop.sql import build\nrun_query(build(request.args['x']))")
