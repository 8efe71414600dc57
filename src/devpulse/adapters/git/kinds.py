"""Text or binary by our rule where git does not show lines, and the lines of what is text after all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devpulse.adapters.git.objects import ObjectReader
from devpulse.adapters.git.process import Git, failed
from devpulse.adapters.git.records import Entry, Part, read_section
from devpulse.core.change import FileKind, Hunk
from devpulse.core.content import kind_of
from devpulse.core.text import BINARY_PROBE_BYTES, DIFF_LIMIT_BYTES


def versions_kinds(git: Git, reader: ObjectReader, parts: Iterable[Part]) -> tuple[dict[str, FileKind], frozenset[str]]:
    """The kind of each regular file among ``parts``, by blob id, and the blobs above ``DIFF_LIMIT_BYTES``.

    Raises:
        SourceError: a blob is missing.
    """
    entries = (entry for part in parts for entry in (part.old, part.new))
    shas = sorted({entry.sha for entry in entries if entry is not None and entry.kind is None})
    kinds: dict[str, FileKind] = {}
    sizes = dict(zip(shas, blob_sizes(git, shas), strict=True))
    large = frozenset(sha for sha, size in sizes.items() if size > DIFF_LIMIT_BYTES)
    for sha in shas:
        data = blob_beginning(git, sha) if sha in large else reader.read(sha)
        if data is None:
            raise failed("cat-file", f"object {sha} is missing")
        kinds[sha] = kind_of(data)
    return kinds, large


def blob_sizes(git: Git, shas: Sequence[str]) -> list[int]:
    """The sizes in bytes of ``shas``, in their order.

    Raises:
        SourceError: one is missing.
    """
    if not shas:
        return []
    feed = "".join(f"{sha}\n" for sha in shas).encode()
    sizes = []
    for line in git.check(["cat-file", "--batch-check"], feed=feed).splitlines():
        if line.endswith(b" missing"):
            raise failed("cat-file", f"object {line[:-8].decode()} is missing")
        sizes.append(int(line.rsplit(b" ", 1)[1]))
    return sizes


def blob_beginning(git: Git, sha: str) -> bytes:
    """The first ``BINARY_PROBE_BYTES`` of a blob that is there."""
    with git.start(["cat-file", "blob", sha]) as child:
        return child.answers.read(BINARY_PROBE_BYTES)


def text_diffs(git: Git, parts: Sequence[Part], diff_format: Sequence[str]) -> list[tuple[Hunk, ...]]:
    """Compare ``parts`` as text whatever git thinks of them.

    Two small trees with numbered names are compared, so that no file name is passed and each result is
    told by its order. Both sides are held in memory and shown, however large they are.

    Raises:
        SourceError: git failed.
    """
    trees = [_numbered_tree(git, side) for side in ([part.old for part in parts], [part.new for part in parts])]
    arguments = ["diff-tree", "-p", "--text", "--no-renames", *diff_format, *trees]
    sections: list[list[bytes]] = []
    # Not splitlines: it would also split at carriage returns.
    for line in git.check(arguments).split(b"\n")[:-1]:
        if line.startswith(b"diff --git "):
            sections.append([])
        sections[-1].append(line + b"\n")
    return [read_section(section) or () for section in sections]


def _numbered_tree(git: Git, entries: Sequence[Entry | None]) -> str:
    lines = [
        f"{entry.mode} blob {entry.sha}\t{number:08}\n" for number, entry in enumerate(entries) if entry is not None
    ]
    return git.check(["mktree"], feed="".join(lines).encode()).decode().strip()
