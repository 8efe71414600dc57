"""A run that leaves nothing behind."""

from __future__ import annotations

from devpulse.core.review import Reviewed
from devpulse.pipeline.in_memory import MemorySink, NoLog, NoProgress


def test_memory_sink__gives_back_what_was_written_and_keeps_no_lines():
    sink = MemorySink()
    assert sink.write("findings/a.json", "{}") == "findings/a.json"
    sink.append("progress_notes.md", "DONE")
    assert sink.read("findings/a.json") == "{}"
    assert sink.read("progress_notes.md") is None


def test_no_log_and_no_progress__take_everything():
    NoLog().record("request", task="a", step=1, tokens=5)
    progress = NoProgress()
    progress.started(1)
    progress.finished("a.py", Reviewed(), 0, "none", 5)
    progress.closed()
