"""Atomic writes."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devpulse.adapters.atomic import write_atomic


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_write_atomic__makes_folders_and_a_readable_file(tmp_path):
    target = tmp_path / "a" / "b" / "x.json"
    write_atomic(target, "naïve\r\n日本")
    assert target.read_bytes() == "naïve\r\n日本".encode()
    assert stat.S_IMODE(target.stat().st_mode) == 0o644
    assert _names(target.parent) == ["x.json"]


def test_write_atomic__replaces_the_whole_file(tmp_path):
    target = tmp_path / "x"
    target.write_text("a much longer text than the new one")
    write_atomic(target, "new")
    assert target.read_text() == "new"


def test_write_atomic__a_symlink_is_replaced_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("kept")
    (tmp_path / "x").symlink_to(outside)
    write_atomic(tmp_path / "x", "new")
    assert outside.read_text() == "kept"
    assert not (tmp_path / "x").is_symlink()


def test_write_atomic__what_cannot_be_encoded_is_escaped(tmp_path):
    write_atomic(tmp_path / "x", "caf\udce9")
    assert (tmp_path / "x").read_text() == "caf\\udce9"


def test_write_atomic__failure_leaves_the_target_and_no_temporary_file(tmp_path):
    # A folder in the target's place makes the last step fail, after everything was written.
    target = tmp_path / "x"
    (target / "inner").mkdir(parents=True)
    with pytest.raises(OSError, match="x"):
        write_atomic(target, "new")
    assert _names(tmp_path) == ["x"]
    assert _names(target) == ["inner"]


def test_write_atomic__an_interruption_leaves_the_target_and_no_temporary_file(tmp_path):
    class Interrupting(str):
        __slots__ = ()

        def encode(self, *_args, **_options):
            raise KeyboardInterrupt

    (tmp_path / "x").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "x", Interrupting("new"))
    assert _names(tmp_path) == ["x"]
    assert (tmp_path / "x").read_text() == "old"


def test_write_atomic__a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        write_atomic(tmp_path / "file" / "x", "new")


def test_write_atomic__long_names_leave_room_for_the_temporary_one(tmp_path):
    write_atomic(tmp_path / ("日" * 80), "x")
    write_atomic(tmp_path / ("x" * 255), "x")
    assert len(_names(tmp_path)) == 2


def test_write_atomic__concurrent_writers_leave_one_whole_text(tmp_path):
    texts = [str(number) * 50_000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: write_atomic(tmp_path / "x", text), texts))
    assert (tmp_path / "x").read_text() in texts
    assert os.listdir(tmp_path) == ["x"]  # noqa: PTH208  (names only)
