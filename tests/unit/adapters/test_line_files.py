"""Files of whole lines."""

from __future__ import annotations

import errno
import io
from pathlib import Path

import pytest

from devpulse.adapters.line_files import append_line, drop_torn_end


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b""),
        (b"whole\n", b"whole\n"),
        (b"whole\ntor", b"whole\n"),
        (b"torn", b""),
        (b"whole\n\x00\x00\x00", b"whole\n"),
        (b"a\n" + b"x" * 200_000, b"a\n"),
        (b"x" * 65_536, b""),
        (b"x" * 65_535 + b"\n" + b"y" * 65_536, b"x" * 65_535 + b"\n"),
        (b"\n", b"\n"),
    ],
)
def test_drop_torn_end__whole_lines_stay(tmp_path, before, after):
    (tmp_path / "log").write_bytes(before)
    assert drop_torn_end(tmp_path / "log") == len(before) - len(after)
    assert (tmp_path / "log").read_bytes() == after
    assert drop_torn_end(tmp_path / "log") == 0


def test_drop_torn_end__no_file_is_whole(tmp_path):
    assert drop_torn_end(tmp_path / "log") == 0
    assert not (tmp_path / "log").exists()


def test_append_line__one_line_each(tmp_path):
    append_line(tmp_path / "log", "one")
    append_line(tmp_path / "log", "caf\udce9")
    assert (tmp_path / "log").read_bytes() == b"one\ncaf\\udce9\n"


class _NearlyFull(io.FileIO):
    """Takes ten bytes at a time, and ``room`` bytes in all."""

    room = 1_000

    def write(self, data, /):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = min(10, self.room, len(data))
        type(self).room -= taken
        return super().write(bytes(data)[:taken])


def _open_nearly_full(monkeypatch, room):
    _NearlyFull.room = room
    monkeypatch.setattr(Path, "open", lambda self, mode, **_options: _NearlyFull(self, mode.replace("b", "")))


def test_append_line__what_the_disk_takes_in_parts_is_whole_in_the_end(tmp_path, monkeypatch):
    _open_nearly_full(monkeypatch, 1_000)
    append_line(tmp_path / "log", "x" * 100)
    assert (tmp_path / "log").read_bytes() == b"x" * 100 + b"\n"


def test_append_line__a_full_disk_leaves_no_part_of_a_line(tmp_path, monkeypatch):
    (tmp_path / "log").write_bytes(b"whole\n")
    _open_nearly_full(monkeypatch, 25)
    with pytest.raises(OSError, match="No space"):
        append_line(tmp_path / "log", "x" * 100)
    assert (tmp_path / "log").read_bytes() == b"whole\n"
