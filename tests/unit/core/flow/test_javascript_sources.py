"""Functions of Javascript that a cloud calls with an event, by their names."""

from __future__ import annotations

from tables import for_each

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level

SENT = (
    ("exports.lambdaHandler = async (event) => { sink(event.name); };", Level.PARAMETER),
    ("module.exports.lambdaHandler = async (event) => { sink(event.name); };", Level.PARAMETER),
    ("export const lambdaHandler = async (event) => { sink(event.name); };", Level.PARAMETER),
    ("export async function lambdaHandler(event) { sink(event.name); }", Level.PARAMETER),
    ("exports.handler = async (event) => { sink(event.name); };", Level.PARAMETER),
    ("exports.lambdaHandler = async (event) => { sink(event.queryStringParameters.x); };", Level.REQUEST),
    ("exports.shownHandler = async (event) => { sink(event.name); };", Level.UNKNOWN),
    ("export const lambdaHandlers = async (event) => { sink(event.name); };", Level.UNKNOWN),
)


def level(code: str) -> Level:
    """The highest level of what comes to ``sink``."""
    calls = [call for call in analyse("javascript", code).calls if call.callee == "sink"]
    taints = [taint for call in calls for argument in call.arguments for taint in argument.value.taints]
    assert calls
    return max((taint.origin.level for taint in taints), default=Level.UNKNOWN)


@for_each(SENT)
def test_analyse__what_is_sent(row: tuple[str, Level]) -> None:
    code, expected = row
    assert level(code) is expected
