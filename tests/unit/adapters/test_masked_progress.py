"""What is shown of a run holds no secret."""

from devpulse.adapters.masked_progress import MaskedProgress
from devpulse.core.review import Failed


class Recorded:
    def __init__(self):
        self.rows = []

    def __getattr__(self, name):
        return lambda *values: self.rows.append((name, *values))


def test_finished__path_and_reason_are_masked_and_all_else_passed_on():
    shown = Recorded()
    masked = MaskedProgress(shown, lambda text: text.replace("hunter2", "*******"))
    masked.started(3)
    masked.began("keys/hunter2.py")
    masked.finished("keys/hunter2.py", Failed("cannot read hunter2.py"), 2, "high", 70)
    masked.closed()
    assert shown.rows == [
        ("started", 3),
        ("began", "keys/*******.py"),
        ("finished", "keys/*******.py", Failed("cannot read *******.py"), 2, "high", 70),
        ("closed",),
    ]
