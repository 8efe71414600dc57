"""What a review takes as shown. Whole reviews are in the integration tests."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import make_change, make_hunk, make_symbol, make_task

from devpulse.core.annotated import ShownChange
from devpulse.core.change import FileStatus, Side
from devpulse.core.review import Partial, Reviewed
from devpulse.core.unseen import RULES_STOPPED
from devpulse.pipeline.file_review import _qualified, shown_whole, side_of
from devpulse.pipeline.prepare import Prepared

GONE = make_change(status=FileStatus.DELETED, hunks=[make_hunk("-a\n-b\n-c\n", old_start=1, new_start=0)])
KEPT = make_change(hunks=[make_hunk(" a\n+b\n+c\n", old_start=9, new_start=2)])


def test_side_of__the_head_unless_there_is_none():
    assert (side_of(KEPT), side_of(GONE)) == (Side.RIGHT, Side.LEFT)


@pytest.mark.parametrize(
    ("change", "first", "last", "shown"),
    [(KEPT, 2, 4, True), (KEPT, 1, 3, False), (KEPT, 9, 9, False), (GONE, 1, 3, True), (GONE, 1, 4, False)],
)
def test_shown_whole__by_the_lines_of_the_side_that_is_read(change, first, last, shown):
    symbol = make_symbol(path=change.path, start_line=first, end_line=last)
    assert shown_whole(make_task(change))(symbol) is shown
    assert not shown_whole(make_task(change))(replace(symbol, path="other.py"))


def test_qualified__rules_that_stopped_at_their_limit_make_a_review_partial():
    prepared = Prepared(KEPT, ShownChange(None, None), complete=True, findings=(), leads=(), lookups=())
    assert _qualified(Reviewed(), make_task(KEPT), prepared) == Reviewed()
    assert _qualified(Reviewed(), make_task(KEPT), replace(prepared, stopped=True)) == Partial(RULES_STOPPED)
