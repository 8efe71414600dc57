"""Differences between sets of files that no commit of the repository holds together.

Objects that come from elsewhere are put into a store of our own, beside the repository's; then git compares
as it would in a full clone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.git.difftree import diff_trees
from devpulse.adapters.git.layout import Layout
from devpulse.adapters.git.objects import ObjectReader, write_blob
from devpulse.adapters.git.scratch import Scratch
from devpulse.core.change import FileChange
from devpulse.core.diff_headers import decode_name, encode_name


@dataclass(frozen=True, slots=True)
class Listed:
    """A file, link or submodule of a tree; ``size`` in bytes is ``None`` where it is not known, or of a submodule."""

    mode: str
    sha: str
    size: int | None


class Assembly:
    """The store and what git says about it. Safe to use from several threads."""

    def __init__(self, scratch: Scratch, reader: ObjectReader) -> None:
        self._scratch = scratch
        self._reader = reader
        self._numbers = itertools.count()

    def listing(self, commit: str) -> dict[str, Listed]:
        """Everything in the tree of a commit that is here, by path.

        Raises:
            SourceError: a tree of it is missing.
        """
        output = self._scratch.git.check(["ls-tree", "-r", "-z", "-l", "--full-tree", commit])
        found: dict[str, Listed] = {}
        for line in output.split(b"\0")[:-1]:
            about, _, name = line.partition(b"\t")
            mode, _, sha, size = about.decode().split()
            found[decode_name(name)] = Listed(mode, sha, int(size) if size.isdigit() else None)
        return found

    def present(self, shas: Iterable[str]) -> frozenset[str]:
        """Those of ``shas`` whose objects are here."""
        feed = "".join(f"{sha}\n" for sha in sorted(set(shas))).encode()
        if not feed:
            return frozenset()
        answers = self._scratch.git.check(["cat-file", "--batch-check"], feed=feed).decode().splitlines()
        return frozenset(answer.split()[0] for answer in answers if not answer.endswith(" missing"))

    def store(self, data: bytes) -> str:
        """Put a file into the store; gives its id."""
        return write_blob(self._scratch.objects, data, self._scratch.object_format)

    def read_many(self, shas: Sequence[str]) -> list[bytes | None]:
        """The contents of ``shas`` in their order, ``None`` for what is not here."""
        return list(self._reader.read_many(shas))

    def changes(self, old: Mapping[str, Listed], new: Mapping[str, Listed]) -> tuple[FileChange, ...]:
        """The differences between two sets of files, whose objects must be here.

        Raises:
            SourceError: git failed, most likely for a missing object or a name git does not accept.
        """
        return diff_trees(self._scratch, self._reader, self._tree(old), self._tree(new))

    def _tree(self, files: Mapping[str, Listed]) -> str:
        feed = b"".join(
            b"%s %s\t%s\0" % (entry.mode.encode(), entry.sha.encode(), encode_name(path))
            for path, entry in files.items()
        )
        index = {"GIT_INDEX_FILE": str(self._scratch.git_dir / f"assembly-{next(self._numbers)}")}
        git = self._scratch.git
        git.check(["read-tree", "--empty"], variables=index)
        git.check(["update-index", "--replace", "-z", "--index-info"], feed=feed, variables=index)
        return git.check(["write-tree", "--missing-ok"], variables=index).decode().strip()


def blank_layout(folder: Path) -> Layout:
    """A repository without objects in an empty folder: for when there is no checkout at all."""
    for name in ("objects", "refs"):
        (folder / name).mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/none\n")
    return Layout(folder, folder, folder, bare=True)
