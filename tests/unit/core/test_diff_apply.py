import pytest

from devpulse.core.change import Side
from devpulse.core.diff_apply import MAX_FRAGMENT_LINES, apply_hunks, fragment, matches
from devpulse.core.diff_hunks import parse_hunks
from devpulse.errors import PatchInvalid

HUNKS = parse_hunks("@@ -2,2 +2,3 @@\n b\n+new\n c\n@@ -5 +6 @@\n-e\n+E\n")
OLD = ["a", "b", "c", "d", "e", "f"]
NEW = ["a", "b", "new", "c", "d", "E", "f"]


def test_apply_hunks__both_ways():
    assert apply_hunks(OLD, HUNKS, Side.RIGHT) == NEW
    assert apply_hunks(NEW, HUNKS, Side.LEFT) == OLD


@pytest.mark.parametrize("header", ["@@ -2,0 +3 @@\n+x\n", "@@ -1,2 +1,3 @@\n a\n b\n+x\n"])
def test_apply_hunks__insertion_with_and_without_context(header):
    assert apply_hunks(OLD, parse_hunks(header), Side.RIGHT) == ["a", "b", "x", *OLD[2:]]


def test_matches__only_the_right_side_of_the_right_file():
    assert matches(OLD, HUNKS, Side.LEFT)
    assert not matches(OLD, HUNKS, Side.RIGHT)
    assert not matches(OLD[:3], HUNKS, Side.LEFT)


def test_fragment__lines_at_their_numbers():
    assert fragment(HUNKS, Side.RIGHT) == ["", "b", "new", "c", "", "E"]
    assert fragment((), Side.RIGHT) == []


def test_fragment__line_number_beyond_memory():
    far = MAX_FRAGMENT_LINES + 1
    with pytest.raises(PatchInvalid, match=str(far)):
        fragment(parse_hunks(f"@@ -{far} +{far} @@\n-a\n+b\n"), Side.LEFT)
