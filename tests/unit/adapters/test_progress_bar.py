"""The live bar."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from hostile_texts import HOSTILE
from rich.cells import cell_len
from rich.console import Console

from devpulse.adapters.progress_bar import BarProgress
from devpulse.core.review import Reviewed


def _console(*, terminal: bool) -> Console:
    return Console(file=StringIO(), force_terminal=terminal, width=100, color_system=None)


@pytest.mark.parametrize("text", [*HOSTILE, "[bold red]x[/]", ":warning:"])
def test_bar_progress__prints_names_as_they_are_shown(text):
    console = _console(terminal=False)
    progress = BarProgress(console)
    progress.started(2)
    progress.finished(text, Reviewed(), 3, "high", 10)
    progress.finished("b.py", Reviewed(), 0, "none", 10)
    progress.closed()
    printed = console.file.getvalue()  # type: ignore[attr-defined]  # the StringIO above
    assert ": 3 findings, highest high" in printed
    assert "b.py" not in printed
    assert "\x07" not in printed
    if text.startswith(("[", ":w")):
        assert text in printed


def test_bar_progress__may_be_closed_without_a_start():
    BarProgress(_console(terminal=True)).closed()


def _live(width=80):
    return Console(file=StringIO(), force_terminal=True, width=width, color_system=None, legacy_windows=False)


def _printed(console):
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())
    return [line for line in re.split(r"[\r\n]+", text) if line]


@pytest.mark.parametrize("width", [80, 50])
def test_bar_progress__names_the_files_at_work_and_stays_on_its_lines(width):
    console = _live(width)
    progress = BarProgress(console)
    progress.started(34)
    for path in ("services/payments/internal/handlers/refunds/history/支払い/approve.py", "b.py", "c.py", "c.py"):
        progress.began(path)
    progress.finished("b.py", Reviewed(), 1, "high", 1_234_567)
    progress.closed()
    lines = _printed(console)
    assert max(cell_len(line) for line in lines) <= width
    at_work = [line for line in lines if line.startswith("  serv")]
    assert at_work[-1].rstrip().endswith("/approve.py and 1 more")
    assert width < 80 or any("1/34" in line and "1 finding, 1,234,567 tokens" in line for line in lines), lines


def test_bar_progress__a_file_in_parts_is_at_work_until_the_last_of_them_ends():
    console = _live()
    progress = BarProgress(console)
    progress.started(2)
    progress.began("a.py")
    progress.began("a.py")
    progress.finished("a.py", Reviewed(), 0, "none", 1)
    progress.closed()
    assert _printed(console)[-1].strip() == "a.py"


def test_bar_progress__a_long_path_leaves_room_for_what_is_said_of_it():
    console = _live()
    progress = BarProgress(console)
    progress.started(1)
    progress.finished("a/" * 60 + "b.py", Reviewed(), 2, "critical", 10)
    progress.closed()
    (line,) = (line for line in _printed(console) if "highest" in line)
    assert cell_len(line) <= 80
    assert line.endswith("a/b.py: 2 findings, highest critical")
