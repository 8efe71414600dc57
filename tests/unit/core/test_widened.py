"""Hunks widened to the functions around their changes."""

from __future__ import annotations

import difflib

from builders import make_hunk, make_symbol
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.annotated import ShownChange, annotate, estimate_hunk, split_hunks
from devpulse.core.budget import estimate_tokens
from devpulse.core.change import Hunk, Side
from devpulse.core.diff_hunks import parse_hunks
from devpulse.core.shown import ShownText
from devpulse.core.syntax import innermost, symbols_of
from devpulse.core.widened import NEAREST_LINES, OUTER_LINES, function_around, widen

SHARE = 10_000


class Edit:
    """Two texts, what changed between them, and what a child would be shown of it."""

    def __init__(self, base: str, head: str, context: int = 0) -> None:
        self.base, self.head = base, head
        rows = list(difflib.unified_diff(base.splitlines(), head.splitlines(), lineterm="", n=context))[2:]
        self.hunks = parse_hunks("".join(f"{row}\n" for row in rows))
        self.shown = ShownChange(*(ShownText.of(text, lambda text: text) for text in (base, head)))

    def outline(self, side: Side):
        return symbols_of("", "python", self.base if side is Side.LEFT else self.head)

    def widened(self, share: int = SHARE, hunks: tuple[Hunk, ...] | None = None) -> tuple[Hunk, ...]:
        return widen(self.hunks if hunks is None else hunks, self.hunks, self.shown, self.outline, share)

    def text(self, hunks: tuple[Hunk, ...]) -> str:
        return annotate(hunks, self.shown, lambda line: innermost(self.outline(Side.RIGHT), line))


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def long_function(name: str, lines: int) -> str:
    return f"@route('/{name}')\n@guarded\ndef {name}(request):\n" + "".join(
        f"    {name}_{n} = {n}\n" for n in range(lines)
    )


MODULE = """\
import os


class Files:
    root = "/srv"

    @guarded
    def read(self, name):
        path = self.path(name)
        check(path)
        return open(path).read()

    def path(self, name):
        return os.path.join(self.root, name)


TABLE = {
    "a": 1,
    "b": 2,
}
"""


def new_numbers(hunks: tuple[Hunk, ...]) -> list[int]:
    return [line.new for hunk in hunks for line in hunk.lines if line.new is not None]


def test_widen__the_whole_function_with_the_numbers_of_both_sides():
    edit = Edit(MODULE, replaced(MODULE, ("import os\n", "import os\nimport re\n"), ("        check(path)\n", "")))
    top, function = edit.widened()
    assert [line.text for line in top.lines] == ["import re"]
    assert edit.text((function,)).split("\n") == [
        "@@ in method Files.read, lines 8-11 @@",
        "    7     8       @guarded",
        "    8     9       def read(self, name):",
        "    9    10           path = self.path(name)",
        "   10       -         check(path)",
        "   11    11           return open(path).read()",
    ]


def test_widen__a_removed_decorator_or_last_line_belongs_to_its_function():
    for gone in ("    @guarded\n", "        return open(path).read()\n"):
        (hunk,) = Edit(MODULE, replaced(MODULE, (gone, ""))).widened()
        assert hunk.old_start == 7
        assert hunk.old_length == 5


def test_widen__a_removed_inner_function_shows_the_one_around_it():
    inner = "    def check():\n        return 1\n"
    rest = "".join(f"    value_{n} = {n}\n" for n in range(OUTER_LINES))
    base = f"def outer():\n    a = 1\n{inner}{rest}"
    (hunk,) = Edit(base, replaced(base, (inner, ""))).widened()
    assert (hunk.new_start, hunk.new_length) == (1, 2 + OUTER_LINES)


def test_widen__hunks_of_one_function_become_one():
    head = replaced(MODULE, ("path = self.path(name)", "path = name"), ("open(path)", "open(path, 'rb')"))
    edit = Edit(MODULE, head)
    assert len(edit.hunks) == 2
    (hunk,) = edit.widened()
    assert (hunk.new_start, hunk.new_length) == (7, 5)


