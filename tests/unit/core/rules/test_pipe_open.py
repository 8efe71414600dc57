"""Ruby's ``open``."""

from __future__ import annotations

import pytest

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Origin, Taint, Value
from devpulse.core.rules.pipe_open import opens_value, reach_of_pipe
from devpulse.core.source import Source


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open(name)", True),
        ("Kernel.open params[:x]", True),
        ("File.open(name)", False),
        ("open('a.txt')", False),
        ("def open(x)\nend\nopen(x)", False),
    ],
)
def test_opens_value(text: str, *, expected: bool) -> None:
    assert opens_value(Source("a.rb", "ruby", text, frozenset())) is expected


@pytest.mark.parametrize(
    ("level", "confidence"),
    [(Level.REQUEST, Confidence.HIGH), (Level.PARAMETER, Confidence.MEDIUM), (Level.UNKNOWN, Confidence.LOW)],
)
def test_reach_of_pipe__by_its_origin(level: Level, confidence: Confidence) -> None:
    taint = Taint(Origin(1, level, "name", 1))
    reach = reach_of_pipe(taint, Value((taint,), HOLE))
    assert reach is not None
    assert reach.confidence is confidence


def test_reach_of_pipe__a_name_that_begins_otherwise() -> None:
    taint = Taint(Origin(1, Level.REQUEST, "name", 1))
    assert reach_of_pipe(taint, Value((taint,), "files/" + HOLE)) is None
