"""Who watches a run."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from hostile_texts import HOSTILE

from devpulse.adapters.progress import LineProgress, SilentProgress
from devpulse.core.review import Failed, Partial, Reviewed, Skipped


def _lines(*finished, total=None):
    stream = StringIO()
    progress = LineProgress(stream)
    progress.started(len(finished) if total is None else total)
    for path, outcome, findings, level in finished:
        progress.finished(path, outcome, findings, level, 10)
    progress.closed()
    return stream.getvalue().splitlines()


def test_line_progress__names_findings_and_what_did_not_end_well():
    assert _lines(
        ("a.py", Reviewed(), 0, "none"),
        ("b.py", Reviewed(), 1, "high"),
        ("c.py", Partial("step limit"), 2, "low"),
        ("d.py", Failed("model failed: no"), 0, "none"),
        ("e.py", Skipped("cancelled"), 0, "none"),
    ) == [
        "reviewing: 5 tasks",
        "  - b.py: 1 finding, highest high",
        "  - c.py: 2 findings, highest low",
        "  - d.py: failed (model failed: no)",
        "  - e.py: skipped (cancelled)",
        "reviewed: 5 of 5",
    ]


def test_line_progress__counts_now_and_then():
    lines = _lines(*[("a.py", Reviewed(), 0, "none")] * 230, total=230)
    assert lines == ["reviewing: 230 tasks", "reviewed: 100 of 230", "reviewed: 200 of 230", "reviewed: 230 of 230"]


@pytest.mark.parametrize("text", HOSTILE)
def test_line_progress__no_name_or_reason_becomes_a_command_or_another_line(text):
    lines = _lines((text, Reviewed(), 1, "high"), ("b.py", Failed(text), 0, "none"))
    assert len(lines) == 4
    for line in lines:
        assert not re.match(r"\s*::", line)
        assert "##[" not in line
        assert not re.search(r"[\x00-\x1f\x7f\u202e\ud800-\udfff]", line)


def test_silent_progress__says_nothing(capsys):
    progress = SilentProgress()
    progress.started(1)
    progress.finished("a.py", Reviewed(), 1, "high", 1)
    progress.closed()
    assert capsys.readouterr() == ("", "")
