import subprocess

import pytest

from devpulse.adapters.git import process
from devpulse.adapters.git.process import Git, clean_environment, failed, find_git
from devpulse.errors import SourceError


@pytest.fixture
def git(tmp_path):
    binary, search = find_git()
    return Git(binary, clean_environment(search, tmp_path, tmp_path), tmp_path)


def fake(tmp_path, script):
    binary = tmp_path / "fake-git"
    binary.write_text(f"#!/bin/sh\n{script}\n")
    binary.chmod(0o755)
    return Git(str(binary), clean_environment("/usr/bin:/bin", tmp_path, tmp_path), tmp_path)


def test_clean_environment__nothing_of_the_caller(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_SSH_COMMAND", "evil")
    monkeypatch.setenv("LD_PRELOAD", "evil")
    done = fake(tmp_path, "env").run(["x"])
    assert b"evil" not in done.output
    assert b"GIT_CONFIG_NOSYSTEM=1" in done.output


def test_run__complaint_is_one_short_printable_line(tmp_path):
    done = fake(tmp_path, r"printf 'fatal:\033[31m a\n::error::\a%4000s' x >&2; exit 3").run(["x"])
    assert done.status == 3
    assert done.complaint.isprintable()
    assert len(done.complaint) <= 300


def test_check__failure_names_the_command(git):
    with pytest.raises(SourceError, match="git no-such-command failed") as caught:
        git.check(["no-such-command"])
    assert caught.value.hint


def test_run__that_does_not_end(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "TIMEOUT_SECONDS", 0.05)
    slow = fake(tmp_path, "sleep 60")
    with pytest.raises(SourceError, match="did not finish"):
        slow.run(["x"])


def test_run__binary_that_cannot_start(tmp_path):
    with pytest.raises(SourceError, match="cannot be started"):
        Git(str(tmp_path / "none"), {}, tmp_path).run(["x"])


def test_close__ends_children_and_what_they_started(tmp_path):
    slow = fake(tmp_path, "sleep 60 & echo $!; wait")
    child = slow.spawn(["x"])
    grandchild = child.answers.readline().decode().strip()
    slow.close()
    assert child.process.returncode == -9
    status = subprocess.run(["ps", "-o", "stat=", "-p", grandchild], capture_output=True, text=True, check=False)
    assert status.stdout.strip() in {"", "Z"}


def test_failed__old_git():
    assert "too old" in str(failed("x", "fatal: unknown repository extension found: refstorage"))
