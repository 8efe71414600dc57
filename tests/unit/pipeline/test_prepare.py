"""The rules stage of one file."""

from __future__ import annotations

import pytest
from builders import MemoryIndex, make_change, make_hit, make_hunk, trees_of

from devpulse.core.annotated import ShownChange
from devpulse.core.change import FileStatus, Side
from devpulse.core.finding import Step, Trace
from devpulse.core.flow import walking
from devpulse.core.redaction import Redactor
from devpulse.core.shown import ShownText
from devpulse.pipeline.prepare import belongs, evidence_of, prepare, shortened
from devpulse.pipeline.texts import ChangeTexts, SideTexts

# Line 2 is removed, line 3 added at head; lines 1 and 3 (old) are context.
CHANGE = make_change("app.py", " a\n-guard\n+b\n c\n")


def _trace(*places):
    steps = [Step(path, line, "") for path, line in places]
    return Trace(steps[0], tuple(steps[1:-1]), steps[-1])


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"start_line": 2, "end_line": 2}, True),
        ({"start_line": 1, "end_line": 3}, True),
        ({"start_line": 3, "end_line": 3}, False),
        ({"start_line": 2, "end_line": 2, "side": Side.LEFT}, True),
        ({"start_line": 1, "end_line": 1, "side": Side.LEFT}, False),
        ({"start_line": 9, "end_line": 9, "trace": _trace(("app.py", 2), ("app.py", 9))}, True),
        ({"start_line": 9, "end_line": 9, "trace": _trace(("other.py", 2), ("app.py", 9))}, False),
        ({"start_line": 9, "end_line": 9, "trace": _trace(("app.py", 1), ("app.py", 9))}, False),
        ({"start_line": 9, "end_line": 9, "guards": (2,)}, True),
        ({"start_line": 9, "end_line": 9, "guards": (1, 3)}, False),
    ],
)
def test_belongs__a_changed_line_must_stand_on_the_path(overrides, expected):
    assert belongs(make_hit(**overrides), CHANGE.path, {side: CHANGE.changed(side) for side in Side}) is expected


@pytest.mark.parametrize(
    ("span", "changed", "expected"),
    [
        ((5, 14), {14}, (5, 14)),
        ((5, 30), {1, 40}, (5, 14)),
        ((5, 30), {14, 20}, (5, 14)),
        ((5, 30), {20, 25}, (20, 29)),
        ((5, 30), {28}, (28, 30)),
    ],
)
def test_shortened__ten_lines_and_among_them_a_changed_one(span, changed, expected):
    hit = shortened(make_hit(start_line=span[0], end_line=span[1], suggestion="x"), frozenset(changed))
    assert (hit.start_line, hit.end_line) == expected
    assert (hit.suggestion is None) == (span != expected)


@pytest.mark.parametrize(
    ("start", "end", "side", "evidence"),
    [
        (2, 2, Side.RIGHT, "r2"),
        (2, 3, Side.LEFT, "l2\nl3"),
        (19, 25, Side.RIGHT, "r19\nr20"),
        (30, 31, Side.RIGHT, ""),
        (1, 15, Side.RIGHT, "\n".join(f"r{number}" for number in range(1, 11))),
    ],
)
def test_evidence_of__at_most_ten_lines_of_its_side(start, end, side, evidence):
    shown = ShownChange(
        ShownText(tuple(f"l{number}" for number in range(1, 21))),
        ShownText(tuple(f"r{number}" for number in range(1, 21))),
    )
    assert evidence_of(make_hit(start_line=start, end_line=end, side=side), shown) == evidence
    assert evidence_of(make_hit(start_line=start, end_line=end, side=side), ShownChange(None, None)) == ""


SQL = """\
 import sqlite3
 from flask import request
 def find(db):
+    name = request.args["name"]
+    return db.execute("select * from users where name = '" + name + "'")
"""


def _prepare(change, *, only_hunks=False):
    base, head = trees_of(change)
    if only_hunks:
        base.files.clear()
        head.files.clear()
    redactor = Redactor()
    texts = ChangeTexts(SideTexts(base, Side.LEFT, [change], redactor), SideTexts(head, Side.RIGHT, [change], redactor))
    return prepare(change, texts, MemoryIndex())


def test_prepare__leads_are_numbered_and_quote_the_shown_code():
    prepared = _prepare(make_change("app/db.py", SQL))
    assert [lead.id for lead in prepared.leads] == [f"L{n}" for n in range(1, len(prepared.leads) + 1)]
    lead = next(lead for lead in prepared.leads if lead.hit.category == "sql-injection")
    assert "db.execute(" in lead.evidence
    assert prepared.complete
    assert not prepared.findings


def test_prepare__what_stood_there_before_is_no_lead():
    unchanged = SQL.replace("\n+", "\n ") + "+# a comment\n"
    assert not _prepare(make_change("app/db.py", unchanged)).leads


def test_prepare__a_secret_is_a_finding_and_never_shown():
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    prepared = _prepare(make_change("app/conf.py", f'+TOKEN = "{token}"\n', status=FileStatus.ADDED))
    assert [hit.category for hit in prepared.findings] == ["hardcoded-secret"]
    assert token not in repr((prepared.shown, prepared.findings, prepared.leads))


def test_prepare__hunks_alone_are_not_complete():
    assert not _prepare(make_change("app/db.py", SQL), only_hunks=True).complete


def test_prepare__deleted_file_has_no_head():
    change = make_change("app/db.py", hunks=[make_hunk("-x = 1\n")], status=FileStatus.DELETED)
    prepared = _prepare(change)
    assert prepared.shown.head is None
    assert prepared.shown.base is not None


def test_prepare__says_when_the_rules_came_to_their_limit(monkeypatch):
    monkeypatch.setattr(walking, "BUDGET", 2_000)
    calls = "+    os.system(command)\n" * 3_000
    text = f"+import os\n+def start(command):\n{calls}"
    assert _prepare(make_change("app/long.py", text, status=FileStatus.ADDED)).stopped
    assert not _prepare(make_change("app/db.py", SQL)).stopped
