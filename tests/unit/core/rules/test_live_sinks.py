from __future__ import annotations

import pytest

from devpulse.core.called_sinks import sinks_written
from devpulse.core.rules.live_sinks import live_sinks


@pytest.mark.parametrize("text", ["import os\nos.system(x)\n", "open(x)\n", "eval(x)\n"])
def test_live_sinks__those_that_their_rules_have_a_use_for(text: str) -> None:
    assert live_sinks("python", text)
    assert live_sinks("python", text) <= sinks_written("python", text)


def test_live_sinks__none_where_nothing_is_written() -> None:
    assert live_sinks("python", "print(x)\n") == frozenset()
    assert live_sinks("cobol", "eval(x)") == frozenset()


def test_live_sinks__what_a_rule_says_it_has_no_use_for() -> None:
    own = "def open(key)\n  turn(key)\nend\nopen(key)\n"
    pipe = ("command-injection", "pipe")
    assert pipe in sinks_written("ruby", own)
    assert pipe not in live_sinks("ruby", own)
    assert pipe in live_sinks("ruby", "open(key)\n")


def test_live_sinks__statements_only_where_a_text_begins_as_one() -> None:
    statement = ("sql-injection", "statement")
    assert statement in sinks_written("python", "store.execute(x)\n")
    assert statement not in live_sinks("python", "store.execute(x)\n")
    assert statement in live_sinks("python", "store.execute('select * from t where a = ' + x)\n")
