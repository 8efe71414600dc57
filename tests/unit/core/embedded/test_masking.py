from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.embedded.masking import OUTPUT, Canvas, blank, called, stand_in


def test_canvas__keeps_code_where_it_stands():
    canvas = Canvas("<p>\u00e4\n<b>x = 1</b>")
    canvas.keep(8, "x = 1")
    canvas.keep(13, ";")
    assert canvas.masked() == "    \n   x = 1;   "


def test_canvas__what_is_in_the_place_of_something_kept_is_left_out():
    canvas = Canvas("abcdefgh")
    canvas.keep(2, "CDE")
    canvas.keep(1, "xyzuv")
    canvas.keep(3, "no")
    assert canvas.masked() == "  CDEv  "


def test_canvas__without_code_is_white_space():
    assert Canvas("a\r\nb\tc").masked() == " \r\n   "


@given(st.text(), st.integers(0, 40), st.integers(0, 40))
def test_canvas__never_moves_anything(text, start, length):
    canvas = Canvas(text)
    code = text[start : start + length]
    if code:
        canvas.keep(start, code)
    masked = canvas.masked()
    assert len(masked) == len(text)
    assert [place for place, sign in enumerate(masked) if sign == "\n"] == [
        place for place, sign in enumerate(text) if sign == "\n"
    ]


def test_blank__keeps_line_ends():
    assert blank("ab\u00e4\r\n\tc\n") == "   \r\n  \n"


def test_stand_in__is_a_name_on_the_first_line():
    assert stand_in("{{ a }}") == "_______"
    assert stand_in("<%= a\n + b %>") == "_____\n       "


def test_called__is_as_long_as_what_it_takes_the_place_of():
    assert called("<%=") == f"{OUTPUT}("
    assert called(" v-html=") == f"     {OUTPUT}("
