import os
from pathlib import Path

import pytest
from repos import Repo

from devpulse.adapters.git import GitRangeSource, GitScanSource, Repository, WorkingTreeSource

HOOKS = (
    "post-checkout",
    "post-index-change",
    "pre-commit",
    "reference-transaction",
    "fsmonitor-watchman",
    "pre-auto-gc",
)


@pytest.fixture
def hostile(tmp_path):
    """A repository in which everything that can name a command names one that leaves a canary."""
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **{"a.py": "a\n", "b.txt": "b\n"})
    repo.git("switch", "-q", "-c", "work")
    attributes = "* filter=evil diff=evil merge=evil\n"
    repo.commit("work", **{"a.py": "A\n", "b.txt": "B\n", ".gitattributes": attributes})
    repo.write(".git/info/attributes", attributes)
    repo.write(
        ".gitmodules", '[submodule "m"]\n\tpath = m\n\turl = ext::sh -c touch% canary\n\tupdate = !touch canary\n'
    )
    canary = tmp_path / "canary"
    command = f"touch {canary}"
    script = repo.write(".git/evil", f"#!/bin/sh\n{command}\ncat\n")
    script.chmod(0o755)
    for name in HOOKS:
        repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{command}\n").chmod(0o755)
    repo.write(".git/included", f"[core]\n\tpager = {command}\n\tfsmonitor = {script}\n")
    with (repo.root / ".git" / "config").open("a") as config:
        config.write(
            f"[include]\n\tpath = included\n[core]\n\tfsmonitor = {script}\n"
            f"\tsshCommand = {command}\n\teditor = {command}\n"
            f"\thooksPath = {repo.root}/.git/hooks\n\taskPass = {command}\n\talternateRefsCommand = {command}\n"
            f'[filter "evil"]\n\tclean = {script}\n\tsmudge = {script}\n\tprocess = {script}\n\trequired = true\n'
            f'[diff]\n\texternal = {script}\n[diff "evil"]\n\ttextconv = {script}\n\tcommand = {script}\n'
            f'[merge "evil"]\n\tdriver = {script}\n[gpg]\n\tprogram = {script}\n[log]\n\tshowSignature = true\n'
            f'[submodule "m"]\n\tupdate = !{command}\n\turl = ext::{command}\n[credential]\n\thelper = !{command}\n'
            f'[alias]\n\tdiff-tree = !{command}\n\tls-files = !{command}\n[protocol "ext"]\n\tallow = always\n'
            f'[remote "origin"]\n\turl = ext::{command}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n'
        )
    repo.write("new.py", "n\n")
    return repo, canary


def state(folder):
    """Every file with size, mode and time of last change."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(parent, name)
            status = path.lstat()
            found[path] = (status.st_size, status.st_mode, status.st_mtime_ns)
    return found


def test_sources__nothing_of_the_repository_runs_and_nothing_is_written(hostile, monkeypatch):
    repo, canary = hostile
    for name in ("GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_PAGER", "GIT_EDITOR"):
        monkeypatch.setenv(name, f"touch {canary}")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "diff.external")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"touch {canary}")
    before = state(repo.root)
    with Repository.open(repo.root) as repository:
        ranged = GitRangeSource(repository, "main", "work")
        assert [change.path for change in ranged.load().files] == [".gitattributes", "a.py", "b.txt"]
        assert ranged.head().read("a.py") == b"A\n"
        working = WorkingTreeSource(repository)
        assert {"new.py", "a.py", ".gitmodules"} <= {change.path for change in working.load().files}
        assert working.head().read("new.py") == b"n\n"
        WorkingTreeSource(repository, staged=True).load()
        assert len(GitScanSource(repository).load().files) == 5
    assert not canary.exists()
    assert state(repo.root) == before


def test_sources__the_traps_do_spring_with_plain_git(hostile):
    repo, canary = hostile
    repo.git("diff", "HEAD", check=False)
    repo.git("status", check=False)
    assert canary.exists()
