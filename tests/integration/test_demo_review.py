"""The bundled sample, reviewed as ``make demo`` does it: every expected finding, no false alarm, nothing unread."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from devpulse.cli import run

ROOT = Path(__file__).parents[2]
EXPECTED = json.loads((ROOT / "demo" / "expected.json").read_text())["files"]


SECOND_FINDINGS = [
    ("deploy/shop.yaml", "hardcoded-secret", "RIGHT", 10),  # the key's second half, on the line below
    ("shop/admin.py", "broken-access-control", "LEFT", 31),  # the other of two removed guards
]
"""Each expectation explains one finding; these are the only ones beside them."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "sample"
    subprocess.run(
        [sys.executable, str(ROOT / "demo" / "make_sample.py"), str(folder)], check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="module")
def report(sample, tmp_path_factory):
    state = tmp_path_factory.mktemp("state")
    arguments = ["--base", "main", "--head", "feature", "--engine", "offline", "--state-dir", str(state)]
    assert run(["review", str(sample), *arguments]) == 0
    return json.loads((sample / "devpulse-artifacts" / "findings.json").read_text())


def anchored_lines(sample, path, expected):
    revision = "main" if expected["side"] == "LEFT" else "feature"
    text = subprocess.run(
        ["git", "-C", str(sample), "show", f"{revision}:{path}"], check=True, capture_output=True, text=True
    ).stdout
    lines = text.split("\n")
    return [n for n, line in enumerate(lines, 1) if any(anchor in line for anchor in expected["anchors"])]


def covers(finding, path, expected, lines):
    return (
        finding["path"] == path
        and finding["category"] == expected["category"]
        and finding["side"] == expected["side"]
        and any(finding["start_line"] <= line <= finding["end_line"] for line in lines)
    )


def test_sample__every_expected_finding_and_no_other(sample, report):
    unexplained = list(report["findings"])
    for path, findings in EXPECTED.items():
        for expected in findings:
            lines = anchored_lines(sample, path, expected)
            matched = [finding for finding in report["findings"] if covers(finding, path, expected, lines)]
            assert matched, (path, expected["why"])
            unexplained.remove(matched[0])
    assert sorted((f["path"], f["category"], f["side"], f["start_line"]) for f in unexplained) == SECOND_FINDINGS


def test_sample__every_file_has_its_row(report):
    outcomes = {row["path"]: row["outcome"] for row in report["coverage"]}
    assert sorted(outcomes) == sorted(EXPECTED)
    assert sum(outcome == "reviewed" for outcome in outcomes.values()) == 23
    assert max(row["parts"] for row in report["coverage"]) > 3
