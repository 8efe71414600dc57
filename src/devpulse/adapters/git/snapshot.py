"""The working tree as a git tree: bytes from disk, hashed here, so that no filter of the repository runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.folder import is_below
from devpulse.adapters.git.checkout import as_committed
from devpulse.adapters.git.large import is_committed, write_large_blob
from devpulse.adapters.git.layout import Layout
from devpulse.adapters.git.objects import ObjectReader, write_blob
from devpulse.adapters.git.process import failed
from devpulse.adapters.git.records import Entry
from devpulse.adapters.git.scratch import Scratch
from devpulse.adapters.git.tracked import copied_index
from devpulse.adapters.work_tree import Found, look, open_regular, read_link
from devpulse.core.content import blob_id
from devpulse.core.diff_headers import decode_name, encode_name
from devpulse.core.text import DIFF_LIMIT_BYTES
from devpulse.errors import SourceError

_STAGED = re.compile(rb"(\S+) (\d{6}) ([0-9a-f]+) ([0-3])\t(.+)", re.DOTALL)
_LOCKED = re.compile(rb"^warning: could not open directory '(.+/)': (?!No such file)", re.MULTILINE)
"""How git, in the C locale, tells of a folder that it passes over."""

LINK, SUBMODULE = "120000", "160000"


@dataclass(frozen=True, slots=True)
class Staged:
    """An entry of the index. ``sha`` is ``None`` while the file has conflicts; ``sparse``: not to be on disk."""

    mode: str
    sha: str | None
    sparse: bool


class WorkingFiles:
    """What is tracked, what is on disk, and a tree of it. The index is a copy: git never touches the real one."""

    def __init__(
        self,
        scratch: Scratch,
        layout: Layout,
        reader: ObjectReader,
        exclude: frozenset[str],
        index: Path | None = None,
    ) -> None:
        self._scratch = scratch
        self._root = layout.root
        self._reader = reader
        self._exclude = exclude
        self.nested: list[str] = []
        self.unread: list[str] = []
        self._index = copied_index(scratch, layout, index)
        self._trust_modes = scratch.settings.get("core.filemode") != "false"

    def staged_tree(self) -> str:
        """The tree of the index.

        Raises:
            SourceError: files have conflicts.
        """
        done = self._scratch.git.run(["write-tree", "--missing-ok"], variables=self._index)
        if done.status:
            raise SourceError(
                f"The index cannot be read as a tree: {done.complaint}", hint="Resolve the conflicts and git add them."
            )
        return done.output.decode().strip()

    def tree(self) -> str:
        """Write a tree of the files as they are on disk: tracked ones, and untracked ones not ignored.

        Raises:
            SourceError: a file cannot be read, or git failed.
        """
        entries = dict(self.entries())
        feed = b"".join(
            b"%s %s\t%s\0" % (entry.mode.encode(), entry.sha.encode(), encode_name(path))
            for path, entry in entries.items()
        )
        index = {"GIT_INDEX_FILE": str(self._scratch.git_dir / "snapshot")}
        git = self._scratch.git
        git.check(["read-tree", "--empty"], variables=index)
        git.check(["update-index", "--replace", "-z", "--index-info"], feed=feed, variables=index)
        return git.check(["write-tree", "--missing-ok"], variables=index).decode().strip()

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Every file on disk with its mode and blob; blobs the repository lacks are stored in our own store."""
        for path, staged in self.tracked().items():
            entry = self._tracked_entry(path, staged)
            if entry is not None:
                yield path, entry
        for path in self.untracked():
            found = self._look(path)
            if found is not None:
                sha = self._store_large(path, None) if _is_large(found) else self._store(self._content(path, found))
                yield path, Entry(found.mode, sha)

    def tracked(self) -> dict[str, Staged]:
        """The entries of the index by path."""
        output = self._scratch.git.check(["ls-files", "-s", "-t", "-z"], variables=self._index)
        found: dict[str, Staged] = {}
        for line in output.split(b"\0")[:-1]:
            match = _STAGED.fullmatch(line)
            if match is None:
                raise SourceError(f"git gave an unknown index entry: {line[:80]!r}.", hint="Run git fsck.")
            tag, mode, sha, stage, name = match.groups()
            merged = stage == b"0"
            staged = Staged(mode.decode(), sha.decode() if merged else None, sparse=tag == b"S")
            found.setdefault(decode_name(name), staged)
        return found

    def untracked(self) -> list[str]:
        """Files that are neither tracked nor ignored. A repository inside this one is not entered.

        Afterwards ``nested`` names such repositories, and ``unread`` the folders that could not be listed.
        """
        arguments = ["ls-files", "-o", "--exclude-standard", "-z"]
        variables = {**self._index, "GIT_WORK_TREE": str(self._root)}
        done = self._scratch.git.run(arguments, folder=self._root, variables=variables)
        if done.status:
            raise failed("ls-files", done.complaint)
        self.unread = self._wanted(_LOCKED.findall(done.warnings))
        names = self._wanted(done.output.split(b"\0")[:-1])
        self.nested = [name.rstrip("/") for name in names if name.endswith("/")]
        return [name for name in names if not name.endswith("/")]

    def _wanted(self, names: Iterable[bytes]) -> list[str]:
        decoded = (decode_name(name) for name in names)
        return [name for name in decoded if not is_below(name.rstrip("/"), self._exclude)]

    def present(self, paths: Iterable[str]) -> Iterator[tuple[str, Found]]:
        """Those of ``paths`` that are a regular file or symlink on disk, and what they are."""
        for path in paths:
            found = self._look(path)
            if found is not None:
                yield path, found

    def _tracked_entry(self, path: str, staged: Staged) -> Entry | None:
        if staged.mode == SUBMODULE or is_below(path, self._exclude):
            return None if staged.sha is None else Entry(staged.mode, staged.sha)
        found = self._look(path)
        if found is None:
            return Entry(staged.mode, staged.sha) if staged.sparse and staged.sha else None
        mode = self._mode(found, staged.mode)
        if _is_large(found):
            return Entry(mode, self._store_large(path, staged.sha))
        data = self._content(path, found)
        if staged.sha is not None and blob_id(data, self._scratch.object_format) == staged.sha:
            # A file system without symlinks has a regular file with the target in it.
            return Entry(staged.mode if staged.mode == LINK else mode, staged.sha)
        if staged.sha is None or LINK in {found.mode, staged.mode}:
            return Entry(mode, self._store(data))
        kept = as_committed(data, self._reader.read(staged.sha))
        return Entry(mode, staged.sha if kept is None else self._store(kept))

    def _mode(self, found: Found, staged_mode: str) -> str:
        if self._trust_modes or LINK in {found.mode, staged_mode}:
            return found.mode
        return staged_mode

    def _look(self, path: str) -> Found | None:
        try:
            return look(self._root, path)
        except OSError as error:
            raise unreadable(self._root, path, error) from error

    def _content(self, path: str, found: Found) -> bytes:
        try:
            if found.mode == LINK:
                return read_link(self._root, path)
            with open_regular(self._root, path) as file:
                return b"" if file is None else file.read()
        except OSError as error:
            raise unreadable(self._root, path, error) from error

    def _store_large(self, path: str, staged: str | None) -> str:
        """The blob of a file too large to hold: the staged one when it is the same, else a new one."""
        algorithm = self._scratch.object_format
        try:
            with open_regular(self._root, path) as file:
                if file is None:
                    return self._store(b"")
                if staged is not None and is_committed(self._scratch.git, file, staged, algorithm):
                    return staged
                return write_large_blob(self._scratch.objects, file, algorithm)
        except OSError as error:
            raise unreadable(self._root, path, error) from error

    def _store(self, data: bytes) -> str:
        return write_blob(self._scratch.objects, data, self._scratch.object_format)


def _is_large(found: Found) -> bool:
    return found.mode != LINK and found.size > DIFF_LIMIT_BYTES


def unreadable(root: Path, path: str, error: OSError) -> SourceError:
    """The error for a file that cannot be read: what is not read must not look unchanged."""
    return SourceError(
        f"{path!r} in {str(root)!r} cannot be read: {error.strerror}.",
        hint="Make it readable, or list it in .gitignore if it is not part of the project.",
    )
