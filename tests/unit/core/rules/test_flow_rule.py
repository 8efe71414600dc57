from __future__ import annotations

import pytest
from rule_tables import make_source

from devpulse.core.flow import engine
from devpulse.core.rules import insecure_deserialization, ssrf, xml_external_entity
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
