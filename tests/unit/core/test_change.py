"""Changes as data."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from builders import make_change, make_hunk

from devpulse.core.change import DiffLine, FileChange, FileStatus, Hunk, Side


def test_hunk__numbers_and_changed_by_side():
    hunk = make_hunk(" a\n-b\n+c\n+d\n e\n", old_start=10, new_start=20)
    assert hunk.numbers(Side.LEFT) == {10, 11, 12}
    assert hunk.numbers(Side.RIGHT) == {20, 21, 22, 23}
    assert hunk.changed(Side.LEFT) == {11}
    assert hunk.changed(Side.RIGHT) == {21, 22}


def test_hunk__one_sided():
    added = make_hunk("+a\n+b\n")
    assert (added.old_start, added.old_length, added.new_start, added.new_length) == (0, 0, 1, 2)
    assert added.numbers(Side.LEFT) == added.changed(Side.LEFT) == frozenset()


def test_hunk__adds_all_is_told_without_its_lines():
    class Unread(Sequence[DiffLine]):
        """Lines of which only the number may be asked."""

        def __len__(self):
            return 3

        def __getitem__(self, index):
            raise AssertionError(index)

    hunk = Hunk(0, 0, 4, 3, Unread())
    assert hunk.adds_all
    assert hunk.changed(Side.RIGHT) == hunk.numbers(Side.RIGHT) == {4, 5, 6}
    assert hunk.changed(Side.LEFT) == hunk.numbers(Side.LEFT) == frozenset()
    assert not make_hunk(" a\n+b\n").adds_all
    assert not make_hunk("-a\n").adds_all


def test_file_change__is_looked_up_without_its_lines():
    one, same, other = (make_change("a.py", f"+{text}\n") for text in "xxy")
    assert {one: 1}[same] == 1
    assert hash(one) == hash(other)
    assert one != other


@pytest.mark.parametrize(
    ("line", "added", "removed"),
    [(DiffLine(None, 1, ""), True, False), (DiffLine(1, None, ""), False, True), (DiffLine(1, 1, ""), False, False)],
)
def test_diff_line__added_or_removed(line, added, removed):
    assert (line.added, line.removed) == (added, removed)


@pytest.mark.parametrize(
    ("change", "path", "previous"),
    [
        (make_change("a.py"), "a.py", None),
        (make_change("a.py", status=FileStatus.ADDED), "a.py", None),
        (make_change("a.py", status=FileStatus.DELETED), "a.py", None),
        (make_change("b.py", status=FileStatus.RENAMED, previous="a.py"), "b.py", "a.py"),
    ],
)
def test_file_change__names(change, path, previous):
    assert (change.path, change.previous_path) == (path, previous)


def test_file_change__needs_a_side():
    with pytest.raises(ValueError, match="base or a head"):
        FileChange(FileStatus.MODIFIED, None, None, ())


def test_file_change__changed_joins_all_hunks():
    change = make_change(hunks=[make_hunk("+a\n"), make_hunk("-b\n+c\n", old_start=5, new_start=6)])
    assert change.changed(Side.RIGHT) == {1, 6}
    assert change.changed(Side.LEFT) == {5}
    assert make_change(hunks=[]).changed(Side.LEFT) == frozenset()
