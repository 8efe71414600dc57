"""Hunks whose lines are one text until somebody looks at them."""

import gc
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unidiff.patch import PatchSet

from devpulse.core.change import DiffLine, Hunk
from devpulse.core.diff_hunks import parse_hunks
from devpulse.core.packed_lines import PackedLines, characters_of, signed, text_of

HEADER = "@@ -3,2 +5,2 @@"
BODY = [" same", "-- old", "++ new\r"]
LINES = (DiffLine(3, 5, "same"), DiffLine(4, None, "- old"), DiffLine(None, 6, "+ new\r"))


def test_packed_lines__are_the_tuple_of_lines():
    packed = PackedLines(HEADER, BODY)
    assert packed == LINES
    assert hash(packed) == hash(LINES)
    assert (len(packed), packed[1], packed[-1], packed[:2], list(packed)) == (3, *LINES[1:], LINES[:2], list(LINES))
    assert Hunk(3, 2, 5, 2, packed) == Hunk(3, 2, 5, 2, LINES)


def test_packed_lines__differ_where_their_lines_do():
    packed = PackedLines(HEADER, BODY)
    assert packed != PackedLines("@@ -3,2 +6,2 @@", BODY)
    assert packed != PackedLines(HEADER, [*BODY[:2], "++ other"])
    assert packed != LINES[:2]
    assert packed != list(LINES)


def test_packed_lines__go_to_another_process():
    assert pickle.loads(pickle.dumps(PackedLines(HEADER, BODY))) == LINES


@pytest.mark.parametrize("lines", [PackedLines(HEADER, BODY), LINES])
def test_text_of__characters_of(lines):
    assert text_of(lines) == "same\n- old\n+ new\r"
    assert characters_of(lines) == 4 + 5 + 6


@pytest.mark.parametrize("lines", [PackedLines(HEADER, BODY), LINES])
def test_signed__as_a_diff_has_them(lines):
    assert signed(lines) == "\n".join(BODY)


def test_characters_of__no_lines():
    assert characters_of(()) == 0
    assert characters_of(PackedLines("@@ -0,0 +1 @@", ["+"])) == 0


@given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=5), min_size=1))
def test_packed_lines__any_text(texts):
    packed = PackedLines(f"@@ -0,0 +1,{len(texts)} @@", [f"+{text}" for text in texts])
    assert [line.text for line in packed] == texts
    assert text_of(packed) == "\n".join(texts)


def test_parse_hunks__lines_of_most_hunks_are_not_held():
    def living():
        gc.collect()
        return sum(isinstance(each, DiffLine) for each in gc.get_objects())

    before = living()
    patch = "".join(f"@@ -{n * 50 + 1},0 +{n * 50 + 1},20 @@\n" + f"+line {n}\n" * 20 for n in range(1_000))
    hunks = parse_hunks(patch)
    assert living() <= before
    assert sum(len(list(hunk.lines)) for hunk in hunks) == 20_000
    assert living() - before < 10_000


@pytest.mark.parametrize("header", ["@@ -0,0 +1,{} @@", "@@ -0,0 +1,{} @@ class A:"])
@given(
    texts=st.lists(
        st.sampled_from(["", "a", " b", "+c", "-d", "\\ e", "@@ f", "g\r", "--- h", "\u2028", "\x0c"]), min_size=1
    )
)
def test_packed_lines__a_new_file_needs_no_reader(header, texts):
    header = header.format(len(texts))
    (read,) = PatchSet(iter(["--- a\n", "+++ b\n", f"{header}\n", *(f"+{text}\n" for text in texts)]))[0]
    expected = tuple(DiffLine(line.source_line_no, line.target_line_no, line.value[:-1]) for line in read)
    assert tuple(PackedLines(header, [f"+{text}" for text in texts])) == expected


def test_packed_lines__a_new_file_of_one_line():
    assert PackedLines("@@ -0,0 +1 @@", ["+a"]) == (DiffLine(None, 1, "a"),)


@pytest.mark.parametrize(("header", "body"), [(HEADER, BODY), ("@@ -0,0 +1,2 @@", ["+a", "+b"])])
def test_packed_lines__iteration_and_places_agree(header, body):
    packed = PackedLines(header, body)
    assert list(packed) == [packed[number] for number in range(len(packed))]
    assert list(reversed(packed)) == list(packed)[::-1]
    assert packed[0] in packed
