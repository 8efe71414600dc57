from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.hidden import FILLERS, make_visible, without_hidden


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a\\u{202E}b"),
        ("\x00\x1b[0m", "\\x00\\x1b[0m"),
        ("x\u200by", "x\\u{200B}y"),
        ("\ufeffimport", "\\u{FEFF}import"),
        ("hi\U000e0041", "hi\\u{E0041}"),
        ("o\ufe0f", "o\\u{FE0F}"),
        ("a\x85b", "a\\x85b"),
        ("l\u2028m", "l\\u{2028}m"),
        ("b\u2800c\u3164", "b\\u{2800}c\\u{3164}"),
        ("n\U0001d159\U0001bca0", "n\\u{1D159}\\u{1BCA0}"),
        ("name\udcff", "name\\u{DCFF}"),
    ],
)
def test_make_visible__hidden_character(text: str, shown: str):
    assert make_visible(text) == shown


@pytest.mark.parametrize(
    "text", ["", "tab\tand\r\nlines\n", "café naïve 日本語 שלום", "👍🏽 α → β", "\\u{202E} as text"]
)
def test_make_visible__leaves_ordinary_text(text: str):
    assert make_visible(text) == text


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_make_visible__keeps_lines_and_is_stable(text: str):
    shown = make_visible(text)
    assert shown.count("\n") == text.count("\n")
    assert make_visible(shown) == shown


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_without_hidden__nothing_is_left_to_make_visible(text: str):
    left = without_hidden(text)
    assert make_visible(left) == left
    assert left.count("\n") == text.count("\n")


def test_make_visible__every_filler():
    assert all(make_visible(filler) != filler for filler in FILLERS)
