"""Fences around untrusted text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.fence import Fence, neutralise

FENCE = Fence("0123456789abcdef")
FORGED = st.sampled_from(
    [
        "<<data ",
        "<<end ",
        "<<",
        "<",
        ">>",
        "\n",
        " ",
        "\t",
        "/",
        "0123456789abcdef",
        "fedcba",
        'kind="diff"',
        "DATA",
        "End",
    ]
)
HOSTILE = st.lists(FORGED | st.text(max_size=5), max_size=12).map("".join)


@settings(deadline=None)
@given(HOSTILE)
def test_blocks__give_back_the_neutralised_text(text):
    assert FENCE.blocks("diff", FENCE.wrap("diff", text)) == [neutralise(text)]


@settings(deadline=None)
@given(HOSTILE, HOSTILE)
def test_wrap__text_can_never_close_or_open_a_fence(text, attribute):
    wrapped = FENCE.wrap("diff", text, tool=attribute)
    assert wrapped.count("<<data") == wrapped.count("<<end") == 1
    assert wrapped.startswith("<<data")
    assert wrapped.endswith("\n<<end 0123456789abcdef>>")
    assert FENCE.blocks("diff", wrapped) == [neutralise(text)]


@settings(deadline=None)
@given(HOSTILE)
def test_neutralise__keeps_length_and_lines_and_a_second_call_changes_nothing(text):
    once = neutralise(text)
    assert (len(once), once.count("\n")) == (len(text), text.count("\n"))
    assert neutralise(once) == once


@pytest.mark.parametrize("text", ["a << b", "cout << endl", "x <<= 2", "<<dataset>>", "<<ending", "<data"])
def test_neutralise__ordinary_code_stays(text):
    assert neutralise(text) == text


@pytest.mark.parametrize(
    ("text", "altered"),
    [
        ("<<data", "‹‹data"),
        ("<<END x>>", "‹‹END x>>"),
        ("<< data", "‹‹ data"),
        ("<</data>>", "‹‹/data>>"),
        ("<<<end>>", "<‹‹end>>"),
        ("<<\n end 1", "‹‹\n end 1"),
    ],
)
def test_neutralise__look_alikes_are_altered(text, altered):
    assert neutralise(text) == altered


def test_blocks__only_of_the_kind_and_key():
    text = FENCE.wrap("file", "one") + "\n" + FENCE.wrap("diff", "two") + "\n" + Fence("ff").wrap("file", "three")
    assert FENCE.blocks("file", text) == ["one"]
    assert FENCE.blocks("leads", text) == []
