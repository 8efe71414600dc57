"""XPath injection: queries over XML put together from values."""

from __future__ import annotations

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import Level, Taint
from devpulse.core.rules.command_words import is_built
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.wording import Weakness, Wording

WORDING = Wording(
    title="XPath query built from a value",
    description="The value can change what the query selects, which shows other data or skips a check.",
    fix="Give the value to the query as a variable, or allow only characters that cannot end a literal.",
)


def _judge(taint: Taint, use: Use) -> Reach | None:
    skeleton, level = use.value.skeleton or "", taint.origin.level
    is_query = is_built(use.value) and ("/" in skeleton or "[" in skeleton or "@" in skeleton)
    if level is Level.REQUEST:
        return Reach(taint, Confidence.HIGH) if is_query or use.sink.certain else None
    return Reach(taint, Confidence.MEDIUM) if is_query and level in (Level.PARAMETER, Level.LOCAL_INPUT) else None


RULE = flow_rule(Danger(Weakness("xpath-injection"), WORDING, _judge))