def test_widen__a_short_line_between_is_shown_rather_than_a_second_heading():
    head = replaced(MODULE, ("check(path)", "pass"), ("self.root, name", "name"))
    (hunk,) = Edit(MODULE, head).widened()
    assert new_numbers((hunk,)) == list(range(7, 15))


def test_widen__in_a_class_or_module_only_the_value_that_changed():
    edit = Edit(MODULE, replaced(MODULE, ('"/srv"', '"/"')))
    assert edit.widened() == edit.hunks
    (hunk,) = Edit(MODULE, replaced(MODULE, ('"b": 2', '"b": 3'))).widened()
    assert new_numbers((hunk,)) == [17, 18, 19, 20]


def test_widen__code_is_taken_from_the_shown_text():
    edit = Edit(MODULE, replaced(MODULE, ("        check(path)\n", "")))
    edit.shown = ShownChange(edit.shown.base, ShownText(tuple("****" for _ in edit.head.splitlines())))
    assert "open" not in edit.text(edit.widened())
    assert "****" in edit.text(edit.widened())


def test_widen__short_functions_first_when_there_is_not_room_for_all():
    base = long_function("long", 200) + "\n\n\n" + long_function("short", 20)
    edit = Edit(base, replaced(base, ("long_100 = 100", "long_100 = 1"), ("short_10 = 10", "short_10 = 1")))
    (whole,) = Edit(base, replaced(base, ("long_100 = 100", "long_100 = 1"))).widened()
    pieces = edit.widened(sum(map(estimate_hunk, [whole, *edit.hunks])))
    assert {line.text for piece in pieces for line in piece.lines} >= set(long_function("short", 20).splitlines()) - {
        "    short_10 = 10"
    }
    assert not {line.text for piece in pieces for line in piece.lines} >= set(long_function("long", 9).splitlines())


