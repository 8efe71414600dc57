"""Reads that never wait, whatever was put in a file's place."""

from __future__ import annotations

import os
import socket

import pytest

from devpulse.adapters.artifacts import FolderSink, output_folder
from devpulse.adapters.git.layout import find_layout, read_line
from devpulse.adapters.regular_files import is_regular, read_regular
from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.adapters.runner.event_file import read_trigger
from devpulse.adapters.runner.files import RunnerFiles
from devpulse.adapters.store import FolderStore
from devpulse.errors import ArtifactError, ConfigurationError, SourceError

pytestmark = pytest.mark.timeout(10)


def _fifo(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def _socket(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    here = os.open(".", os.O_RDONLY)
    os.chdir(path.parent)  # the address of a socket has at most 108 bytes
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.fchdir(here)
    os.close(here)


def _folder(path):
    path.mkdir(parents=True)


def _device(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to("/dev/zero")


ODD = pytest.mark.parametrize("make", [_fifo, _socket, _folder, _device])


@ODD
@pytest.mark.parametrize("follow", [True, False])
def test_read_regular__what_is_no_regular_file_is_refused_at_once(tmp_path, make, follow):
    make(tmp_path / "odd")
    with pytest.raises(OSError, match=r"not a regular file|Is a directory"):
        read_regular(tmp_path / "odd", 10, follow=follow)
    assert not is_regular(tmp_path / "odd")


def test_read_regular__at_most_what_was_asked_for_and_links_only_when_wanted(tmp_path):
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "file", 4) == b"0123"
    assert read_regular(tmp_path / "link", 99) == b"0123456789"
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(tmp_path / "link", 99, follow=False)
    assert (is_regular(tmp_path / "file"), is_regular(tmp_path / "link")) == (True, False)
    assert not is_regular(tmp_path / "absent")
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "absent", 1)


@ODD
def test_store__an_entry_that_is_no_file_is_damaged(tmp_path, make):
    key = "ab" * 32
    make(tmp_path / key[:2] / f"{key}.json")
    store = FolderStore(tmp_path)
    assert store.load(key) is None
    assert store.damaged == [key]


def test_store__an_entry_behind_a_symlink_is_not_believed_and_replaced_by_the_next(tmp_path):
    key = "ab" * 32
    elsewhere = FolderStore(tmp_path / "elsewhere")
    elsewhere.save(key, {"planted": True})
    target = tmp_path / "elsewhere" / key[:2] / f"{key}.json"
    path = tmp_path / "state" / key[:2] / f"{key}.json"
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    store = FolderStore(tmp_path / "state")
    assert store.load(key) is None
    assert store.damaged == [key]
    store.save(key, {"mine": True})
    assert store.load(key) == {"mine": True}
    assert elsewhere.load(key) == {"planted": True}


def test_store__a_huge_entry_is_not_read(tmp_path):
    key = "ab" * 32
    path = tmp_path / key[:2] / f"{key}.json"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        file.truncate(10**12)
    store = FolderStore(tmp_path)
    assert store.load(key) is None
    assert store.damaged == [key]


@pytest.mark.parametrize("make", [_fifo, _socket, _device])
@pytest.mark.parametrize("name", ["run_log.jsonl", "progress_notes.md"])
def test_sink__what_stands_in_the_place_of_a_log_is_replaced(tmp_path, make, name):
    make(tmp_path / "out" / name)
    sink = FolderSink(tmp_path / "out", str)
    sink.prepare(fresh=False)
    sink.append(name, "a line")
    assert is_regular(tmp_path / "out" / name)
    assert (sink.read(name) or "").startswith("a line")


def test_sink__a_log_is_never_written_through_a_symlink(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "run_log.jsonl").symlink_to(victim)
    sink = FolderSink(tmp_path / "out", str)
    sink.prepare(fresh=False)
    sink.append("run_log.jsonl", "{}")
    assert victim.read_text() == "mine\n"


@ODD
def test_sink__what_is_no_file_reads_as_absent(tmp_path, make):
    make(tmp_path / "findings.json")
    assert FolderSink(tmp_path, str).read("findings.json") is None


@ODD
def test_output_folder__its_mark_has_to_be_a_file(tmp_path, make):
    make(tmp_path / "out" / ".gitignore")
    (tmp_path / "out" / "somebody's").write_text("x")
    with pytest.raises(ConfigurationError, match="did not write"):
        output_folder(tmp_path, "out", lambda _path: False)


@ODD
def test_event_file__what_is_no_file_is_named(tmp_path, make):
    make(tmp_path / "event.json")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_trigger("pull_request", tmp_path / "event.json")


def test_runner_files__a_fifo_that_nobody_reads_is_an_error(tmp_path):
    _fifo(tmp_path / "output")
    environ = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": "/event.json",
        "GITHUB_REPOSITORY": "octo/shop",
        "GITHUB_WORKSPACE": "/github/workspace",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }
    with pytest.raises(ArtifactError, match="cannot be written"):
        RunnerFiles(RunnerEnvironment.from_environ(environ)).write_outputs({"risk": "none"})


@pytest.mark.parametrize("make", [_fifo, _socket])
@pytest.mark.parametrize("name", [".git", ".git/HEAD", ".git/commondir"])
def test_layout__what_is_no_file_is_not_waited_for(tmp_path, make, name):
    make(tmp_path / name)
    assert read_line(tmp_path / name) == ""
    with pytest.raises(SourceError):
        find_layout(tmp_path)
