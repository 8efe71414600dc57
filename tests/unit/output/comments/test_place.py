"""The lines a finding is told on."""

import pytest
from builders import make_change, make_finding, make_hunk

from devpulse.core.change import Side
from devpulse.output.comments.place import Place, place_of

# Head lines 10-12, of which 11 is new, and 20-22, of which 21 is new; base lines 10-11 and 19-20.
CHANGE = make_change(
    hunks=[make_hunk(" a\n+b\n c\n", old_start=10, new_start=10), make_hunk(" d\n+e\n f\n", old_start=19, new_start=20)]
)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (11, 11, (11, 11)),
        (10, 12, (10, 12)),
        (8, 12, (10, 12)),
        (11, 15, (11, 12)),
        (12, 21, (20, 21)),
        (11, 22, (20, 22)),
        (1, 40, (10, 12)),
        (14, 16, (14, 16)),
    ],
)
def test_place_of__the_part_that_one_hunk_shows(start, end, expected):
    finding = make_finding(start_line=start, end_line=end, path="[redacted].py")
    assert place_of(finding, CHANGE) == Place("app/db.py", *expected)


def test_place_of__old_lines():
    change = make_change(hunks=[make_hunk(" a\n-b\n c\n", old_start=5, new_start=5)])
    finding = make_finding(start_line=3, end_line=6, side=Side.LEFT)
    assert place_of(finding, change) == Place("app/db.py", 5, 6)
