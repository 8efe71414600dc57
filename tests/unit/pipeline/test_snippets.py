"""The code around a finding."""

from __future__ import annotations

from builders import DictTree, make_change, make_finding, trees_of

from devpulse.core.change import Side
from devpulse.core.finding import Step, Trace
from devpulse.core.redaction import Redactor
from devpulse.output.snippets import OtherLine
from devpulse.pipeline.snippets import snippet_of
from devpulse.pipeline.texts import ChangeTexts, SideTexts


def cut(finding, *changes):
    base, head = trees_of(*changes)
    redactor = Redactor()
    texts = ChangeTexts(
        *(_side(tree, side, changes, redactor) for tree, side in ((base, Side.LEFT), (head, Side.RIGHT)))
    )
    return snippet_of(finding, {change.path: change for change in changes}, texts)


def _side(tree: DictTree, side, changes, redactor):
    return SideTexts(tree, side, changes, redactor)


def test_snippet_of__what_the_change_did_to_its_lines():
    snippet = cut(make_finding(start_line=3, end_line=3), make_change())
    assert (snippet.first_line, snippet.changed) == (1, frozenset({3}))
    assert snippet.others == (OtherLine(3, "    return db.get(name)"),)


def test_snippet_of__on_removed_code_the_other_side_is_what_was_added():
    snippet = cut(make_finding(side=Side.LEFT, start_line=3, end_line=3), make_change())
    assert snippet.lines[-1] == "    return db.get(name)"
    assert snippet.changed == frozenset({3})


def test_snippet_of__lines_of_trace_steps_where_they_are_known():
    trace = Trace(Step("app/db.py", 2, ""), (Step("unknown.py", 1, ""),), Step("app/db.py", 99, ""))
    assert cut(make_finding(start_line=3, end_line=3, trace=trace), make_change()).steps == (
        "def find(name):",
        None,
        None,
    )


def test_snippet_of__secrets_of_either_side_are_hidden():
    secret = "AKIA" + "Z7QXW2N4L6P3R5TV"
    change = make_change(drawing=f'-key = "{secret}"\n+key = env("KEY")\n')
    snippet = cut(make_finding(start_line=1, end_line=1), change)
    assert len(snippet.others) == 1
    assert secret not in repr(snippet)
