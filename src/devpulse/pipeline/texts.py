"""The texts of both sides: read once, redacted as a whole, and shown in one form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from devpulse.core.annotated import ShownChange
from devpulse.core.change import FileChange, FileKind, FileVersion, Hunk, Side
from devpulse.core.content import kind_of
from devpulse.core.redaction import Redactor, find_secrets, redact
from devpulse.core.secrets.model import Secret
from devpulse.core.shown import ShownText
from devpulse.core.source_tree import SourceTree
from devpulse.core.text import decode
from devpulse.pipeline.gate import MAX_FILE_BYTES, MAX_LINE_NUMBER
from devpulse.pipeline.memo import Memo

_KEPT_TEXTS = 256


@dataclass(frozen=True, slots=True)
class RawText:
    """Unredacted text of one side; only rules and the index see it. ``complete`` is false when the
    text was put together from hunks, with blank lines between them."""

    text: str
    complete: bool


def text_of_hunks(hunks: Iterable[Hunk], side: Side) -> str:
    """What the hunks tell of a side, at its line numbers, blank where they tell nothing."""
    known: dict[int, str] = {}
    for hunk in hunks:
        for line in hunk.lines:
            number = line.new if side is Side.RIGHT else line.old
            if number is not None:
                known[number] = line.text
    return "".join(f"{known.get(number, '')}\n" for number in range(1, max(known, default=0) + 1))


def last_line(change: FileChange) -> int:
    """The highest line number that a change names on either side."""
    ends = (max(hunk.old_start + hunk.old_length, hunk.new_start + hunk.new_length) for hunk in change.hunks)
    return max(ends, default=0)


class SideTexts:
    """One side's texts by path. Thread-safe; the most recently used are kept."""

    def __init__(
        self,
        tree: SourceTree,
        side: Side,
        changes: Iterable[FileChange],
        redactor: Redactor,
        fragments: frozenset[str] = frozenset(),
    ) -> None:
        self._tree = tree
        self._side = side
        self._redactor = redactor
        self._fragments = fragments
        self._changes = {version.path: change for change in changes if (version := self._version(change)) is not None}
        self.raw = Memo(self._raw, _KEPT_TEXTS)
        self.shown = Memo(self._shown, _KEPT_TEXTS)
        self._secrets = Memo(self._find_secrets, len(self._changes) + _KEPT_TEXTS)

    def _version(self, change: FileChange) -> FileVersion | None:
        return change.head if self._side is Side.RIGHT else change.base

    def _raw(self, path: str) -> RawText | None:
        size = self._tree.size(path)
        return self._made_of(path, self._tree.read(path) if size is not None and size <= MAX_FILE_BYTES else None)

    def _made_of(self, path: str, data: bytes | None) -> RawText | None:
        """The text of a file with this content, or of its hunks where nothing was to be had."""
        change = self._changes.get(path)
        if data is not None and kind_of(data) is FileKind.TEXT:
            return RawText(decode(data), complete=path not in self._fragments)
        version = None if change is None else self._version(change)
        if change is None or version is None or version.kind is not FileKind.TEXT:
            return None
        if not change.hunks or last_line(change) > MAX_LINE_NUMBER:
            return None
        return RawText(text_of_hunks(change.hunks, self._side), complete=False)

    def learn(self) -> None:
        """Find the secrets of every changed file of this side, so that none of them is shown by another file."""
        for path, data in self._tree.read_many(self._changes, MAX_FILE_BYTES):
            self.raw.keep(path, self._made_of(path, data))
            self._secrets(path)
        for path in self._changes:  # and of those that could not be read
            self._secrets(path)

    def _find_secrets(self, path: str) -> tuple[Secret, ...]:
        raw = self.raw(path)
        secrets = () if raw is None else find_secrets(path, raw.text)
        self._redactor.learn(secrets)
        return secrets

    def _shown(self, path: str) -> ShownText | None:
        raw = self.raw(path)
        if raw is None:
            return None
        secrets = self._secrets(path)
        return ShownText.of(raw.text, lambda text: self._redactor.mask(redact(text, secrets)))


class ChangeTexts:
    """Both sides of a change."""

    def __init__(self, base: SideTexts, head: SideTexts) -> None:
        self.base = base
        self.head = head

    def shown(self, change: FileChange) -> ShownChange:
        """Both sides of a changed file as they may be shown."""
        return ShownChange(
            base=None if change.base is None else self.base.shown(change.base.path),
            head=None if change.head is None else self.head.shown(change.head.path),
        )
