"""What came of a look-up, in a line."""

from __future__ import annotations

import pytest

from devpulse.core.answer_line import MAX_CHARACTERS, answer_line, cut
from devpulse.core.fence import Fence

FENCE = Fence("beef01")


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("    7 import db\n    8 x = 1\n    9 y = 2", "lines 7-9"),
        ("    7 import db", "lines 7-7"),
        (
            "function safe in lib/safe.py\n    1 def safe(x):\n    2     return x",
            "function safe in lib/safe.py, lines 1-2",
        ),
        ("function safe lib/safe.py:1-4 def safe(x) | Cleans.", "function safe lib/safe.py:1-4"),
        (
            "No exact match for 'saf'; closest:\nfunction safe lib/safe.py:1-4 def safe(x)\nclass Safe b.py:9-20 X",
            "function safe lib/safe.py:1-4; class Safe b.py:9-20",
        ),
        ("app/a.py:3 in find: q = name\napp/b.py:12: name = 1", "app/a.py:3; app/b.py:12"),
        ("No definition is called 'x'. Use search_codebase with a part of the name.",) * 2,
        ("@@ -1,2 +1,2 @@ find\n    1     1   import db\n          2 + x", "@@ -1,2 +1,2 @@ find, lines 1-2"),
        ("one\ntwo", "one … (2 lines)"),
    ],
)
def test_answer_line__of_each_kind_of_answer(answer, line):
    assert answer_line(FENCE.wrap("answer", answer, tool="t")) == line


def test_answer_line__many_places_are_counted():
    rows = "\n".join(f"app/a.py:{number} in find: x" for number in range(1, 14))
    line = answer_line(FENCE.wrap("answer", rows))
    assert line.count(";") == 9
    assert line.endswith("app/a.py:10 and 3 more")


@pytest.mark.parametrize("text", ["ERROR: path must be a string", "Already answered: see call 3."])
def test_answer_line__a_sentence_stays(text):
    assert answer_line(text) == text


def test_answer_line__never_holds_the_code():
    code = "\n".join(f"{number:>5} secret_sauce_{number} = {number}" for number in range(1, 400))
    assert "sauce" not in answer_line(FENCE.wrap("answer", code))


def test_cut__one_line_without_its_tail():
    assert cut(" a\n  b ") == "a b"
    assert cut("x" * MAX_CHARACTERS) == "x" * MAX_CHARACTERS
    assert cut("x" * 500) == "x" * MAX_CHARACTERS + "…"
