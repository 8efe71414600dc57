"""The annotated diff, and parts that fit."""

from __future__ import annotations

import pytest
from builders import make_hunk, make_symbol
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.annotated import ShownChange, annotate, estimate_hunk, row, split_hunks
from devpulse.core.budget import estimate_tokens
from devpulse.core.change import DiffLine, Hunk, Side
from devpulse.core.shown import ShownText, show_line
from devpulse.pipeline.texts import text_of_hunks

SHARE = 1_000


def _shown(*hunks: Hunk, base: bool = True, head: bool = True) -> ShownChange:
    def side(which: Side) -> ShownText:
        return ShownText.of(text_of_hunks(hunks, which), lambda text: text)

    return ShownChange(side(Side.LEFT) if base else None, side(Side.RIGHT) if head else None)


def _no_symbol(_line: int) -> None:
    return None


def test_annotate__rows_show_both_numbers_sign_and_code():
    hunk = make_hunk(" import db\n-old()\n+new()\n+\n", old_start=9, new_start=12)
    assert annotate([hunk], _shown(hunk), _no_symbol).split("\n") == [
        "@@ module level @@",
        "    9    12   import db",
        "   10       - old()",
        "         13 + new()",
        "         14 +",
    ]


def test_annotate__heading_names_the_symbol_around_the_first_added_line():
    hunk = make_hunk(" a\n+b\n", new_start=7)
    asked: list[int] = []

    def symbol_at(line):
        asked.append(line)
        return make_symbol("Repo.find", kind="method")

    text = annotate([hunk], _shown(hunk), symbol_at)
    assert text.split("\n")[0] == "@@ in method Repo.find, lines 2-3: def Repo.find(name) @@"
    assert asked == [8]


def test_annotate__removed_lines_are_placed_by_head_numbers():
    # Old line 50 stands at head after line 20: the symbol there counts, not the one at line 50.
    hunk = make_hunk(" keep\n-guard()\n after\n", old_start=49, new_start=20)
    at_20 = make_symbol("inside")
    assert "inside" in annotate([hunk], _shown(hunk), {20: at_20}.get)
    # A removed decorator stands above its function: the line before is outside of everything.
    assert "inside" in annotate([hunk], _shown(hunk), {21: at_20}.get)
    assert "module level" in annotate([hunk], _shown(hunk), {50: at_20}.get)


def test_annotate__removed_lines_without_context():
    hunk = make_hunk("-guard()\n", old_start=50, new_start=21)
    assert (hunk.new_start, hunk.new_length) == (20, 0)
    asked: list[int] = []
    annotate([hunk], _shown(hunk), asked.append)
    assert asked == [20, 21]


def test_annotate__a_hunk_that_shows_the_signature_does_not_repeat_it():
    hunk = make_hunk(" def find(name):\n+    pass\n", new_start=7)
    symbol = make_symbol("find", start_line=7, end_line=8)
    assert annotate([hunk], _shown(hunk), lambda _line: symbol).startswith("@@ in function find, lines 7-8 @@\n")


def test_annotate__the_first_change_names_the_symbol_be_it_removed_or_added():
    hunk = make_hunk("-a\n b\n c\n d\n+e\n", old_start=10, new_start=10)
    around = {10: make_symbol("early"), 13: make_symbol("late")}
    assert "early" in annotate([hunk], _shown(hunk), around.get)


def test_annotate__a_function_that_goes_on_has_marks_instead_of_a_second_heading():
    hunks = [make_hunk("+a\n", old_start=4, new_start=4), make_hunk("+b\n", old_start=9, new_start=10)]
    symbol = make_symbol("find", start_line=3, end_line=20)
    rows = annotate(hunks, _shown(*hunks), lambda _line: symbol).split("\n")
    assert [row for row in rows if row.startswith("@@")] == [
        "@@ in function find, lines 3-20: def find(name) @@",
        "@@ lines 5-9 left out, read_lines shows them @@",
        "@@ lines 11-20 left out, read_lines shows them @@",
    ]


def test_annotate__a_function_that_goes_on_is_marked_before_the_next_heading():
    hunks = [make_hunk("+a\n", old_start=4, new_start=4), make_hunk("+b\n", old_start=30, new_start=31)]
    symbols = {4: make_symbol("one", start_line=4, end_line=6), 31: make_symbol("two", start_line=31, end_line=31)}
    rows = annotate(hunks, _shown(*hunks), symbols.get).split("\n")
    assert [row for row in rows if row.startswith("@@")] == [
        "@@ in function one, lines 4-6 @@",
        "@@ lines 5-6 left out, read_lines shows them @@",
        "@@ in function two, lines 31-31 @@",
    ]


def test_annotate__no_marks_where_nothing_or_only_a_class_goes_on():
    hunk = make_hunk("+a\n", new_start=20)
    one, other = make_symbol("find", start_line=3, end_line=20), make_symbol("Repo", kind="class", end_line=99)
    assert "left out" not in annotate([hunk], _shown(hunk), lambda _line: one)
    assert "left out" not in annotate([hunk], _shown(hunk), lambda _line: other)
    gone = make_hunk("-a\n")
    symbol = make_symbol("find", start_line=1, end_line=20)
    assert "left out" not in annotate([gone], _shown(gone, head=False), lambda _line: symbol)


def test_annotate__hunks_without_a_change_are_named_by_their_first_line():
    hunk = make_hunk(" a\n b\n", old_start=3, new_start=5)
    asked: list[int] = []
    annotate([hunk], _shown(hunk), asked.append)
    assert asked == [5]


