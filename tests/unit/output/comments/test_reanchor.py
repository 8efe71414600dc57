"""Comments and a head that moved on."""

from __future__ import annotations

import pytest
from builders import make_change, make_finding, make_hunk

from devpulse.core.change import FileStatus, Side
from devpulse.output.comments.place import Place
from devpulse.output.comments.plan import Cause, PlannedComment
from devpulse.output.comments.reanchor import FILE_CHANGED, NOT_IN_DIFF, FileAt, reanchor

BEFORE = FileAt("blob1", (make_hunk(),))
"""Old lines 1 to 3 and new lines 1 to 3; line 3 is replaced."""
ELSEWHERE = FileAt("blob1", (make_hunk(old_start=9, new_start=9),))
REBASED = FileAt(
    "blob1", (make_hunk(" import db\n def find(name):\n-    return None\n+    return db.run('select ' + name)\n"),)
)
DELETED = FileAt.of(make_change(status=FileStatus.DELETED, drawing="-import db\n-check()\n", blobs=("blob1", None)))


def comment(**overrides: object) -> PlannedComment:
    finding = make_finding(**{"start_line": 3, "end_line": 3, **overrides})
    return PlannedComment(finding, "body", Place(finding.path, finding.start_line, finding.end_line))


def test_reanchor__the_same_file_keeps_its_comments():
    planned = [comment(), comment(side=Side.LEFT), comment(start_line=1)]
    assert reanchor(planned, {"app/db.py": BEFORE}, {"app/db.py": BEFORE}) == (tuple(planned), ())


@pytest.mark.parametrize(
    ("before", "now", "why"),
    [
        (BEFORE, FileAt("blob2", BEFORE.hunks), FILE_CHANGED),
        (BEFORE, None, FILE_CHANGED),
        (None, BEFORE, FILE_CHANGED),
        (FileAt(None, BEFORE.hunks), FileAt(None, BEFORE.hunks), FILE_CHANGED),
        (BEFORE, FileAt(None, BEFORE.hunks, deleted=True), FILE_CHANGED),
        (BEFORE, ELSEWHERE, NOT_IN_DIFF),
        (BEFORE, FileAt("blob1", None), NOT_IN_DIFF),
    ],
)
def test_reanchor__others_are_not_posted(before, now, why):
    files = [{"app/db.py": each} if each else {} for each in (before, now)]
    fitting, others = reanchor([comment()], *files)
    assert fitting == ()
    assert [(item.cause, item.detail) for item in others] == [(Cause.MOVED, why)]


def test_reanchor__removed_lines_must_read_the_same():
    planned = [comment(side=Side.LEFT)]
    fitting, others = reanchor(planned, {"app/db.py": BEFORE}, {"app/db.py": REBASED})
    assert fitting == ()
    assert others[0].detail == NOT_IN_DIFF


def test_reanchor__a_deleted_file():
    planned = (comment(side=Side.LEFT, start_line=2, end_line=2),)
    assert reanchor(planned, {"app/db.py": DELETED}, {"app/db.py": DELETED}) == (planned, ())


@pytest.mark.parametrize(
    ("side", "first", "last", "shown"),
    [
        (Side.RIGHT, 1, 3, True),
        (Side.RIGHT, 3, 4, False),
        (Side.LEFT, 3, 3, True),
        (Side.RIGHT, 0, 1, False),
        (Side.RIGHT, 20, 21, True),
        (Side.RIGHT, 3, 20, False),
    ],
)
def test_shows__lines_of_one_hunk(side, first, last, shown):
    file = FileAt("b", (make_hunk(), make_hunk(" x\n+y\n", old_start=20, new_start=20)))
    assert file.shows(side, first, last) is shown


def test_shows__nothing_where_the_diff_is_not_known():
    assert not FileAt("b", None).shows(Side.RIGHT, 1, 1)


def test_of__a_reviewed_change():
    change = make_change(blobs=("old", "new"))
    assert FileAt.of(change) == FileAt("new", change.hunks)
