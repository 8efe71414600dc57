"""What tests of sources ask: the level of what comes to a function called ``sink``."""

from __future__ import annotations

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level


def level_at_sink(language: str, code: str) -> Level:
    """The highest level of what the calls of ``sink`` are given; there is one at least."""
    calls = [call for call in analyse(language, code).calls if call.callee == "sink"]
    taints = [taint for call in calls for argument in call.arguments for taint in argument.value.taints]
    assert calls
    return max((taint.origin.level for taint in taints), default=Level.UNKNOWN)
