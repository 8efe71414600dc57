"""The change under review with everything that can be asked about it, and what was read of it so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from devpulse.core.change import ChangeSet, FileChange, Side
from devpulse.core.fence import Fence
from devpulse.core.redaction import Redactor
from devpulse.core.source_tree import SourceTree
from devpulse.core.symbols import SymbolSearch
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.memo import Memo
from devpulse.pipeline.prepare import Prepared, prepare
from devpulse.pipeline.texts import ChangeTexts, SideTexts


@dataclass(frozen=True, slots=True)
class Work:
    """The change under review and everything that can be asked about it."""

    change_set: ChangeSet
    base: SourceTree
    head: SourceTree
    index: SymbolSearch
    gate: PathGate
    redactor: Redactor
    fence: Fence


@dataclass(frozen=True, slots=True)
class Reading:
    """The texts of a change, and what the rules make of each of its files; several runs over one work may share it."""

    texts: ChangeTexts
    prepared: Callable[[FileChange], Prepared]


def read_work(work: Work, keep: int) -> Reading:
    """A reading that keeps what the rules made of ``keep`` files."""
    texts = _texts(work)

    def prepared(change: FileChange) -> Prepared:
        return prepare(change, texts, work.index)

    return Reading(texts, Memo(prepared, size=keep))


def _texts(work: Work) -> ChangeTexts:
    files, fragments = work.change_set.files, work.change_set.fragments
    return ChangeTexts(
        base=SideTexts(work.base, Side.LEFT, files, work.redactor, fragments),
        head=SideTexts(work.head, Side.RIGHT, files, work.redactor, fragments),
    )
