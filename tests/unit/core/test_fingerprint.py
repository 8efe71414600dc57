"""The identity of a finding."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.fingerprint import fingerprint

BASE = ("sql-injection", "app/db.py", "find", "return db.run(x)", 1)


def test_fingerprint__is_32_hex_digits_and_the_same_every_time():
    assert fingerprint(*BASE) == fingerprint(*BASE)
    assert re.fullmatch("[0-9a-f]{32}", fingerprint(*BASE))


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab(", min_size=1, max_size=4), min_size=1, max_size=4), st.data())
def test_fingerprint__white_space_does_not_count(words, data):
    blank = st.sampled_from([" ", "  ", "\t", " \t "])
    end = st.sampled_from(["", " ", "\t", "\r", "\n", "\n\n"])
    spaced = "".join(word + data.draw(blank) for word in words)
    assert fingerprint(*BASE[:3], data.draw(end) + spaced + data.draw(end), 1) == fingerprint(
        *BASE[:3], " ".join(words), 1
    )


@pytest.mark.parametrize(
    "other",
    [
        ("other", *BASE[1:]),
        (BASE[0], "app/other.py", *BASE[2:]),
        (*BASE[:2], None, *BASE[3:]),
        (*BASE[:3], "return db.run(y)", 1),
        (*BASE[:4], 2),
    ],
)
def test_fingerprint__every_part_counts(other):
    assert fingerprint(*other) != fingerprint(*BASE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("other", "a\x1fb", "c", "x", 1), ("other", "a", "b", "c\nx", 1)),
        (("other", 'a", "b', "c", "x", 1), ("other", "a", "b", "c\nx", 1)),
        (("other", "a", None, "x\n1", 1), ("other", "a", None, "x", 11)),
    ],
)
def test_fingerprint__a_part_cannot_pose_as_two(one, other):
    assert fingerprint(*one) != fingerprint(*other)


def test_fingerprint__names_that_are_not_utf8_are_told_apart():
    assert fingerprint("other", "caf\udce9", None, "x", 1) != fingerprint("other", "caf\udce8", None, "x", 1)
