import difflib

from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.change import Side
from devpulse.core.diff_apply import apply_hunks, matches, shown
from devpulse.core.diff_hunks import parse_hunks
from devpulse.core.text import split_lines

PIECES = [
    "a",
    "b",
    "\r",
    "\f",
    "\0",
    "\u2028",
    "\x85",
    "\v",
    "\x1c",
    "-- a/x",
    "++ b",
    "@@ -1 +1 @@",
    " ",
    "\\",
    "ä",
    "",
]
LINE = st.lists(st.sampled_from(PIECES), max_size=3).map("".join)
TEXT = st.tuples(st.lists(LINE, max_size=12), st.booleans()).map(lambda drawn: "\n".join(drawn[0]) + "\n" * drawn[1])


def unified(old, new, context):
    rows = difflib.unified_diff([f"{line}\n" for line in old], [f"{line}\n" for line in new], n=context)
    return "".join(list(rows)[2:])


@given(TEXT, TEXT, st.integers(0, 3))
def test_parse_hunks__numbers_are_those_of_both_texts(old, new, context):
    before, after = split_lines(old), split_lines(new)
    hunks = parse_hunks(unified(before, after, context))
    assert all(before[number - 1] == text for number, text in shown(hunks, Side.LEFT))
    assert all(after[number - 1] == text for number, text in shown(hunks, Side.RIGHT))
    assert matches(before, hunks, Side.LEFT)
    assert matches(after, hunks, Side.RIGHT)
    assert apply_hunks(before, hunks, Side.RIGHT) == after
    assert apply_hunks(after, hunks, Side.LEFT) == before
