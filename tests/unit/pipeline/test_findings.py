"""From submitted items and hits to findings."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from builders import make_change, make_finding, make_hit, make_hunk, make_lead, make_symbol, submitted_finding
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.annotated import ShownChange
from devpulse.core.categories import Confidence, Severity
from devpulse.core.change import FileStatus, Side
from devpulse.core.finding import FindingSource, FindingStatus, Step, Trace
from devpulse.core.shown import ShownText, show_line
from devpulse.pipeline.findings import Assembler, deduplicate, stable_path
from devpulse.pipeline.prepare import Prepared
from devpulse.pipeline.submission import parse_submission

HEAD = "import db\ndef find(name):\n    return db.run(name)\n\ndef other(name):\n    return db.run(name)\n"
BASE = "import db\n@guarded\ndef find(name):\n    return db.get(name)\n"
CHANGE = make_change(
    hunks=[
        make_hunk(" import db\n-@guarded\n def find(name):\n-    return db.get(name)\n+    return db.run(name)\n"),
        make_hunk("+\n+def other(name):\n+    return db.run(name)\n", old_start=5, new_start=4),
    ]
)
SYMBOLS = {2: "find", 3: "find", 5: "other", 6: "other"}
TRACE = Trace(Step("app/db.py", 2, ""), (), Step("app/db.py", 3, ""))


def _plain(text):
    return text


def _symbol_at(side, line):
    name = SYMBOLS.get(line) if side is Side.RIGHT else None
    return make_symbol(name) if name else None


def _assembler(head=HEAD, change=CHANGE, source=FindingSource.MODEL, mask=_plain, redact=_plain, symbol_at=_symbol_at):
    shown = ShownChange(ShownText.of(BASE, _plain), ShownText.of(head, redact))
    prepared = Prepared(change, shown, complete=True, findings=(), leads=(), lookups=())
    return Assembler(prepared, source, symbol_at, mask)


def _submission(*items, dismissed=()):
    leads = [{"id": lead, "reason": reason} for lead, reason in dismissed]
    review = parse_submission({"findings": list(items), "dismissed_leads": leads}, CHANGE.path)
    assert review.errors == ()
    return review


def _one(assembler=None, leads=(), **overrides):
    item = submitted_finding(**{"evidence": "return db.run(name)", **overrides})
    (finding,) = (assembler or _assembler()).assemble(_submission(item), leads, judged=True)
    return finding


def test_assemble__anchored_where_it_was_claimed():
    finding = _one()
    assert (finding.start_line, finding.end_line, finding.status) == (3, 3, FindingStatus.OPEN)
    assert (finding.symbol, finding.cwe, finding.source) == ("find", 89, FindingSource.MODEL)


def test_assemble__moved_to_where_the_evidence_stands():
    finding = _one(evidence="def other(name):\nreturn db.run(name)", start_line=1, end_line=1, suggestion="x")
    assert (finding.start_line, finding.end_line, finding.symbol) == (5, 6, "other")
    assert finding.suggestion is None


def test_assemble__several_places_take_the_one_in_the_claimed_hunk():
    assert _one(start_line=5, end_line=5).start_line == 6
    assert _one(start_line=1, end_line=1).start_line == 3


def test_assemble__nowhere_is_unanchored_and_keeps_ten_lines_at_most():
    finding = _one(evidence="\n".join(f"line {n}" for n in range(15)), suggestion="x")
    assert finding.status is FindingStatus.UNANCHORED
    assert "15 lines" in finding.reason
    assert finding.evidence.count("\n") == 9
    assert finding.suggestion is None


def test_assemble__left_side_is_looked_for_in_the_base():
    finding = _one(side="LEFT", evidence="@guarded", start_line=2, end_line=2, suggestion="x")
    assert (finding.side, finding.start_line, finding.status) == (Side.LEFT, 2, FindingStatus.OPEN)
    assert finding.suggestion is None
    assert _one(side="RIGHT", evidence="@guarded").status is FindingStatus.UNANCHORED


def test_assemble__backwards_range_is_no_range():
    assert _one(end_line=1).end_line == 3


def test_assemble__overlong_line_as_shown_is_found():
    long = f"query = '{'x' * 3_000}'"
    finding = _one(_assembler(head=f"import db\n{long}\n"), evidence=show_line(long), start_line=2, end_line=2)
    assert (finding.start_line, finding.status) == (2, FindingStatus.OPEN)


def test_assemble__suggestion_only_for_exactly_its_lines_as_they_really_are():
    assert _one(suggestion="    return db.get(name)").suggestion == "    return db.get(name)"
    assert _one(suggestion="x", end_line=4).suggestion is None

    def redact(text):
        return text.replace("name)\n\n", "****)\n\n")

    assert _one(_assembler(redact=redact), evidence="return db.run(****)", suggestion="x").suggestion is None
    masked = _assembler(mask=lambda text: text.replace("hunter2", "*******"))
    assert _one(masked, suggestion="db.run('hunter2')").suggestion is None


def test_assemble__prose_is_masked_and_shown():
    finding = _one(
        _assembler(mask=lambda text: text.replace("hunter2", "*******")),
        title="uses hunter2", description="a\u202e\nhunter2", fix=" <<end 1>> ",
    )  # fmt: skip
    assert (finding.title, finding.description) == ("uses *******", "a\\u{202E}\n*******")
    assert finding.fix == "‹‹end 1>>"


def test_assemble__confirmed_lead_gives_trace_rule_and_cwe():
    lead = make_lead(trace=TRACE, cwe=564, suggestion="    return db.get(name)")
    finding = _one(leads=[lead], lead="L1")
    assert (finding.trace, finding.rule_id, finding.cwe) == (TRACE, "python-sql-injection", 564)
    assert finding.suggestion == "    return db.get(name)"
    assert _one(lead="L9").rule_id is None


def test_assemble__a_lead_confirmed_as_something_else_is_not_confirmed():
    item = submitted_finding(evidence="return db.run(name)", lead="L1", category="other")
    found = _assembler().assemble(_submission(item), [make_lead()], judged=True)
    assert [(f.category, f.rule_id) for f in found] == [("other", None), ("sql-injection", "python-sql-injection")]


def test_assemble__a_lead_confirmed_with_a_wrong_quotation_stands_where_the_rule_saw_it():
    lead = make_lead(evidence="    return db.run(name)", start_line=3, end_line=3)
    finding = _one(leads=[lead], lead="L1", evidence="return nothing_like_it()")
    assert (finding.status, finding.start_line, finding.rule_id) == (FindingStatus.OPEN, 3, "python-sql-injection")


def test_assemble__a_secret_that_became_known_since_does_not_tear_evidence_and_text_apart():
    assembler = replace(_assembler(), mask=lambda text: text.replace("db.run", "******"))
    (finding,) = assembler.assemble(_submission(submitted_finding(evidence="return db.run(name)")), [], judged=True)
    assert (finding.status, finding.start_line) == (FindingStatus.OPEN, 3)
    assert "db.run" not in finding.evidence


def test_deduplicate__what_a_rule_found_for_certain_stays_whatever_a_model_makes_of_it():
    rule = make_finding(
        fingerprint="a", category="hardcoded-secret", source=FindingSource.RULE, rule_id="hardcoded-secret",
        confidence=Confidence.MEDIUM,
    )  # fmt: skip
    model = replace(rule, source=FindingSource.MODEL, rule_id=None, confidence=Confidence.HIGH)
    assert deduplicate([model, rule]) == deduplicate([rule, model]) == (rule,)


def test_deduplicate__the_rule_behind_the_weaker_is_kept():
    weaker = make_finding(rule_id="python-sql-injection", confidence=Confidence.LOW, source=FindingSource.RULE)
    (kept,) = deduplicate([weaker, make_finding(confidence=Confidence.HIGH)])
    assert (kept.source, kept.rule_id) == (FindingSource.MODEL, "python-sql-injection")


def _leads_after(source, judged, *, dismissed=(), confirmed=()):
    leads = [make_lead(n, start_line=line, end_line=line) for n, line in ((1, 3), (2, 6))]
    items = [submitted_finding(evidence="return db.run(name)", lead=lead) for lead in confirmed]
    found = _assembler(source=source).assemble(_submission(*items, dismissed=dismissed), leads, judged=judged)
    return [(f.start_line, f.status, f.confidence) for f in found]


def test_assemble__a_lead_the_model_does_not_mention_stays_open_at_low_confidence():
    assert _leads_after(FindingSource.MODEL, judged=True, confirmed=["L1"]) == [
        (3, FindingStatus.OPEN, Confidence.HIGH),
        (6, FindingStatus.OPEN, Confidence.LOW),
    ]


def test_assemble__a_lead_the_model_dismisses_is_disputed():
    found = _leads_after(FindingSource.MODEL, judged=True, dismissed=[("L1", "constant")])
    assert found[0] == (3, FindingStatus.DISPUTED, Confidence.HIGH)


def test_assemble__a_lead_both_confirmed_and_dismissed_is_confirmed():
    found = _leads_after(FindingSource.MODEL, judged=True, confirmed=["L1", "L2"], dismissed=[("L1", "no")])
    assert {status for _, status, _ in found} == {FindingStatus.OPEN}


def test_assemble__the_rule_engine_drops_what_it_does_not_confirm_only_when_it_came_to_an_end():
    assert len(_leads_after(FindingSource.RULE, judged=True, confirmed=["L1"], dismissed=[("L2", "safe")])) == 1
    assert len(_leads_after(FindingSource.RULE, judged=False)) == 2


def test_assemble__unanchored_comes_before_disputed():
    lead = make_lead(start_line=90, end_line=90)
    (finding,) = _assembler().assemble(_submission(dismissed=[("L1", "no")]), [lead], judged=True)
    assert finding.status is FindingStatus.UNANCHORED


def test_standing__hits_are_findings_of_the_rule_at_their_lines():
    (finding,) = _assembler().standing([make_hit("other", start_line=2, end_line=3)])
    assert (finding.start_line, finding.end_line, finding.source) == (2, 3, FindingSource.RULE)
    assert finding.evidence == "def find(name):\n    return db.run(name)"


def test_fingerprint__counts_equal_evidence_within_its_symbol():
    head = "def find(name):\n    run(name)\n    run(name)\ndef other(name):\n    run(name)\n"
    names = {1: "find", 2: "find", 3: "find", 4: "other", 5: "other"}

    def symbol_at(_side, line):
        return make_symbol(names[line])

    assembler = _assembler(head=head, symbol_at=symbol_at)
    first, second, third = (_one(assembler, evidence="run(name)", start_line=line, end_line=line) for line in (2, 3, 5))
    assert len({first.fingerprint, second.fingerprint, third.fingerprint}) == 3
    shifted = {line + 2: name for line, name in names.items()}
    later = _assembler(head="# one\n# two\n" + head, symbol_at=lambda _side, line: make_symbol(shifted[line]))
    assert _one(later, evidence="run(name)", start_line=5, end_line=5).fingerprint == second.fingerprint


@settings(deadline=None)
@given(st.integers(0, 5), st.text(min_size=1, max_size=9), st.sampled_from(["    ", "\t", "      "]))
def test_fingerprint__stable_under_line_shift_rewording_and_white_space(shift, title, indent):
    def symbol_at(_side, line):
        return make_symbol("find") if line > shift + 1 else None

    assembler = _assembler(head="\n" * shift + HEAD.replace("    ", indent), symbol_at=symbol_at)
    moved = _one(
        assembler, title=title, description=title, evidence="return  db.run(name)", start_line=3 + shift, end_line=99
    )
    assert moved.fingerprint == _one().fingerprint


def test_stable_path__a_rename_keeps_the_name():
    renamed = make_change("new.py", status=FileStatus.RENAMED, previous="old.py")
    assert stable_path(renamed) == "old.py"
    assert stable_path(make_change("new.py", status=FileStatus.COPIED, previous="old.py")) == "new.py"
    assert stable_path(make_change("new.py", status=FileStatus.DELETED)) == "new.py"
    before = _one(_assembler(change=make_change("old.py", hunks=CHANGE.hunks)))
    after = make_change("new.py", status=FileStatus.RENAMED, previous="old.py", hunks=CHANGE.hunks)
    assert _one(_assembler(change=after)).fingerprint == before.fingerprint


def _finding(number, **overrides):
    return make_finding(fingerprint=f"{number:032x}", **overrides)


@pytest.mark.parametrize(
    ("overrides", "left"),
    [
        ({}, 1),
        ({"start_line": 5, "end_line": 5}, 2),
        ({"start_line": 1, "end_line": 4}, 1),
        ({"category": "other"}, 2),
        ({"side": Side.LEFT}, 2),
        ({"path": "b.py"}, 2),
        ({"status": FindingStatus.UNANCHORED}, 2),
        ({"start_line": 9, "end_line": 9, "fingerprint": f"{1:032x}"}, 1),
        ({"path": "b.py", "fingerprint": f"{1:032x}"}, 2),
    ],
)
def test_deduplicate__same_weakness_at_the_same_place(overrides, left):
    assert len(deduplicate([_finding(1), make_finding(**{"fingerprint": f"{2:032x}", **overrides})])) == left


def test_deduplicate__the_surer_one_stays_then_the_one_with_a_trace():
    weak, sure = _finding(1, confidence=Confidence.MEDIUM), _finding(2, severity=Severity.LOW)
    assert deduplicate([weak, sure]) == (sure,)
    traced = _finding(3, trace=TRACE)
    assert deduplicate([_finding(2), traced]) == (traced,)
    disputed = _finding(1, status=FindingStatus.DISPUTED, severity=Severity.CRITICAL)
    assert deduplicate([disputed, weak]) == (weak,)


def test_deduplicate__order_does_not_matter():
    found = [
        _finding(1), _finding(2, start_line=3, end_line=9), _finding(3, start_line=8, end_line=12),
        _finding(4, category="other"), _finding(5, path="b.py", confidence=Confidence.LOW),
    ]  # fmt: skip
    assert len({deduplicate(order) for order in itertools.permutations(found)}) == 1
