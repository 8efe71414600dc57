"""Names of files as text."""

from __future__ import annotations

import os
from urllib.parse import unquote_to_bytes

import pytest
from builders import make_finding
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.change import Side
from devpulse.core.finding import FindingStatus
from devpulse.output.paths import display_path, finding_place, path_from_display, path_uri

NAMES = st.text(st.characters(codec=None), max_size=20) | st.binary(max_size=20).map(os.fsdecode)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("src/app.py", "src/app.py"),
        ("naïve/日本.py", "naïve/日本.py"),
        ("caf\udce9.py", r"caf\xe9.py"),
        ("a\\xe9.py", r"a\\xe9.py"),
        ("lone\ud800", r"lone\ud800"),
    ],
)
def test_display_path__known_names(path, shown):
    assert display_path(path) == shown


@given(NAMES)
def test_display_path__is_valid_text_and_turns_back(path):
    shown = display_path(path)
    shown.encode("utf-8")
    assert path_from_display(shown) == path


@given(NAMES, NAMES)
def test_display_path__differs_for_different_names(one, other):
    assert (display_path(one) == display_path(other)) == (one == other)


@given(st.binary(max_size=30))
def test_path_uri__holds_the_very_bytes(data):
    uri = path_uri(os.fsdecode(data))
    assert uri.isascii()
    assert unquote_to_bytes(uri) == data


def test_path_uri__encodes_what_a_uri_reference_would_misread():
    assert path_uri("a:b/c d?#%.py") == "a%3Ab/c%20d%3F%23%25.py"


def test_path_uri__lone_surrogate_that_is_no_byte_still_gives_a_uri():
    assert path_uri("x\ud800") == "x%5Cud800"


@pytest.mark.parametrize(
    ("overrides", "place"),
    [
        ({}, "app/db.py:4"),
        ({"end_line": 6}, "app/db.py:4-6"),
        ({"side": Side.LEFT}, "app/db.py:4 (removed)"),
        ({"status": FindingStatus.UNANCHORED}, "app/db.py"),
    ],
)
def test_finding_place__names_lines_only_where_they_are_known(overrides, place):
    assert finding_place(make_finding(**overrides)) == place
