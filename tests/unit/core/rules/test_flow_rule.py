from __future__ import annotations

import pytest
from rule_tables import make_source

from devpulse.core.flow import engine
from devpulse.core.rules import command_injection, insecure_deserialization, ssrf, xml_external_entity
from devpulse.core.source import Rule

SINKS = {
    "ssrf": "requests.get(a)\n",
    "xml-external-entity": "from lxml import etree\netree.parse(a)\n",
    "insecure-deserialization": "pickle.loads(a)\n",
}


@pytest.mark.parametrize("rule", [ssrf.RULE, xml_external_entity.RULE, insecure_deserialization.RULE])
def test_flow_rule__says_that_the_data_flow_was_not_followed_to_its_end(
    rule: Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = make_source("def f(a):\n    " + SINKS[rule.id].replace("\n", "\n    "), path="a.py")
    assert not rule.stopped(source)
    engine.analyse_sinks.cache_clear()
    monkeypatch.setattr("devpulse.core.flow.walking.BUDGET", 3)
    assert rule.stopped(source)
    engine.analyse_sinks.cache_clear()


@pytest.mark.parametrize(
    ("value", "said"),
    [("self.command", True), ("command", False), ("self.command + '1'", False)],
    ids=["field", "variable", "part of a text"],
)
def test_flow_rule__says_that_what_sets_a_field_was_looked_for_in_a_part_of_the_file(
    value: str, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "class Job:\n    def __init__(self):\n        self.command = 1\n    def run(self):\n"
    text += f"        os.system({value})\n"
    long = make_source(text + "# a comment\n" * 2_000, path="a.py")
    assert not command_injection.RULE.stopped(long)
    engine.analyse_fields.cache_clear()
    monkeypatch.setattr("devpulse.core.flow.engine.FIELD_BUDGET", 3)
    assert command_injection.RULE.stopped(long) is said
    assert not command_injection.RULE.stopped(make_source(text, path="a.py"))
    engine.analyse_fields.cache_clear()
