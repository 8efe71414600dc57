"""Hidden characters and lengths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devpulse.output.characters import clip, is_hidden, visible, well_formed

ANY_TEXT = st.text(st.characters(codec=None))


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\u202e", "\u200b", "\r", "\U000e0041", "\ufe0f"])
def test_is_hidden__what_shows_nothing_or_commands(character):
    assert is_hidden(character)


@pytest.mark.parametrize("character", ["a", " ", "\n", "\t", "é", "日", "🙂"])
def test_is_hidden__ordinary_characters(character):
    assert not is_hidden(character)


def test_visible__writes_out_a_carriage_return_but_not_a_line_end():
    assert visible("a\rb\r\nc\r") == "a\\x0db\nc"


@given(ANY_TEXT)
def test_visible__leaves_nothing_hidden_and_is_stable(text):
    shown = visible(text)
    assert not any(map(is_hidden, shown))
    assert visible(shown) == shown


@given(ANY_TEXT)
def test_well_formed__can_be_written_as_utf_8(text):
    assert well_formed(text).encode("utf-8").decode("utf-8") == well_formed(text)
    assert len(well_formed(text)) == len(text)


@pytest.mark.parametrize(("text", "limit", "cut"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("", 1, "")])
def test_clip__ends_a_cut_text_in_an_ellipsis(text, limit, cut):
    assert clip(text, limit) == cut
