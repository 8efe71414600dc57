import json
from collections import Counter
from dataclasses import replace

import pytest
from builders import make_finding, make_report

from devpulse.core.categories import Severity
from devpulse.core.change import ChangeSet, FileChange, FileKind, FileStatus, FileVersion, PullRequest, Side
from devpulse.core.content import whole_file
from devpulse.core.finding import FindingStatus
from devpulse.core.policy import ReportPolicy
from devpulse.core.redaction import Redactor
from devpulse.core.review import Failed, Partial, Skipped
from devpulse.output.json_v1 import render_findings
from devpulse.pipeline import recheck as module
from devpulse.pipeline.foreign import parse_foreign
from devpulse.pipeline.plan import PathFilter
from devpulse.pipeline.recheck import Ground, recheck
from devpulse.pipeline.texts import ChangeTexts, SideTexts

PULL = PullRequest("a" * 40, "b" * 40, "octo/shop", 7)
CODE = "def go(db, name):\n    db.execute('select ' + name)\n    db.execute('select ' + name)\n"
QUERY = "    db.execute('select ' + name)"
CLAIM = make_finding(path="app.py", start_line=2, end_line=2, evidence=QUERY, symbol="go")


class Files:
    """A tree of files in memory."""

    def __init__(self, files):
        self.files = files

    def paths(self):
        return sorted(self.files)

    def size(self, path):
        return len(self.files[path]) if path in self.files else None

    def read(self, path):
        return self.files.get(path)

    def read_many(self, paths, _most=None):
        return ((path, self.files[path]) for path in paths if path in self.files)


def checked(*claims, files=None, exclude=(), coverage=None):
    files = files or {"app.py": CODE.encode()}
    changes = [whole_file(path, "100644", data, "c" * 40) for path, data in files.items()]
    gone = FileVersion("gone.bin", "100644", "d" * 40, FileKind.BINARY)
    changes.append(FileChange(FileStatus.DELETED, gone, None, ()))
    redactor, head = Redactor(), Files(files)
    texts = ChangeTexts(
        SideTexts(Files({}), Side.LEFT, changes, redactor), SideTexts(head, Side.RIGHT, changes, redactor)
    )
    ground = Ground(
        ChangeSet(PULL, tuple(changes), "test", ""),
        head,
        texts,
        ReportPolicy(),
        PathFilter(exclude=exclude),
        redactor.mask,
    )
    document = json.loads(render_findings(make_report(*claims, pull_request=PULL, engine="offline")))
    document |= {} if coverage is None else {"coverage": coverage}
    return recheck(parse_foreign(json.dumps(document).encode(), []), ground)


def test_recheck__anchors_names_and_places_anew():
    result = checked(replace(CLAIM, fingerprint="f" * 32, start_line=3, end_line=3, symbol="@ada"))
    (finding,) = result.report.findings
    assert (finding.start_line, finding.symbol, finding.status) == (3, "go", FindingStatus.OPEN)
    assert finding.fingerprint != "f" * 32
    assert result.places[finding.fingerprint].start_line == 3


@pytest.mark.parametrize(
    ("category", "claimed", "severity", "cwe"),
    [
        ("sql-injection", Severity.CRITICAL, Severity.CRITICAL, 89),
        ("sql-injection", Severity.LOW, Severity.LOW, 89),
        ("open-redirect", Severity.CRITICAL, Severity.MEDIUM, 601),
        ("other", Severity.CRITICAL, Severity.LOW, None),
    ],
)
def test_recheck__the_table_bounds_severity_and_gives_the_weakness(category, claimed, severity, cwe):
    result = checked(replace(CLAIM, category=category, severity=claimed, cwe=7))
    (finding,) = result.report.findings
    assert (finding.severity, finding.cwe) == (severity, cwe)


def test_recheck__no_suggestion_and_no_right_of_a_rule():
    claim = replace(CLAIM, suggestion="    evil()", rule_id="x", status=FindingStatus.SUPPRESSED, reason="no")
    (finding,) = checked(claim).report.findings
    assert (finding.suggestion, finding.rule_id, finding.status) == (None, None, FindingStatus.OPEN)


def test_recheck__what_the_other_run_disputed_is_not_posted():
    result = checked(replace(CLAIM, status=FindingStatus.DISPUTED, reason="a constant", refuted_by_verifier=True))
    (finding,) = result.report.findings
    assert (finding.status, finding.reason) == (FindingStatus.DISPUTED, "a constant")
    assert result.places == {}


def test_recheck__counts_what_it_drops():
    result = checked(
        replace(CLAIM, evidence="evil()"),
        replace(CLAIM, path="other.py"),
        replace(CLAIM, path="gone.bin"),
        replace(CLAIM, side=Side.LEFT),
    )
    assert result.report.findings == ()
    assert result.dropped == Counter(
        {
            "its code is not in the change": 2,
            "its file is not part of the change": 1,
            "its file is not reviewed here": 1,
        }
    )
    assert checked(CLAIM, exclude=("app.py",)).dropped["its file is not reviewed here"] == 1


def test_recheck__code_that_stands_everywhere_says_nothing(monkeypatch):
    monkeypatch.setattr(module, "MAX_PLACES", 1)
    assert checked(CLAIM).dropped == {"its code stands at too many places": 1}


def test_recheck__no_more_claims_than_a_file_holds(monkeypatch):
    monkeypatch.setattr(module, "MAX_FINDINGS", 2)
    claims = [replace(CLAIM, title=f"T{number}") for number in range(5)]
    assert checked(*claims).dropped == {"there are too many in its file": 3}


@pytest.mark.parametrize(
    ("outcome", "kind", "says"),
    [
        ("reviewed", Partial, "reviewed by another run"),
        ("partial", Partial, "reviewed in part by another run"),
        ("skipped", Failed, "skipped by another run"),
        (None, Failed, "does not tell of it"),
    ],
)
def test_recheck__no_file_is_wholly_reviewed_by_another_runs_word(outcome, kind, says):
    row = {"path": "app.py", "outcome": outcome, "reason": "", "parts": 1, "tokens": 1}
    report = checked(coverage=[row] if outcome else []).report
    rows = {row.path: row.outcome for row in report.coverage}
    assert isinstance(rows["app.py"], kind)
    assert says in rows["app.py"].reason
    assert isinstance(rows["gone.bin"], Skipped)
    assert report.incomplete
