from __future__ import annotations

import pytest
from rule_tables import MemoryResolver

from devpulse.core.flow.engine import ADAPTERS
from devpulse.core.rules import RULES
from devpulse.core.rules.later import FOLLOWED, Later, LaterFlow
from devpulse.core.source import Rule, Source

_RULES = [rule for rule in RULES if isinstance(rule.check, Later)]


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.id)
def test_later__says_what_the_rule_says(rule: Rule) -> None:
    assert isinstance(rule.check, Later)
    own = rule.check.rule()
    assert (rule.id, rule.category, rule.languages) == (own.id, own.category, own.languages)
    assert rule.limit is not None
    if isinstance(rule.check, LaterFlow):
        assert own.limit is not None, "a file that was not followed to its end must not look clean"


def test_flow_later__languages_are_those_with_data_flow() -> None:
    assert set(ADAPTERS) == FOLLOWED


CALLS = {
    "python": "import os\nfrom flask import request\n\n\ndef run():\n    os.system('ls ' + request.args['name'])\n",
    "javascript": "const { exec } = require('child_process');\napp.get('/', (req, res) => exec(req.query.name));\n",
    "ruby": 'def show\n  system("ls #{params[:name]}")\nend\n',
    "php": "<?php\nshell_exec('ls ' . $_GET['name']);\n",
}


@pytest.mark.parametrize("language", CALLS)
def test_flow_later__finds_what_the_rules_find(language: str) -> None:
    source = Source("app/run", language, CALLS[language], frozenset())
    flow = [rule for rule in _RULES if isinstance(rule.check, LaterFlow)]
    found = {rule.id: list(rule.run(source, MemoryResolver())) for rule in flow}
    assert found["command-injection"]
    for rule in flow:
        assert isinstance(rule.check, Later)
        own = rule.check.rule()
        assert found[rule.id] == list(own.run(source, MemoryResolver()))
        assert rule.stopped(source) == own.stopped(source)
