import pytest

from devpulse.core.ignore_comments import IgnoreComment, find_ignore

LINE = "    db.execute(query)"


@pytest.mark.parametrize(
    ("above", "line", "found"),
    [
        ("    # devpulse: ignore[csrf] internal only", LINE, IgnoreComment(-1, "internal only")),
        ("// devpulse: ignore[csrf] internal", LINE, IgnoreComment(-1, "internal")),
        ("/* devpulse: ignore[csrf] internal */", LINE, IgnoreComment(-1, "internal")),
        ("<!-- devpulse:ignore[csrf] internal -->", LINE, IgnoreComment(-1, "internal")),
        ("-- devpulse: ignore[other, csrf] internal", LINE, IgnoreComment(-1, "internal")),
        ("", LINE + "  # devpulse: ignore[csrf] internal", IgnoreComment(0, "internal")),
        ("# devpulse: ignore[csrf]", LINE, None),
        ("/* devpulse: ignore[csrf] */", LINE, None),
        ("# devpulse: ignore[ssrf] internal", LINE, None),
        ("# devpulse: ignore[*] internal", LINE, None),
        ("# devpulse: ignore internal", LINE, None),
        ("other()  # devpulse: ignore[csrf] about the line above", LINE, None),
        ("'devpulse: ignore[csrf] a text'", LINE, None),
        ("", LINE, None),
    ],
)
def test_find_ignore__on_the_line_or_alone_above(above, line, found):
    assert find_ignore([above, line], 2, 2, "csrf") == found


def test_find_ignore__no_further_than_the_line_above():
    assert find_ignore(["# devpulse: ignore[csrf] x", "", LINE], 3, 3, "csrf") is None
    assert find_ignore([LINE, "# devpulse: ignore[csrf] x"], 1, 1, "csrf") is None
    assert find_ignore([LINE, "  x)  # devpulse: ignore[csrf] x"], 1, 2, "csrf") == IgnoreComment(1, "x")
    assert find_ignore([LINE], 1, 5, "csrf") is None
