"""Changes of workflows: a guard that is taken away and a trigger that gives rights are told, with where they act."""

import json

from repos import Repo

from devpulse.cli import run

GUARDED = """\
on:
  pull_request_target:
jobs:
  build:
    if: github.event.pull_request.head.repo.full_name == github.repository
    steps:
      - uses: actions/checkout@v5
        with:
          ref: ${{ github.event.pull_request.head.sha }}
      - run: npm ci
"""
WITHOUT_RIGHTS = """\
on:
  pull_request:
jobs:
  name:
    steps:
      - run: echo ${{ github.head_ref }}
"""
BUILD, NAME = ".github/workflows/build.yml", ".github/workflows/name.yml"


def _review(tmp_path, head):
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **{BUILD: GUARDED, NAME: WITHOUT_RIGHTS})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **head)
    assert run(["review", str(repo.root), "--base", "main", "--head", "work"]) == 0
    report = json.loads((repo.root / "devpulse-artifacts" / "findings.json").read_text())
    return [
        (found["path"], found["side"], found["start_line"], found["category"], found["status"])
        for found in report["findings"]
        if found["confidence"] != "low"
    ]


def test_review__guard_taken_away(tmp_path, capsys):
    head = {BUILD: "".join(line for line in GUARDED.splitlines(True) if "full_name" not in line)}

    assert _review(tmp_path, head) == [(BUILD, "LEFT", 5, "code-injection", "open")]
    assert "once its check is" in capsys.readouterr().out


def test_review__trigger_that_gives_rights(tmp_path, capsys):
    head = {NAME: WITHOUT_RIGHTS.replace("pull_request", "pull_request_target")}

    assert [found[:4] for found in _review(tmp_path, head)] == [(NAME, "RIGHT", 6, "command-injection")]
    capsys.readouterr()


def test_review__other_lines_change_nothing(tmp_path, capsys):
    head = {BUILD: GUARDED.replace("npm ci", "npm ci --ignore-scripts"), NAME: WITHOUT_RIGHTS.replace("echo", "printf")}

    assert _review(tmp_path, head) == []
    capsys.readouterr()
