"""Functions of Javascript that a cloud calls with an event, by their names."""

from __future__ import annotations

from sink_levels import level_at_sink
from tables import for_each

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


@for_each(SENT)
def test_analyse__what_is_sent(row: tuple[str, Level]) -> None:
    code, expected = row
    assert level_at_sink("javascript", code) is expected
