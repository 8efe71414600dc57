"""The sample: the same on every machine, and as demo/expected.json describes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "demo" / "make_sample.py"
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((ROOT / "demo" / "expected.json").read_text("utf-8"))["files"]
SHARE = 64_000  # characters of one context's share: 16,000 tokens of four characters
LARGE = {"billing/reports.py", "web/src/catalog.ts"}
BRANCH = {"LEFT": "main", "RIGHT": "feature"}
FINDINGS = [(path, finding) for path, findings in EXPECTED.items() for finding in findings]


def make(target: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(target)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("sample") / "shop"
    result = make(target)
    assert result.returncode == 0, result.stderr
    return target


def changed_files(sample: Path) -> dict[str, str]:
    """Status letter by head path (base path for a deleted file)."""
    rows = [row.split("\t") for row in git(sample, "diff", "-M", "--name-status", "main", "feature").splitlines()]
    return {row[-1]: row[0][0] for row in rows}


def test_sample__same_commits_whatever_the_users_git_says(sample: Path, tmp_path: Path) -> None:
    config = tmp_path / "gitconfig"
    config.write_text("[user]\n\tname = Somebody\n[core]\n\tautocrlf = true\n[commit]\n\tgpgsign = true\n")
    other = tmp_path / "other"
    result = make(other, GIT_CONFIG_GLOBAL=str(config), GIT_AUTHOR_NAME="Somebody", GIT_DIR="/nowhere", TZ="Asia/Tokyo")
    assert result.returncode == 0, result.stderr
    for branch in ("main", "feature"):
        assert git(sample, "rev-parse", branch) == git(other, "rev-parse", branch)


def test_sample__25_changed_files_of_every_kind(sample: Path) -> None:
    changed = changed_files(sample)
    assert len(changed) == 25
    assert set(changed) == set(EXPECTED)
    assert set(changed.values()) == {"A", "D", "M", "R"}
    endings = {Path(path).suffix for path in changed}
    assert endings >= {".py", ".js", ".ts", ".tsx", ".go", ".java", ".sql", ".yaml", ".json", ".md", ".png", ""}


def test_sample__two_files_several_times_larger_than_a_share(sample: Path) -> None:
    sizes = {path: len(git(sample, "diff", "-M", "main", "feature", "--", path)) for path in changed_files(sample)}
    assert {path for path, size in sizes.items() if size > 3 * SHARE} == LARGE
    assert all(size < SHARE for path, size in sizes.items() if path not in LARGE)


def test_sample__most_files_are_harmless() -> None:
    harmless = [path for path, findings in EXPECTED.items() if not findings]
    assert len(harmless) > len(EXPECTED) / 2


@pytest.mark.parametrize(("path", "finding"), FINDINGS, ids=[f"{path}-{row['category']}" for path, row in FINDINGS])
def test_expected__each_anchor_on_one_line(sample: Path, path: str, finding: dict[str, Any]) -> None:
    lines = git(sample, "show", f"{BRANCH[finding['side']]}:{path}").splitlines()
    for anchor in finding["anchors"]:
        assert sum(anchor in line for line in lines) == 1, anchor


@pytest.mark.parametrize(("path", "finding"), FINDINGS, ids=[f"{path}-{row['category']}" for path, row in FINDINGS])
def test_expected__an_anchor_is_on_a_changed_line(sample: Path, path: str, finding: dict[str, Any]) -> None:
    sign = {"LEFT": "-", "RIGHT": "+"}[finding["side"]]
    diff = git(sample, "diff", "-M", "main", "feature", "--", path).splitlines()
    changed = [line for line in diff if line.startswith(sign)]
    assert any(anchor in line for anchor in finding["anchors"] for line in changed)


def test_sample__planted_secrets_stand_in_no_committed_file(sample: Path) -> None:
    planted = []
    for path, name in (("billing/gateway.py", "STRIPE_API_KEY"), ("deploy/shop.yaml", "AWS_SECRET_ACCESS_KEY")):
        line = next(row for row in git(sample, "show", f"feature:{path}").splitlines() if name in row)
        planted.append(line.split('"')[1])
    assert all(len(value) > 20 for value in planted)
    for file in (ROOT / "demo").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            text = file.read_bytes().decode("utf-8", "replace")
            assert not [value for value in planted if value in text], file


def test_make_sample__made_again_over_an_older_one(sample: Path) -> None:
    before = git(sample, "rev-parse", "feature")
    (sample / "devpulse-artifacts").mkdir()
    assert make(sample).returncode == 0
    assert git(sample, "rev-parse", "feature") == before
    assert git(sample, "status", "--porcelain") == ""


@pytest.mark.parametrize("kind", ["folder", "file", "symlink"])
def test_make_sample__leaves_alone_what_it_did_not_make(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "target"
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "work.txt").write_text("keep me")
    if kind == "folder":
        precious.rename(target)
    elif kind == "file":
        target.write_text("keep me")
    else:
        target.symlink_to(precious)
    result = make(target)
    assert result.returncode == 2
    assert "Name a new or empty folder" in result.stderr
    kept = target if kind == "file" else target / "work.txt"
    assert kept.read_text() == "keep me"
