"""Folders with the artifacts of shards, written on other machines: only regular files of a sane size are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.regular_files import read_regular
from devpulse.errors import ConfigurationError
from devpulse.output.shard_v1 import SHARD_NAME

_MOST_BYTES = 64_000_000
"""Far above a result or a log of a shard."""

_MOST_FOLDERS = 1_000
"""A matrix has at most 256 jobs."""


@dataclass(frozen=True, slots=True)
class ShardFolder:
    """One folder. Nothing is read through a symlink, and nothing outside."""

    folder: Path
    name: str

    def read(self, name: str) -> str | None:
        """As ``ArtifactFolder.read``."""
        path = self.folder
        try:
            for part in name.split("/"):
                if path.is_symlink() or part in ("", ".", ".."):
                    return None
                path = path / part
            data = read_regular(path, _MOST_BYTES + 1, follow=False)
            return None if len(data) > _MOST_BYTES else data.decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None


def shard_folders(names: Iterable[str], root: Path = Path()) -> tuple[ShardFolder, ...]:
    """The folders of shards: each named one, or where it holds no shard itself, those inside it.

    ``root`` is what relative names start from.

    Raises:
        ConfigurationError: a name is no folder, or one cannot be listed, or holds far too many others.
    """
    return tuple(found for name in names for found in _folders(root / name, name))


def _folders(path: Path, name: str) -> list[ShardFolder]:
    hint = "Name the folders that review --shard wrote to, or one that holds them."
    try:
        if not path.is_dir():
            raise ConfigurationError(f"there is no folder {name!r} to merge", hint=hint)
        own = [ShardFolder(path, name)]
        if (path / SHARD_NAME).exists():
            return own
        inside = sorted(entry for entry in path.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError as error:
        raise ConfigurationError(f"the folder {name!r} cannot be read: {error.strerror}", hint=hint) from error
    if len(inside) > _MOST_FOLDERS:
        raise ConfigurationError(f"the folder {name!r} holds {len(inside):,} others", hint=hint)
    return [ShardFolder(entry, f"{name}/{entry.name}") for entry in inside] or own
