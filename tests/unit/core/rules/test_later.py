from __future__ import annotations

import pytest

from devpulse.core.rules import RULES
from devpulse.core.rules.later import Later
from devpulse.core.source import Rule

_RULES = [rule for rule in RULES if isinstance(rule.check, Later)]


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.id)
def test_later__says_what_the_rule_says(rule: Rule) -> None:
    assert isinstance(rule.check, Later)
    own = rule.check.rule()
    assert (rule.id, rule.category, rule.languages) == (own.id, own.category, own.languages)
