"""Letters that look like Latin ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.lookalikes import bare, is_latin, looks_latin, skeleton


@pytest.mark.parametrize(
    ("text", "reads_as"),
    [
        ("\u0430dm\u0456n", "admin"),
        ("\u0421\u0420\u0415", "CPE"),
        ("h\u03bfst", "host"),
        ("ｅｖａｌ", "eval"),
        ("\U0001d4ee\U0001d4fd", "et"),
        ("t\u1d0fken", "token"),
        ("\u13aaPI", "API"),
        ("plain", "plain"),
        ("größe", "größe"),
    ],
)
def test_skeleton__what_a_text_reads_as(text: str, reads_as: str):
    assert skeleton(text) == reads_as


def test_bare__has_no_accents():
    assert bare("ìgnörē \u0440rëvious") == "ignore previous"


def test_looks_latin__small_greek_letters_only_loosely():
    assert looks_latin("\u0430")
    assert not looks_latin("\u03bd")
    assert looks_latin("\u03bd", loosely=True)
    assert not any(map(looks_latin, "aé\u0131дλ日1_"))


def test_is_latin__letters_of_the_script():
    assert all(map(is_latin, "aZéßｅ"))
    assert not any(map(is_latin, "\u0430\u03bf1_日"))


@given(st.text())
def test_bare__keeps_lines(text: str):
    assert skeleton(text).count("\n") == bare(text).count("\n") == text.count("\n")
