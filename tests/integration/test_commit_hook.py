"""The hooks for pre-commit, run by ``git commit`` itself: what they see is what is being committed."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
import yaml
from repos import Repo
from runner import INJECTION, SAFE

HOOKS = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text("utf-8"))


@pytest.fixture
def repo(tmp_path):
    """A repository with no remote and no branch that is called main, whose commits the hook judges."""
    repo = Repo(tmp_path / "repo")
    repo.write("app/users.py", SAFE)
    repo.write("app/other.py", SAFE)
    repo.commit("base")
    repo.git("branch", "--move", "trunk")
    (hook,) = (hook for hook in HOOKS if hook["id"] == "devpulse")
    program, *entry = shlex.split(hook["entry"])
    assert program == "devpulse"
    line = shlex.join([sys.executable, "-m", "devpulse", *entry, *hook["args"]])
    script = repo.write(".git/hooks/pre-commit", f"#!/bin/sh\nexec {line}\n")
    script.chmod(0o755)
    return repo


def commit(repo, *arguments):
    """Whether git commits."""
    before = repo.git("rev-parse", "HEAD")
    repo.git("commit", "--quiet", "--message", "try", *arguments, check=False)
    return repo.git("rev-parse", "HEAD") != before


@pytest.mark.parametrize("arguments", [[], ["--all"], pytest.param(["app/users.py"], marks=pytest.mark.slow)])
def test_hook__stops_a_commit_that_brings_a_finding(repo, arguments):
    repo.write("app/users.py", INJECTION)
    if not arguments:
        repo.git("add", "app/users.py")
    assert not commit(repo, *arguments)


def test_hook__what_is_not_committed_does_not_count(repo):
    repo.write("app/users.py", INJECTION)
    repo.write("app/other.py", SAFE + "\n\nA = 1\n")
    repo.git("add", "app/other.py")
    assert commit(repo)
    assert repo.git("status", "--short") == "M app/users.py", "its artifacts are no part of the repository"


def test_hooks__say_what_pre_commit_needs():
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False
        assert hook["entry"].split()[:2] == ["devpulse", "review"]
