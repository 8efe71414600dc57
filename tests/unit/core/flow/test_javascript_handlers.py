from __future__ import annotations

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level


def _level(code: str) -> Level | None:
    """The level of what ``sink`` is given; ``None`` for something harmless."""
    call = next(call for call in analyse("javascript", code).calls if call.callee == "sink")
    return next((taint.origin.level for taint in call.arguments[0].value.taints), None)


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("io.on('connection', (socket) => socket.on('say', (text) => sink(text)));", Level.REQUEST),
        ("wss.on('connection', function (ws) { ws.on('message', function (data) { sink(data); }); });", Level.REQUEST),
        ("zip.getEntries().forEach((member) => sink(member.entryName));", Level.ARCHIVE),
        ("exports.f = functions.https.onCall((data) => sink(data.name));", Level.REQUEST),
        ("rl.question('Name? ', (answer) => sink(answer));", Level.LOCAL_INPUT),
        ("bot.onText(/say (.+)/, (msg, match) => sink(match[1]));", Level.LOCAL_INPUT),
        ("consumer.run({ eachMessage: async ({ message }) => sink(message.value) });", Level.LOCAL_INPUT),
        ("const r = t.query(({ input }) => sink(input));", Level.REQUEST),
        ("exports.run = (client, message, args) => sink(args[0]);", Level.LOCAL_INPUT),
        ("exports.handler = async (event) => sink(event.name);", Level.PARAMETER),
        ("req.on('data', (part) => { body += part; }); req.on('end', () => sink(body));", Level.REQUEST),
    ],
)
def test_levels_of__what_others_send(code: str, level: Level) -> None:
    assert _level(code) is level


@pytest.mark.parametrize(
    "code",
    [
        "const socket = connect(); socket.on('say', (text) => sink(text));",
        "io.on('connection', (socket) => socket.on('close', (code) => sink(code)));",
        "io.on('connection', (socket) => socket.on('say', (text, cb) => sink(cb)));",
        "cache.on('expired', (entry) => sink(entry));",
        "const r = select(({ input }) => sink(1));",
        "emitter.on('data', (part) => { size += 1; }); emitter.on('end', () => sink(1));",
    ],
)
def test_levels_of__what_the_program_sends(code: str) -> None:
    assert (_level(code) or Level.UNKNOWN) <= Level.PARAMETER
