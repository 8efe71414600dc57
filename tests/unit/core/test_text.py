"""Bytes to lines, as git counts them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.text import bytes_at, decode, normalise_space, split_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb", ["a\r", "b"]),
        ("a\x0cb\x0b\x85c\u2028d", ["a\x0cb\x0b\x85c\u2028d"]),
    ],
)
def test_split_lines__only_line_feeds_split(text, lines):
    assert split_lines(text) == lines


@settings(deadline=None)
@given(st.text(alphabet="a\n\r\x0c\u2028\x1c"))
def test_split_lines__as_many_as_git_counts(text):
    # Git counts line feeds, and one more line when something follows the last one.
    assert len(split_lines(text)) == text.count("\n") + (text != "" and not text.endswith("\n"))
    assert "\n".join(split_lines(text)) == text.removesuffix("\n")


@settings(deadline=None)
@given(st.lists(st.binary(max_size=8).map(lambda part: part.replace(b"\n", b""))))
def test_decode__a_line_alone_decodes_as_within_its_file(parts):
    whole = b"".join(part + b"\n" for part in parts)
    assert split_lines(decode(whole)) == [decode(part) for part in parts]


def test_decode__undecodable_bytes_are_replaced():
    assert decode(b"caf\xe9 \xff") == "caf\ufffd \ufffd"


@pytest.mark.parametrize(("line", "folded"), [("", ""), (" \t", ""), ("\ta  b\r", "a b"), ("a\u00a0b", "a b")])
def test_normalise_space__folds_every_run(line, folded):
    assert normalise_space(line) == folded


@given(st.text(), st.data())
@settings(max_examples=40, deadline=None)
def test_bytes_at__is_the_place_in_the_encoded_text(text: str, data: st.DataObject):
    places = data.draw(st.lists(st.integers(0, len(text))))
    encoded = [len(text[:place].encode("utf-8", errors="replace")) for place in sorted(places)]
    assert bytes_at(text, places) == encoded
