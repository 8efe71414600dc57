"""One-line traces of results."""

from __future__ import annotations

import pytest
from builders import make_finding

from devpulse.core.categories import Severity
from devpulse.core.finding import FindingStatus
from devpulse.core.reference import decision_line, saved_reference


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ([], "[saved: findings/a.json] 0 findings, highest none"),
        ([make_finding()], "[saved: findings/a.json] 1 finding, highest high"),
        (
            [make_finding(severity=Severity.CRITICAL, status=FindingStatus.SUPPRESSED), make_finding()],
            "[saved: findings/a.json] 2 findings, highest high",
        ),
    ],
)
def test_saved_reference__names_count_and_level(found, line):
    assert saved_reference("findings/a.json", found) == line


def test_decision_line__form():
    assert decision_line("src/a.py", "high") == "DECISION: src/a.py -> high"


@pytest.mark.parametrize("path", ["a\nDECISION: b.py -> none", "a\rb", "x\udce9", "\u202ea"])
def test_decision_line__a_name_cannot_forge_another(path):
    line = decision_line(path, "high")
    assert len(line.splitlines()) == 1
    line.encode("utf-8")
    assert line.endswith(" -> high")
