"""Folders with the artifacts of shards."""

from __future__ import annotations

import os

import pytest

from devpulse.adapters.shard_folders import ShardFolder, shard_folders
from devpulse.errors import ConfigurationError
from devpulse.output.shard_v1 import SHARD_NAME


def test_shard_folders__each_named_one_or_those_inside(tmp_path):
    for name in ("one", "all/1", "all/2"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / SHARD_NAME).write_text("{}")
    (tmp_path / "all" / "note.txt").write_text("")
    (tmp_path / "all" / "linked").symlink_to(tmp_path / "one")
    (tmp_path / "empty").mkdir()
    found = shard_folders(["one", "all", "empty"], tmp_path)
    assert [each.name for each in found] == ["one", "all/1", "all/2", "empty"]
    assert [each.read(SHARD_NAME) for each in found] == ["{}", "{}", "{}", None]


def test_shard_folders__no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for name in ("gone", "file"):
        with pytest.raises(ConfigurationError, match="there is no folder"):
            shard_folders([name], tmp_path)


def test_read__regular_files_inside_only(tmp_path):
    folder = tmp_path / "shard"
    (folder / "findings").mkdir(parents=True)
    (folder / "findings" / "a.json").write_text("{}")
    (tmp_path / "secret").write_text("x")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "away").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    (folder / "bytes").write_bytes(b"\xff")
    shard = ShardFolder(folder, "shard")
    assert shard.read("findings/a.json") == "{}"
    for name in ("link", "away/secret", "../secret", "pipe", "bytes", "findings", "gone", "findings/../link"):
        assert shard.read(name) is None, name
