"""``devpulse scan`` with a baseline: what is known is suppressed, what is new is told, what is gone is named."""

import json
import re

import pytest
from repos import Repo

from devpulse.cli import run

INJECTION = (
    "from flask import request\n\n\ndef lookup(db):\n"
    "    return db.execute('select * from users where name = ' + request.args['name'])\n"
)
COMMAND = "import os\nfrom flask import request\n\n\ndef call():\n    os.system('ping ' + request.args['host'])\n"


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app/sql.py", INJECTION)
    repo.write("app/call.py", COMMAND)
    repo.commit("base")
    return repo


@pytest.fixture
def scan(repo, capsys):
    """Scans the repository, or a folder in it; gives status, report and what was said on standard error."""

    def scanned(*arguments, below=""):
        status = run(["scan", str(repo.root / below), "--engine", "offline", *map(str, arguments)])
        folder = repo.root / "devpulse-artifacts"
        report = json.loads((folder / "findings.json").read_text())
        report["summary"] = (folder / "summary.md").read_text()
        return status, report, capsys.readouterr().err

    return scanned


@pytest.fixture
def baseline(repo, scan):
    """A baseline that is committed beside the code."""
    file = repo.root / "devpulse-baseline.json"
    status, report, said = scan("--write-baseline", file, "--fail-on", "high")
    assert (status, len(report["findings"])) == (1, 2)
    assert "baseline: 2 findings in " in said
    repo.commit("baseline")
    return file


def listed(file):
    document = json.loads(file.read_text())
    assert document["schema"] == "devpulse.baseline/1"
    return [(each["path"], each["category"]) for each in document["findings"]]


def statuses(report):
    return sorted((f["path"], f["status"], f["reason"]) for f in report["findings"])


def test_write_baseline__lists_what_is_there_in_order_one_a_line(baseline):
    assert listed(baseline) == [("app/call.py", "command-injection"), ("app/sql.py", "sql-injection")]
    entry = json.loads(baseline.read_text())["findings"][0]
    assert set(entry) == {"fingerprint", "category", "path", "title"}
    assert sum("fingerprint" in line for line in baseline.read_text().split("\n")) == 2


def test_baseline__what_is_known_is_suppressed_and_counted_also_when_lines_move(baseline, repo, scan):
    repo.write("app/sql.py", "# moved\n\n\n" + INJECTION)
    status, report, _ = scan("--baseline", baseline, "--fail-on", "low")
    assert status == 0
    assert statuses(report) == [
        ("app/call.py", "suppressed", "in the baseline"),
        ("app/sql.py", "suppressed", "in the baseline"),
    ]
    assert "2 findings suppressed: in the baseline " in report["summary"]
    assert "no longer found" not in report["summary"]


def test_baseline__what_is_new_is_told_and_gates(baseline, repo, scan):
    repo.write("app/new.py", INJECTION)
    status, report, _ = scan("--baseline", baseline, "--fail-on", "high")
    assert status == 1
    assert [(f["path"], f["status"]) for f in report["findings"] if f["status"] == "open"] == [("app/new.py", "open")]


def test_baseline__what_is_gone_is_named_and_left_out_when_it_is_written_anew(baseline, repo, scan):
    repo.write("app/sql.py", "x = 1\n")
    (repo.root / "app" / "call.py").unlink()
    repo.write("app/new.py", INJECTION)
    names = [entry["fingerprint"] for entry in json.loads(baseline.read_text())["findings"]]
    _, report, said = scan("--baseline", baseline, "--write-baseline", baseline)
    assert (
        "Known, but no longer found: command-injection in app/call.py, sql-injection in app/sql.py" in report["summary"]
    )
    assert re.findall("no longer found: ([0-9a-f]+) ", said) == names
    assert listed(baseline) == [("app/new.py", "sql-injection")]


def test_baseline__what_was_not_looked_at_is_neither_gone_nor_lost(baseline, repo, scan):
    repo.write("lib/new.py", INJECTION)
    for below, arguments in (("lib", ()), ("", ("--exclude", "app/"))):
        _, report, _ = scan("--baseline", baseline, "--write-baseline", "new.json", *arguments, below=below)
        assert "no longer found" not in report["summary"]
        assert listed(baseline.parent.parent / "new.json") == [
            ("app/call.py", "command-injection"),
            ("app/sql.py", "sql-injection"),
            ("lib/new.py", "sql-injection"),
        ]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Relative names of baselines start from the current folder."""
    monkeypatch.chdir(tmp_path)


def test_write_baseline__lists_neither_what_is_ignored_nor_what_is_below_the_threshold(repo, scan, tmp_path):
    repo.write(".devpulse.yml", "ignore: [{path: app/call.py, reason: so}]\n")
    repo.write(
        "app/hash.py", "import hashlib\n\n\ndef check(password):\n    return hashlib.md5(password).hexdigest()\n"
    )
    scan("--write-baseline", "known.json", "--min-severity", "critical")
    assert listed(tmp_path / "known.json") == [("app/sql.py", "sql-injection")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is no baseline: the file: Invalid JSON"),
        ("[]", "is no baseline: the file: "),
        ('{"schema": "devpulse.baseline/2", "findings": []}', "is no baseline: schema: "),
        ('{"schema": "devpulse.baseline/1", "findings": [{"fingerprint": "x"}]}', "baseline: findings.0."),
    ],
)
def test_baseline__a_file_that_is_none_ends_the_run(repo, tmp_path, capsys, content, said):
    (tmp_path / "known.json").write_text(content)
    assert run(["scan", str(repo.root), "--baseline", "known.json"]) == 2
    assert said in capsys.readouterr().err
    assert not (repo.root / "devpulse-artifacts" / "findings.json").exists()


def test_baseline__a_file_that_is_not_there_is_a_usage_error(repo, capsys):
    assert run(["scan", str(repo.root), "--baseline", "gone.json"]) == 2
    assert "gone.json" in capsys.readouterr().err


def test_write_baseline__where_it_cannot_be_written_is_told(repo, capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert run(["scan", str(repo.root), "--write-baseline", "file/known.json"]) == 2
    assert "the baseline file/known.json cannot be written" in capsys.readouterr().err


def test_write_baseline__the_report_alone_is_on_standard_output(repo, capsys):
    assert run(["scan", str(repo.root), "--write-baseline", "known.json", "--json"]) == 0
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)["findings"]) == 2
    assert "baseline: 2 findings in known.json" in captured.err
