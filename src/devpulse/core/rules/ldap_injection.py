"""LDAP injection: search filters and names of entries put together from values.

Kinds of sinks: ``options`` takes the filter in a table. Without a kind it is the argument itself.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import Level, Taint
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source

WORDING = Wording(
    title="LDAP filter built from a value",
    description="The value can close its condition and add others, which finds other entries or skips a check.",
    fix="Escape the value for filters (`escape_filter_chars`), or build the filter with the library's own types.",
)

_NAMED = re.compile(r"(?i)(?<!_)(?:user_?name|login|user|e?mail|uid|account)$")
"""What people type in to be found by."""


def _judge(taint: Taint, use: Use) -> Reach | None:
    value = use.value.field("filter") if use.value.collection else use.value
    if value is None or not any(known.origin is taint.origin for known in value.taints):
        return None
    skeleton, level = value.skeleton or "", taint.origin.level
    built = "=" in skeleton
    if level is Level.REQUEST:
        return Reach(taint, Confidence.HIGH if built else Confidence.MEDIUM)
    if built and level is Level.UNKNOWN and taint.origin.member and _NAMED.search(taint.origin.label):
        return Reach(taint, Confidence.MEDIUM)
    return Reach(taint, Confidence.MEDIUM) if built and level is Level.PARAMETER else None


def _plausible(kind: str, source: Source) -> bool:
    return kind != "options" or "ldap" in source.text.lower()


RULE = flow_rule(Danger(Weakness("ldap-injection"), WORDING, _judge, plausible=_plausible))
