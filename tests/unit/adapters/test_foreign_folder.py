import os

import pytest

from devpulse.adapters import foreign_folder
from devpulse.adapters.foreign_folder import read_foreign
from devpulse.errors import ResultsRefused


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in" / "findings").mkdir(parents=True)
    (tmp_path / "in" / "findings.json").write_bytes(b"{}")
    (tmp_path / "secret.json").write_bytes(b"secret")
    return tmp_path / "in"


def test_read_foreign__findings_and_tasks_by_name(folder):
    for name in ("b.json", "a.json", "c.txt"):
        (folder / "findings" / name).write_bytes(name.encode())
    (folder / "findings" / "d.json").mkdir()
    read = read_foreign(folder)
    assert (read.findings, read.tasks, read.left_out) == (b"{}", (b"a.json", b"b.json"), 1)


def test_read_foreign__links_and_pipes_are_left_out(folder):
    (folder / "findings" / "a.json").symlink_to(folder.parent / "secret.json")
    os.mkfifo(folder / "findings" / "b.json")
    read = read_foreign(folder)
    assert (read.tasks, read.left_out) == ((), 2)


def test_read_foreign__a_folder_that_is_a_link_is_not_entered(folder, tmp_path):
    (folder / "findings").rmdir()
    (folder / "findings").symlink_to(tmp_path)
    assert read_foreign(folder).tasks == ()


def test_read_foreign__without_tasks(folder):
    (folder / "findings").rmdir()
    assert read_foreign(folder).tasks == ()


@pytest.mark.parametrize("kind", ["missing", "link", "fifo", "folder", "large"])
def test_read_foreign__findings_that_are_no_file_are_refused(folder, monkeypatch, kind):
    path = folder / "findings.json"
    path.unlink()
    monkeypatch.setattr(foreign_folder, "MAX_FINDINGS_BYTES", 10)
    match kind:
        case "link":
            path.symlink_to(folder.parent / "secret.json")
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "large":
            path.write_bytes(b" " * 11)
    with pytest.raises(ResultsRefused) as caught:
        read_foreign(folder)
    assert "findings.json" in str(caught.value)


def test_read_foreign__limits_of_number_and_size(folder, monkeypatch):
    monkeypatch.setattr(foreign_folder, "MAX_TASKS", 3)
    monkeypatch.setattr(foreign_folder, "MAX_TASK_BYTES", 5)
    monkeypatch.setattr(foreign_folder, "MAX_BYTES", 12)
    for number, size in enumerate((6, 5, 5, 1, 0, 0)):
        (folder / "findings" / f"{number}.json").write_bytes(b"x" * size)
    read = read_foreign(folder)
    assert [len(data) for data in read.tasks] == [5, 5, 0]
    assert read.left_out == 3