def test_annotate__deleted_file_is_placed_by_base_numbers():
    hunk = make_hunk("-a\n-b\n", old_start=1, new_start=1)
    asked: list[int] = []
    text = annotate([hunk], _shown(hunk, head=False), asked.append)
    assert asked == [1]
    assert text.split("\n")[1:] == ["    1       - a", "    2       - b"]


def test_annotate__code_comes_from_the_shown_text_only():
    hunk = make_hunk(" a\n-secret\n+secret\n")
    shown = ShownChange(ShownText(("a", "******")), ShownText(("a", "[redacted]")))
    text = annotate([hunk], shown, _no_symbol)
    assert "secret" not in text
    assert "[redacted]" in text
    assert "secret" not in annotate([hunk], ShownChange(None, None), _no_symbol)


def test_shown_change__side():
    shown = _shown(make_hunk(), head=False)
    assert shown.side(Side.RIGHT) is None
    assert shown.side(Side.LEFT) is shown.base


@pytest.mark.parametrize("known", ["a\n  b  \n\nd\n", "a\n"])
def test_annotate__an_added_file_row_by_row(known):
    """Rows that are made without an object for each line are the same, also where the shown text ends too soon."""
    hunk = make_hunk("+a\n+  b  \n+\n+d\n")
    shown = ShownChange(None, ShownText.of(known, str))
    rows = [row(line, shown.line(line)) for line in hunk.lines]
    assert annotate([hunk], shown, _no_symbol) == "\n".join(["@@ module level @@", *rows])


def _parts(hunks, share):
    """The hunks of each part; what a part is said to take is what its hunks take."""
    parts = split_hunks(hunks, share)
    assert [tokens for _, tokens in parts] == [sum(map(estimate_hunk, part)) for part, _ in parts]
    return [part for part, _ in parts]


def test_split_hunks__small_hunks_share_a_part():
    hunks = tuple(make_hunk(f"+line {n}\n", new_start=n) for n in range(1, 6))
    assert split_hunks(hunks, SHARE) == [(hunks, sum(map(estimate_hunk, hunks)))]


def test_split_hunks__exactly_the_share_fits_one_more_does_not():
    one = make_hunk("+x\n")
    assert len(split_hunks((one, one), 2 * estimate_hunk(one))) == 1
    assert len(split_hunks((one, one), 2 * estimate_hunk(one) - 1)) == 2


def test_split_hunks__new_file_is_cut_between_lines():
    hunk = make_hunk("".join(f"+{'x' * 85}{n:5}\n" for n in range(400)))
    parts = _parts((hunk,), SHARE)
    assert (hunk.old_start, hunk.old_length) == (0, 0)
    starts = [(piece.old_start, piece.old_length, piece.new_start) for (piece,) in parts]
    assert starts[0] == (0, 0, 1)
    assert all((old, length) == (0, 0) for old, length, _ in starts)
    assert starts[1][2] == parts[0][0].new_length + 1


def test_split_hunks__hidden_characters_count_as_they_are_shown():
    hunk = make_hunk("".join(f"+{chr(0x200B) * 50}{n}\n" for n in range(40)))
    parts = _parts((hunk,), SHARE)
    assert len(parts) > 1
    for part in parts:
        assert estimate_tokens(annotate(part, _shown(hunk), _no_symbol)) <= SHARE


LINES = st.tuples(st.sampled_from(" +-"), st.sampled_from(["", "x", "y" * 90, "z" * 5_000, "\u200b" * 300]))
DRAWINGS = st.lists(LINES, min_size=1, max_size=30)


@st.composite
def _hunks(draw):
    hunks, old, new = [], 1, 1
    for rows in draw(st.lists(DRAWINGS, max_size=4)):
        old, new = old + draw(st.integers(0, 9)), new + draw(st.integers(0, 9))
        hunk = make_hunk("".join(f"{sign}{text}\n" for sign, text in rows), old_start=old, new_start=new)
        hunks.append(hunk)
        old, new = old + hunk.old_length, new + hunk.new_length
    return tuple(hunks)


@settings(deadline=None, max_examples=40)
@given(_hunks(), st.integers(600, 4_000))
def test_split_hunks__no_line_lost_doubled_or_moved_and_every_part_fits(hunks, share):
    parts = _parts(hunks, share)
    pieces = [piece for part in parts for piece in part]
    assert [line for piece in pieces for line in piece.lines] == [line for hunk in hunks for line in hunk.lines]
    for part in parts:
        assert part or not hunks
        assert sum(map(estimate_hunk, part)) <= share
        assert estimate_tokens(annotate(part, _shown(*hunks), _no_symbol)) <= share
    for piece in pieces:
        _check_numbers(piece)


def _check_numbers(piece: Hunk) -> None:
    old = [line.old for line in piece.lines if line.old is not None]
    new = [line.new for line in piece.lines if line.new is not None]
    assert (piece.old_length, piece.new_length) == (len(old), len(new))
    assert not old or old[0] == piece.old_start
    assert not new or new[0] == piece.new_start
    assert min(piece.old_start, piece.new_start) >= 0


@given(st.lists(st.text(st.sampled_from("ab <>/dt\r\u200b\x07e"), max_size=12), min_size=1, max_size=8))
def test_estimate_hunk__a_whole_hunk_at_a_glance_is_the_sum_of_its_lines(texts):
    hunk = Hunk(0, 0, 1, len(texts), tuple(DiffLine(None, number, text) for number, text in enumerate(texts, 1)))
    rows = sum(len(show_line(text)) + 15 for text in texts)
    assert estimate_hunk(hunk) == -(-rows // 4) + estimate_hunk(Hunk(0, 0, 1, 0, ()))
