"""A patch file as a change. The files it belongs to may be here before or after the patch, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from devpulse.adapters.overlay import OverlayTree
from devpulse.core.change import ChangeSet, FileChange, FileKind, FileStatus, FileVersion, Side
from devpulse.core.content import blob_id, kind_of
from devpulse.core.diff import parse_patch
from devpulse.core.diff_apply import apply_hunks, fragment, matches, shown
from devpulse.core.source_tree import SourceTree
from devpulse.core.text import decode, split_lines


class PatchFileSource:
    """``--diff FILE``: ``patch`` is its content, ``root`` the files around it (``folder_tree``, say).

    Where the file of ``root`` shows the lines of the head (or base) at their numbers, it is the head
    (or base) and the other side is computed; else both are put together from the hunks, with blank
    lines in between. ``fragments`` names the latter, valid after ``load``. Blob ids are those of the
    texts so found, never those of the patch.
    """

    def __init__(self, patch: bytes, root: SourceTree) -> None:
        self._patch = patch
        self._root = root
        self._sides: dict[Side, dict[str, bytes | None]] = {Side.LEFT: {}, Side.RIGHT: {}}
        self.fragments: frozenset[str] = frozenset()

    def load(self) -> ChangeSet:
        """Read the change; see ``PatchInvalid`` for what a patch may not be."""
        changes = parse_patch(decode(self._patch))
        # A path that is gone on one side, then what is there: a file may move to the place of another.
        for change in changes:
            if change.base is not None and change.status is not FileStatus.COPIED:
                self._sides[Side.RIGHT][change.base.path] = None
            if change.head is not None:
                self._sides[Side.LEFT].setdefault(change.head.path, None)
        files = tuple(self._place(change) for change in changes)
        reason = "given as a patch file"
        if self.fragments:
            reason += f"; {len(self.fragments)} of {len(files)} files are not here and known only by their hunks"
        return ChangeSet(None, files, "patch file", reason, self.fragments)

    def head(self) -> OverlayTree:
        """The tree of the head side."""
        return OverlayTree(self._sides[Side.RIGHT], self._root)

    def base(self) -> OverlayTree:
        """The tree of the base side."""
        return OverlayTree(self._sides[Side.LEFT], self._root)

    def _place(self, change: FileChange) -> FileChange:
        if FileKind.BINARY in {version.kind for version in (change.base, change.head) if version is not None}:
            return self._place_binary(change)
        texts = self._texts(change)
        base = self._keep(change.base, Side.LEFT, texts[0])
        head = self._keep(change.head, Side.RIGHT, texts[1])
        return replace(change, base=base, head=head)

    def _place_binary(self, change: FileChange) -> FileChange:
        """The content is not in the patch: the head is what lies there, the base is unknown."""
        if change.head is None:
            return change
        data = self._sides[Side.RIGHT][change.head.path] = self._root.read(change.head.path)
        if data is not None and kind_of(data) is FileKind.WIDE_TEXT:
            return replace(change, head=replace(change.head, kind=FileKind.WIDE_TEXT))
        return change

    def _keep(self, version: FileVersion | None, side: Side, data: bytes) -> FileVersion | None:
        if version is None:
            return None
        if version.kind is FileKind.TEXT:
            self._sides[side][version.path] = data
        return replace(version, blob=blob_id(data))

    def _texts(self, change: FileChange) -> tuple[bytes, bytes]:
        """Content of base and head."""
        if change.base is None or change.head is None or change.status is FileStatus.TYPE_CHANGED:
            return _only_hunks(change)
        after = self._root.read(change.head.path)
        if after is not None and _fits(after, change, Side.RIGHT):
            return _patched(after, change, Side.LEFT), after
        before = self._root.read(change.base.path)
        if before is not None and _fits(before, change, Side.LEFT):
            return before, _patched(before, change, Side.RIGHT)
        self.fragments |= {change.path}
        return _joined(fragment(change.hunks, Side.LEFT)), _joined(fragment(change.hunks, Side.RIGHT))


def _only_hunks(change: FileChange) -> tuple[bytes, bytes]:
    """Both texts of a file that is only on one side, or replaced as a whole: its hunks are all of it."""
    left, right = (_joined([text for _, text in shown(change.hunks, side)]) for side in (Side.LEFT, Side.RIGHT))
    return left, right


def _fits(data: bytes, change: FileChange, side: Side) -> bool:
    return matches(split_lines(decode(data)), change.hunks, side)


def _patched(data: bytes, change: FileChange, to: Side) -> bytes:
    if not change.hunks:
        return data
    lines = apply_hunks(split_lines(decode(data)), change.hunks, to)
    return _joined(lines, end=not data or data.endswith(b"\n"))


def _joined(lines: Sequence[str], *, end: bool = True) -> bytes:
    text = "\n".join(lines)
    return (text + "\n" if end and lines else text).encode()
