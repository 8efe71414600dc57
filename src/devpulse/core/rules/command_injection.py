"""Command injection: commands that a shell runs, put together from values."""

from __future__ import annotations

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.hits import Reach, Weakness, Wording

WORDING = Wording(
    title="Shell command built from a value",
    description="The value becomes part of a command that a shell runs, so whoever chooses it can run other commands.",
    fix="Run the program without a shell and give the value as an argument of its own.",
)


def _judge(taint: Taint, use: Use) -> Reach | None:
    level = taint.origin.level
    built = use.value.skeleton is not None and use.value.skeleton.strip(HOLE) != ""
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH)
    if level is Level.UNKNOWN or not built:
        return None
    return Reach(taint, Confidence.MEDIUM)


RULE = flow_rule(Danger(Weakness("command-injection"), WORDING, _judge))
