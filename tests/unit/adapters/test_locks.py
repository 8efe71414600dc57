"""Advisory locks."""

from __future__ import annotations

import errno
import fcntl
import gc
import os
import signal
import subprocess
import sys

import pytest

from devpulse.adapters.locks import try_lock

HOLDER = (
    "import sys, time; from pathlib import Path; from devpulse.adapters.locks import try_lock; "
    "lock = try_lock(Path(sys.argv[1])); print('held' if lock else 'taken', flush=True); sys.stdin.read()"
)


def _holder(path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_try_lock__one_at_a_time_until_it_is_released(tmp_path):
    lock = try_lock(tmp_path / "x")
    assert lock is not None
    assert try_lock(tmp_path / "x") is None
    lock.release()
    lock.release()
    assert try_lock(tmp_path / "x") is not None


def test_try_lock__a_dropped_lock_is_free(tmp_path):
    lock = try_lock(tmp_path / "x")
    assert lock is not None
    del lock
    gc.collect()
    assert try_lock(tmp_path / "x") is not None


def test_try_lock__another_process_holds_it_until_it_is_killed(tmp_path):
    holder = _holder(tmp_path / "x")
    assert try_lock(tmp_path / "x") is None
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert try_lock(tmp_path / "x") is not None


def test_try_lock__programs_started_meanwhile_do_not_keep_it(tmp_path):
    lock = try_lock(tmp_path / "x")
    assert lock is not None
    command = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(command, close_fds=False, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()  # it runs: until then it still has what this process has open
        lock.release()
        assert try_lock(tmp_path / "x") is not None
        child.communicate(b"\n")


def test_try_lock__what_cannot_be_opened_is_an_error(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for path in (tmp_path / "missing" / "x", tmp_path / "link"):
        with pytest.raises(OSError, match=path.name):
            try_lock(path)
    with pytest.raises(FileNotFoundError):
        try_lock(tmp_path / "x", create=False)
    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "elsewhere").exists()


def test_try_lock__a_file_that_may_only_be_read_will_do(tmp_path, monkeypatch):
    (tmp_path / "x").touch()
    opened = os.open

    def refuse_writing(path, flags, *rest):
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, flags, *rest)

    monkeypatch.setattr(os, "open", refuse_writing)
    assert try_lock(tmp_path / "x") is not None


def test_try_lock__a_file_system_without_locks_is_an_error_and_leaves_nothing_open(tmp_path, monkeypatch):
    def unsupported(_descriptor, _operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0  # noqa: PTH112, PTH208  (a number)
    with pytest.raises(OSError, match="No locks"):
        try_lock(tmp_path / "x")
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0  # noqa: PTH112, PTH208  (a number)
    assert after == before
