"""The coordinator's history: chatter is summed up, decisions stay word for word, here or in a file it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from devpulse.core.budget import estimate_all, estimate_tokens
from devpulse.core.categories import Severity
from devpulse.core.compaction import DECISION, DENIED, Tell, no_words

COORDINATOR_TOKENS = 6_000
"""The most a coordinator's history takes before it is compacted; less when its share of the window is smaller."""

RECENT_NOTES = 5
"""Notes of earlier tasks that are sent although nothing marks them as important."""

DECISIONS = "decisions.md"
"""The artifact that takes the decisions which the history has no room for."""

_LEVELS = frozenset({"none", *map(str, Severity)})

CHATTER_PERCENT = 25
"""Of the limit what the chatter of a summary may take."""


@dataclass(frozen=True, slots=True)
class Note:
    """One message of the coordinator's history. ``important`` ones are never reworded; ``opens_task`` begins a task."""

    text: str
    important: bool = False
    opens_task: bool = False


@dataclass(frozen=True, slots=True)
class SummaryNote(Note):
    """Stands for the oldest tasks. ``lines`` are their important notes word for word, ``chatter`` what is left of the
    others, ``tasks`` how many tasks it covers, ``left_out`` how many notes were dropped, ``saved`` how many important
    notes of each kind stand in the file instead."""

    lines: tuple[str, ...] = ()
    chatter: tuple[str, ...] = ()
    tasks: int = 0
    left_out: int = 0
    saved: tuple[tuple[str, int], ...] = ()


Notes = tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class CoordinatorCompaction:
    """A compacted history. ``tasks`` were summed up just now; ``spilled`` are the important notes that left it and must
    be appended to the file; ``fits`` says whether the result is within the limit."""

    notes: Notes
    before: int
    after: int
    tasks: int
    spilled: tuple[str, ...]
    fits: bool


def notes_tokens(notes: Sequence[Note]) -> int:
    """Estimated tokens of a history."""
    return estimate_all(note.text for note in notes)


def compact_notes(notes: Sequence[Note], limit: int, tell: Tell = no_words) -> CoordinatorCompaction | None:
    """Sum up the oldest half, and again until the history fits ``limit`` tokens; nothing when it does or cannot change.

    The newest task is never cut through. When it and the important notes do not fit together, those of the
    other tasks go to the file. Compacting the result again changes nothing.
    """
    before, compacted, tasks = notes_tokens(notes), tuple(notes), 0
    if before <= limit:
        return None
    while notes_tokens(compacted) > limit and (place := _cut(compacted)):
        tasks += sum(note.opens_task for note in compacted[:place])
        compacted = (_summary(compacted[:place], limit, tell), *compacted[place:])
    if notes_tokens(compacted) > limit:
        compacted = _without_chatter(compacted)
    spilled: tuple[str, ...] = ()
    if notes_tokens(compacted) > limit:
        compacted, spilled = _spilled(compacted)
    if compacted == tuple(notes):
        return None
    after = notes_tokens(compacted)
    return CoordinatorCompaction(compacted, before, after, tasks, spilled, after <= limit)


def _cut(notes: Notes) -> int:
    """Where the kept part begins: the last task that begins in the older half, else the first one after it, so that the
    newest task is whole; 0 when there is nothing to sum up."""
    least = 2 if isinstance(notes[0], SummaryNote) else 1
    starts = [place for place, note in enumerate(notes) if note.opens_task and place >= least]
    earlier = [place for place in starts if place <= len(notes) // 2]
    return earlier[-1] if earlier else starts[0] if starts else 0


def _without_chatter(notes: Notes) -> Notes:
    first, *rest = notes
    if not isinstance(first, SummaryNote) or not first.chatter:
        return notes
    return (_summary_note(first.lines, (), first.tasks, first.left_out + len(first.chatter), first.saved), *rest)


def _spilled(notes: Notes) -> tuple[Notes, tuple[str, ...]]:
    """The history without the important notes of its summary, and these."""
    first, *rest = notes
    if not isinstance(first, SummaryNote) or not first.lines:
        return notes, ()
    saved = Counter(dict(first.saved))
    saved.update(map(_kind, first.lines))
    return (_summary_note((), (), first.tasks, first.left_out, tuple(sorted(saved.items()))), *rest), first.lines


def _summary(notes: Notes, limit: int, tell: Tell) -> SummaryNote:
    first = notes[0]
    earlier = first if isinstance(first, SummaryNote) else SummaryNote("")
    fresh = [note for note in notes if not isinstance(note, SummaryNote)]
    lines = (*earlier.lines, *(note.text for note in fresh if note.important))
    heard = (*earlier.chatter, *(note.text for note in fresh if not note.important and not note.opens_task))
    tasks = earlier.tasks + sum(note.opens_task for note in fresh)
    kept = _recent(heard, limit * CHATTER_PERCENT // 100)
    if kept and (told := tell("\n".join(heard), estimate_all(kept))):
        return _summary_note(lines, (f"In short: {told}",), tasks, 0, earlier.saved)
    return _summary_note(lines, kept, tasks, earlier.left_out + len(heard) - len(kept), earlier.saved)


def _recent(texts: Sequence[str], room: int) -> tuple[str, ...]:
    kept: list[str] = []
    for text in reversed(texts):
        room -= estimate_tokens(text)
        if room < 0:
            break
        kept.append(text)
    return tuple(reversed(kept))


def _summary_note(
    lines: tuple[str, ...], chatter: tuple[str, ...], tasks: int, left_out: int, saved: tuple[tuple[str, int], ...]
) -> SummaryNote:
    counted = Counter(dict(saved))
    counted.update(map(_kind, lines))
    rows = [f"Summary of {tasks} earlier {'task' if tasks == 1 else 'tasks'}: {_listed(counted) or 'nothing decided'}."]
    if left_out:
        notes = "note is" if left_out == 1 else "notes are"
        rows.append(f"({left_out} earlier {notes} not listed; plan.json names the result of each task)")
    if saved:
        total = sum(count for _, count in saved)
        rows.append(f"[saved: {DECISIONS}] {total} of these, word for word: {_listed(Counter(dict(saved)))}")
    text = "\n".join((*rows, *chatter, *lines))
    return SummaryNote(text, important=True, lines=lines, chatter=chatter, tasks=tasks, left_out=left_out, saved=saved)


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counted.items()))


def _kind(line: str) -> str:
    """What a line is counted as: ``decided high``, ``denied``, ``noted``."""
    if line.startswith(DECISION):
        level = line.rpartition(" -> ")[2]
        return f"decided {level}" if level in _LEVELS else "decided"
    return "denied" if line.startswith(DENIED) else "noted"


def notes_to_send(notes: Sequence[Note]) -> list[Note]:
    """What a request of the current task holds: all of that task, everything important, and the five most recent of
    the rest, in order."""
    start = max((place for place, note in enumerate(notes) if note.opens_task), default=0)
    rest = [place for place, note in enumerate(notes[:start]) if not note.important][-RECENT_NOTES:]
    return [note for place, note in enumerate(notes) if place >= start or note.important or place in rest]
