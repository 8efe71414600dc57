import os
import shutil
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
# What the caller's environment can name to be run, or to be written to.
VARIABLES = (
    "GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_PAGER", "GIT_EDITOR", "GIT_ASKPASS",
    "SSH_ASKPASS", "GIT_SEQUENCE_EDITOR", "PAGER", "EDITOR", "VISUAL", "BROWSER",
)  # fmt: skip
TRACES = ("GIT_TRACE", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE_SETUP", "GIT_TRACE_PACKET")


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
            f"\tuploadpack = {command}\n\treceivepack = {command}\n\tvcs = evil\n"
            f'[includeIf "gitdir:**"]\n\tpath = included\n[includeIf "onbranch:**"]\n\tpath = included\n'
            f"[uploadpack]\n\tpackObjectsHook = {script}\n[sequence]\n\teditor = {command}\n"
            f"[pager]\n\tdiff-tree = {command}\n\tls-files = {command}\n[core]\n\tgitProxy = {script}\n"
            f'[gpg "ssh"]\n\tprogram = {script}\n\tdefaultKeyCommand = {command}\n[trailer "t"]\n\tcmd = {command}\n'
            f'[diff]\n\ttool = evil\n[difftool "evil"]\n\tcmd = {command}\n[interactive]\n\tdiffFilter = {script}\n'
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


def _hostile_caller(monkeypatch, repo, canary):
    """A caller's home and environment that run, or write, at every turn."""
    for name in VARIABLES:
        monkeypatch.setenv(name, f"touch {canary}")
    for name in TRACES:
        monkeypatch.setenv(name, str(canary))
    script = repo.root / ".git" / "evil"
    home = repo.root.parent / "caller"
    for folder in ("bin", "templates/hooks", ".config/git"):
        (home / folder).mkdir(parents=True)
    for name in ("git", "git-diff-tree", "git-remote-ext", "git-upload-pack"):
        shutil.copy(script, home / "bin" / name)
    for name in HOOKS:
        shutil.copy(script, home / "templates" / "hooks" / name)
    settings = f"[core]\n\tfsmonitor = {script}\n\tpager = {script}\n[diff]\n\texternal = {script}\n"
    for name in (".gitconfig", ".config/git/config"):
        (home / name).write_text(settings)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'diff.external'='{script}'")
    monkeypatch.setenv("GIT_EXEC_PATH", str(home / "bin"))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(home / "templates"))
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere")
    monkeypatch.setenv("GIT_WORK_TREE", "/")


def test_sources__nothing_of_the_repository_runs_and_nothing_is_written(hostile, monkeypatch):
    repo, canary = hostile
    _hostile_caller(monkeypatch, repo, canary)
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


def test_sources__another_work_tree_is_never_looked_at(hostile, tmp_path):
    """``core.worktree`` would let a repository call any folder its own."""
    repo, canary = hostile
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "private.py").write_text("private\n")
    with (repo.root / ".git" / "config").open("a") as config:
        config.write(f"[core]\n\tworktree = {outside}\n")
    with Repository.open(repo.root) as repository:
        source = WorkingTreeSource(repository)
        paths = {change.path for change in source.load().files}
    assert "new.py" in paths
    assert "private.py" not in paths
    assert not canary.exists()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("target", ["/nowhere/objects", "../../../../../etc", "fifo"])
def test_sources__alternates_lend_objects_and_nothing_else(hostile, tmp_path, target):
    repo, canary = hostile
    if target == "fifo":
        os.mkfifo(tmp_path / "fifo")
        target = str(tmp_path / "fifo")
    repo.write(".git/objects/info/alternates", f"{target}\n")
    with Repository.open(repo.root) as repository:
        assert [change.path for change in GitRangeSource(repository, "main", "work").load().files]
    assert not canary.exists()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["info/exclude", "shallow", "packed-refs", "FETCH_HEAD", "info/attributes"])
def test_sources__a_fifo_in_the_git_folder_is_not_waited_for(tmp_path, name):
    repo = Repo(tmp_path / "repo")
    repo.commit("base", **{"a.py": "a\n"})
    place = repo.root / ".git" / name
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    with Repository.open(repo.root) as repository:
        assert len(GitScanSource(repository).load().files) == 1
