"""Temporary folders and what sudden deaths leave of them."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from devpulse.adapters.scratch_folder import MIN_AGE_SECONDS, ScratchFolder, remove_abandoned

LATER = time.time() + 10 * MIN_AGE_SECONDS
HOLDER = (
    "import sys; from devpulse.adapters.scratch_folder import ScratchFolder; "
    "made = ScratchFolder('git'); (made.path / 'x').mkdir(); print(made.path, flush=True); sys.stdin.read()"
)


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_scratch_folder__is_private_and_goes_with_all_that_is_in_it(temporary):
    made = ScratchFolder("git")
    (made.path / "a").mkdir()
    (made.path / "a" / "b").write_text("x")
    assert made.path.parent == temporary
    assert made.path.name.startswith("devpulse-git-")
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o700
    made.remove()
    made.remove()
    assert list(temporary.iterdir()) == []


def test_remove_abandoned__only_what_a_dead_process_left(temporary):
    mine = ScratchFolder("blank")
    process = subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    theirs = temporary / os.path.basename(process.stdout.readline().strip())  # noqa: PTH119  (a line of text)
    assert theirs.is_dir()
    remove_abandoned(LATER)
    assert theirs.is_dir()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    remove_abandoned(time.time())
    assert theirs.is_dir()  # too young: it might just be made
    remove_abandoned(LATER)
    assert [entry.name for entry in temporary.iterdir()] == [mine.path.name]
    mine.remove()


def test_remove_abandoned__one_whose_process_died_before_it_made_the_lock(temporary):
    (temporary / "devpulse-git-empty123").mkdir()
    (temporary / "devpulse-git-full1234").mkdir()
    (temporary / "devpulse-git-full1234" / "x").touch()
    remove_abandoned(LATER)
    assert [entry.name for entry in temporary.iterdir()] == ["devpulse-git-full1234"]


def test_remove_abandoned__touches_nothing_that_is_not_ours(temporary):
    for name in ("devpulse-other-x1", "devpulse-git-a.b", "mine", "Xdevpulse-git-abc"):
        (temporary / name).mkdir()
        (temporary / name / "devpulse.lock").touch()
    (temporary / "mine" / "kept").touch()
    (temporary / "devpulse-git-link1").symlink_to(temporary / "mine")
    (temporary / "devpulse-git-file1").touch()
    before = sorted(temporary.rglob("*"))
    remove_abandoned(LATER)
    assert sorted(temporary.rglob("*")) == before


def test_remove_abandoned__a_link_in_the_place_of_the_lock_is_not_followed(temporary):
    folder = temporary / "devpulse-git-trap1"
    folder.mkdir()
    (temporary / "target").touch()
    (folder / "devpulse.lock").symlink_to(temporary / "target")
    remove_abandoned(LATER)
    assert folder.is_dir()


def test_remove_abandoned__folders_of_other_users_stay(temporary, monkeypatch):
    (temporary / "devpulse-git-theirs").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    remove_abandoned(LATER)
    assert (temporary / "devpulse-git-theirs").is_dir()


def test_remove_abandoned__without_locks_nothing_goes(monkeypatch):
    def unsupported(_descriptor, _operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", unsupported)
    made = ScratchFolder("git")
    remove_abandoned(LATER)
    assert made.path.is_dir()
    made.remove()
    assert not made.path.exists()


def test_remove_abandoned__no_temporary_folder_is_no_error(temporary, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(temporary / "missing"))
    remove_abandoned(LATER)