def test_widen__of_a_function_that_does_not_fit_signature_and_nearest_lines_with_marks():
    base = long_function("big", 2_000)
    edit = Edit(base, replaced(base, ("big_1000 = 1000", "big_1000 = 1")))
    signature, around = edit.widened(4_000)
    assert new_numbers((signature,)) == [1, 2, 3]
    changed = 1 + 1_003
    assert new_numbers((around,)) == list(range(changed - NEAREST_LINES // 2, changed + NEAREST_LINES // 2 + 1))
    rows = edit.text((signature, around)).split("\n")
    assert rows[0] == "@@ in route big, lines 1-2003 @@"
    assert rows[4] == f"@@ lines 4-{changed - NEAREST_LINES // 2 - 1} left out, read_lines shows them @@"
    assert rows[-1] == f"@@ lines {changed + NEAREST_LINES // 2 + 1}-2003 left out, read_lines shows them @@"


def test_widen__nothing_where_there_is_no_room_or_only_one_side():
    edit = Edit(MODULE, replaced(MODULE, ("        check(path)\n", "")))
    assert edit.widened(sum(map(estimate_hunk, edit.hunks))) == edit.hunks
    assert edit.widened(0) == edit.hunks
    for sides in ((None, edit.shown.head), (edit.shown.base, None)):
        edit.shown = ShownChange(*sides)
        assert edit.widened() == edit.hunks
    assert widen((), (), edit.shown, edit.outline, SHARE) == ()


def test_widen__nothing_where_the_sides_do_not_fit_together():
    edit = Edit(MODULE, replaced(MODULE, ("        check(path)\n", "")))
    wrong = make_hunk("-        check(path)\n", old_start=10, new_start=20)
    assert edit.widened(hunks=(wrong,)) == (wrong,)


def test_widen__lines_of_another_part_stay_there():
    base = long_function("f", 30)
    edit = Edit(base, replaced(base, ("f_5 = 5\n", "f_5 = 50\n"), ("f_20 = 20", "f_20 = 200")))
    first, second = edit.hunks
    (early,) = edit.widened(hunks=(first,))
    (late,) = edit.widened(hunks=(second,))
    assert (early.new_start, early.new_length) == (1, 23)
    assert (late.new_start, late.new_length) == (10, 24)
    assert "@@ lines 24-33 left out, read_lines shows them @@" in edit.text((early,))


def test_widen__a_piece_of_a_hunk_ends_where_the_next_part_begins():
    base = long_function("f", 40)
    edit = Edit(base, base.replace(" = ", " = 1 + "))
    (hunk,) = edit.hunks
    parts = [part for part, _ in split_hunks(edit.hunks, estimate_hunk(hunk) - 200)]
    assert len(parts) == 2
    shown = [line for part in parts for piece in edit.widened(hunks=part) for line in piece.lines]
    changed = [line for line in shown if line.added or line.removed]
    assert changed == [line for line in hunk.lines if line.added or line.removed]


def test_function_around__a_callback_with_its_function_unless_that_is_long():
    outer = make_symbol("outer", kind="function", start_line=1, end_line=OUTER_LINES)
    inner = make_symbol("inner", kind="function", start_line=5, end_line=7)
    local = make_symbol("local", kind="variable", start_line=6, end_line=6)
    holder = make_symbol("Holder", kind="class", start_line=1, end_line=900)
    assert function_around([holder, outer, inner, local], 6, 6) == outer
    longer = make_symbol("outer", kind="function", start_line=1, end_line=OUTER_LINES + 1)
    assert function_around([holder, longer, inner, local], 6, 6) == inner
    assert function_around([holder, longer, inner], 7, 8) == longer
    assert function_around([holder, local], 6, 6) == local
    assert function_around([holder], 6, 6) is None


@st.composite
def _edits(draw):
    """A module of functions and classes, and the same with some lines removed, replaced or put in."""
    lines: list[str] = []
    for number in range(draw(st.integers(1, 5))):
        indent = draw(st.sampled_from(["", "    "]))
        lines += [f"class C{number}:"] * bool(indent) + [f"{indent}def f{number}():"]
        lines += [
            f"{indent}    x{number}_{n} = {'y' * draw(st.sampled_from([1, 90]))}"
            for n in range(draw(st.integers(1, 40)))
        ]
        lines += [""] * draw(st.integers(0, 2))
    head: list[str] = []
    for line in lines:
        fate = draw(st.integers(0, 19))
        head += {0: [], 1: [f"{line}  # new"], 2: [line, f"{line} + 1"]}.get(fate, [line])
    return Edit("".join(f"{line}\n" for line in lines), "".join(f"{line}\n" for line in head), draw(st.integers(0, 3)))


@settings(deadline=None, max_examples=40)
@given(_edits(), st.integers(0, 3_000), st.integers(500, 4_000))
def test_widen__every_line_once_under_its_true_numbers_and_within_the_share(edit, room, part_share):
    base, head = edit.base.split("\n"), edit.head.split("\n")
    changed = []
    for part, _ in split_hunks(edit.hunks, part_share):
        share = sum(map(estimate_hunk, part)) + room
        pieces = edit.widened(share, part)
        lines = [line for piece in pieces for line in piece.lines]
        for side in ("old", "new"):
            numbers = [number for line in lines if (number := getattr(line, side)) is not None]
            assert numbers == sorted(set(numbers))
        for line in lines:
            assert line.old is None or base[line.old - 1] == line.text
            assert line.new is None or head[line.new - 1] == line.text
        wanted = [line for hunk in part for line in hunk.lines]
        assert [line for line in lines if line in set(wanted)] == wanted
        assert all(not line.added and not line.removed for line in lines if line not in set(wanted))
        for piece in pieces:
            _check_numbers(piece)
        assert not part or estimate_tokens(edit.text(pieces)) <= share
        changed += [line for line in lines if line.added or line.removed]
    assert changed == [line for hunk in edit.hunks for line in hunk.lines if line.added or line.removed]


def _check_numbers(piece: Hunk) -> None:
    old = [line.old for line in piece.lines if line.old is not None]
    new = [line.new for line in piece.lines if line.new is not None]
    assert (piece.old_length, piece.new_length) == (len(old), len(new))
    assert not old or old[0] == piece.old_start
    assert not new or new[0] == piece.new_start
