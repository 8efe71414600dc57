from __future__ import annotations

import pytest

from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import Level, Origin, Taint
from devpulse.core.rules.escaped_beside import is_bare_parameter


def taint(label: str, level: Level = Level.PARAMETER, cleaned: frozenset[Purpose] = frozenset()) -> Taint:
    return Taint(Origin(hash(label), level, label, 1), cleaned=cleaned)


ESCAPED = taint("$words", cleaned=frozenset({Purpose.HTML}))


@pytest.mark.parametrize(
    ("given", "others", "expected"),
    [
        (taint("$href"), [ESCAPED], True),
        (taint("$page_title"), [ESCAPED], True),
        (taint("$href"), [], False),
        (taint("$href"), [taint("$words")], False),
        (taint("$html"), [ESCAPED], False),
        (taint("$href", Level.UNKNOWN), [ESCAPED], False),
    ],
)
def test_is_bare_parameter__others_are_escaped(given: Taint, others: list[Taint], expected: bool):
    assert is_bare_parameter(given, others) is expected
