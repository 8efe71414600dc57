"""Sealed progress notes."""

from __future__ import annotations

import pytest

from devpulse.adapters.notes import Seal, first_altered, last_seal

LINES = ['DONE "app/a.py" level=high task=a', 'DONE "app/b.py" level=none task=b', 'DONE "app/c.py" level=low task=c']


def _sealed(lines=LINES):
    seal, text = Seal(), ""
    for line in lines:
        written, seal = seal.next(line)
        text += written + "\n"
    return text


def test_seal__a_line_stays_readable_and_is_the_same_every_time():
    written, seal = Seal().next(LINES[0])
    assert written == f"{LINES[0]} sum={seal.sum}"
    assert Seal().next(LINES[0]) == (written, seal)
    assert seal.next(LINES[0]) != (written, seal)


def test_first_altered__what_runs_wrote_is_not():
    text = _sealed()
    assert first_altered("") == 0
    assert first_altered(text) == 0
    assert first_altered("".join(text.splitlines(keepends=True)[:2])) == 0


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (lambda lines: [lines[0].replace("high", "none"), *lines[1:]], 1),
        (lambda lines: [lines[0], lines[2]], 2),
        (lambda lines: [lines[1], lines[0], lines[2]], 1),
        (lambda lines: [*lines, lines[2]], 4),
        (lambda lines: [*lines, 'DONE "app/d.py" level=none task=d'], 4),
        (lambda lines: [lines[0], "", *lines[1:]], 2),
        (lambda lines: [*lines, 'DONE "app/d.py" level=none task=d sum=000000000000'], 4),
        (lambda lines: [lines[0] + " ", *lines[1:]], 1),
    ],
)
def test_first_altered__names_the_first_line_that_no_run_wrote_there(edit, line):
    assert first_altered("\n".join(edit(_sealed().splitlines())) + "\n") == line


def test_last_seal__is_where_the_file_stands(tmp_path):
    notes = tmp_path / "notes.md"
    assert last_seal(notes) == Seal()
    notes.write_text(_sealed(LINES[:2]))
    line, _ = last_seal(notes).next(LINES[2])
    assert notes.read_text() + line + "\n" == _sealed()
    notes.write_text("short")
    assert last_seal(notes) == Seal()
