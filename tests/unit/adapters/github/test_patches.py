import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devpulse.adapters.github.patches import derive, hunks_of
from devpulse.core.change import Side
from devpulse.core.content import blob_id
from devpulse.core.text import split_lines

OLD = b"a\r\nb\nc"
NEW = b"a\r\nB\nc"
PATCH = "@@ -1,3 +1,3 @@\n a\r\n-b\n+B\n c\n\\ No newline at end of file"


def patch_of(old, new):
    """A patch as GitHub shows it: no file header, no line feed at the end."""
    sides = [rows_of(old), rows_of(new)]
    rows = []
    for group in difflib.SequenceMatcher(None, sides[0], sides[1], autojunk=False).get_grouped_opcodes():
        first, last = group[0], group[-1]
        spans = [(first[1], last[2] - first[1]), (first[3], last[4] - first[3])]
        before, after = (f"{start + bool(length)},{length}" for start, length in spans)
        rows.append(f"@@ -{before} +{after} @@")
        for kind, *at in group:
            if kind == "equal":
                rows += [f" {row}" for row in sides[0][at[0] : at[1]]]
            else:
                rows += [f"-{row}" for row in sides[0][at[0] : at[1]]]
                rows += [f"+{row}" for row in sides[1][at[2] : at[3]]]
    return "\n".join(rows)


def rows_of(text):
    """The lines; the one that ends without a line feed has git's note, which makes it another line."""
    lines = split_lines(text)
    if text and not text.endswith("\n"):
        lines[-1] += "\n\\ No newline at end of file"
    return lines


LINES = st.sampled_from(
    ["a\n", "b\n", "\r\n", "\r", "\f\n", "\u2028\n", "-- a\n", "++ b\n", "@@ -1 +1 @@\n", "\n", "ä"]
)
TEXT = st.lists(LINES, max_size=12).map("".join)


@given(TEXT, TEXT)
def test_derive__either_side_from_the_other(old, new):
    if old != new:
        patch = patch_of(old, new)
        assert derive(old.encode(), patch, Side.RIGHT, blob_id(new.encode())) == new.encode()
        assert derive(new.encode(), patch, Side.LEFT, blob_id(old.encode())) == old.encode()


@pytest.mark.parametrize("patch", [None, "no patch", "@@ broken"])
def test_hunks_of__none_to_be_had(patch):
    assert hunks_of(patch) is None


def test_hunks_of__lines():
    (hunk,) = hunks_of(PATCH) or ()
    assert [line.text for line in hunk.lines] == ["a\r", "b", "B", "c"]


def test_derive__bytes_that_json_cannot_carry_outside_the_change():
    patch = "@@ -1,2 +1,2 @@\n b\n-c\n+d"
    assert derive(b"b\nc\n" + b"x\n" * 5 + b"\xe4\n", patch, Side.RIGHT, blob_id(b"b\nd\n" + b"x\n" * 5 + b"\xe4\n"))


def test_derive__bytes_that_json_cannot_carry_in_the_change():
    assert derive(b"", "@@ -0,0 +1 @@\n+\ufffd", Side.RIGHT, blob_id(b"\xe4\n")) is None
    assert derive(b"", "@@ -0,0 +1 @@\n+\ud800", Side.RIGHT, blob_id(b"x\n")) is None


def test_derive__another_file():
    assert derive(OLD, PATCH, Side.RIGHT, blob_id(NEW)) == NEW
    assert derive(OLD, PATCH, Side.RIGHT, blob_id(OLD)) is None
    assert derive(b"z\n" + OLD, PATCH, Side.RIGHT, blob_id(NEW)) is None
    assert derive(OLD, "no patch", Side.RIGHT, blob_id(NEW)) is None
    assert derive(OLD, "", Side.RIGHT, blob_id(OLD)) is None
