"""One run at a time in an output folder."""

from __future__ import annotations

import errno

import pytest

from devpulse.adapters.output_lock import LOCK_NAME, lock_output
from devpulse.errors import ArtifactError, OutputFolderInUse


def test_lock_output__makes_the_folder_and_keeps_others_out(tmp_path):
    lock = lock_output(tmp_path / "a" / "out")
    assert lock.missing == ""
    assert [entry.name for entry in (tmp_path / "a" / "out").iterdir()] == [LOCK_NAME]
    with pytest.raises(OutputFolderInUse, match="another run") as refused:
        lock_output(tmp_path / "a" / "out")
    assert isinstance(refused.value, ArtifactError)
    assert "--output-dir" in refused.value.hint
    lock.release()
    assert lock_output(tmp_path / "a" / "out").missing == ""


def test_lock_output__other_folders_are_free(tmp_path):
    held = lock_output(tmp_path / "one")
    assert lock_output(tmp_path / "two").missing == ""
    held.release()


def test_lock_output__without_locks_the_run_goes_on_and_says_why(tmp_path, monkeypatch):
    def unsupported(_descriptor, _operation):
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", unsupported)
    lock = lock_output(tmp_path / "out")
    assert lock.missing == "Operation not supported"
    lock.release()


def test_lock_output__where_nothing_can_be_written_the_first_artifact_says_so(tmp_path):
    (tmp_path / "out").write_text("a file")
    assert lock_output(tmp_path / "out").lock is None
