"""Compaction of the coordinator's history, and what of it is sent."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.coordinator_history import (
    DECISIONS,
    RECENT_NOTES,
    Note,
    SummaryNote,
    compact_notes,
    notes_to_send,
    notes_tokens,
)


def task(number: int, level: str = "none") -> list[Note]:
    return [
        Note(f"TASK: src/file_{number}.py", opens_task=True),
        Note(f"[saved: findings/file_{number}.json] {number} findings, highest {level}"),
        Note(f"DECISION: src/file_{number}.py -> {level}", important=True),
    ]


def tasks(*numbers: int, level: str = "none") -> list[Note]:
    return [note for number in numbers for note in task(number, level)]


def important(notes) -> list[str]:
    found: list[str] = []
    for note in notes:
        if isinstance(note, SummaryNote):
            found += note.lines
        elif note.important:
            found.append(note.text)
    return found


def test_compact_notes__within_the_limit_nothing_changes():
    notes = tasks(1, 2, 3)
    assert compact_notes(notes, notes_tokens(notes)) is None
    assert compact_notes([], 0) is None


def test_compact_notes__the_oldest_half_becomes_one_message():
    notes = tasks(*range(20), level="high")
    done = compact_notes(notes, notes_tokens(notes) - 1)
    assert done is not None
    summary, *kept = done.notes
    assert isinstance(summary, SummaryNote)
    assert summary.important
    assert kept == notes[30:]
    assert (done.tasks, summary.tasks, done.spilled, done.fits) == (10, 10, (), True)
    assert summary.text.startswith("Summary of 10 earlier tasks: 10 decided high.\n")
    assert summary.text.endswith("\n".join(f"DECISION: src/file_{number}.py -> high" for number in range(10)))
    assert "TASK" not in summary.text
    assert (done.before, done.after) == (notes_tokens(notes), notes_tokens(done.notes))


@pytest.mark.parametrize("more", [1, 2, 4, 5])
def test_compact_notes__the_cut_moves_earlier_to_the_beginning_of_a_task(more):
    first = [Note("TASK: src/file_1.py", opens_task=True), Note("x" * 4_000), *tasks(1)[2:]]
    notes = [*first, *tasks(2, 3), *[Note("refused again and again")] * more, *tasks(4)]
    done = compact_notes(notes, notes_tokens(notes) - 1)
    assert done is not None
    assert done.notes[1].text == "TASK: src/file_3.py"
    assert done.tasks == 2


def test_compact_notes__the_newest_task_is_never_cut_through():
    newest = [Note("TASK: big", opens_task=True), *[Note("x" * 4_000)] * 30]
    done = compact_notes([*tasks(1), *newest], 50)
    assert done is not None
    assert list(done.notes[1:]) == newest
    assert not done.fits
    assert compact_notes(newest, 50) is None


def test_compact_notes__chatter_is_bounded_and_counted():
    notes = tasks(*range(100))
    done = compact_notes(notes, 2_000)
    assert done is not None
    summary = done.notes[0]
    assert isinstance(summary, SummaryNote)
    assert summary.left_out + len(summary.chatter) == summary.tasks == 74
    assert f"({summary.left_out} earlier notes are not listed" in summary.text
    assert "[saved: findings/file_73.json]" in summary.text
    assert "[saved: findings/file_9.json]" not in summary.text


def test_compact_notes__chatter_goes_before_any_decision_leaves():
    notes = tasks(*range(40))
    decided = sum(len(note.text) // 4 + 1 for note in notes if note.important)
    done = compact_notes(notes, decided + 80)
    assert done is not None
    assert (done.spilled, done.fits) == ((), True)
    summary = done.notes[0]
    assert isinstance(summary, SummaryNote)
    assert (summary.chatter, summary.left_out) == ((), 39)


def test_compact_notes__decisions_that_have_no_room_go_to_the_file_that_is_named():
    notes = tasks(*range(60), level="low")
    done = compact_notes(notes, 200)
    assert done is not None
    assert done.fits
    assert done.spilled == tuple(f"DECISION: src/file_{number}.py -> low" for number in range(59))
    summary = done.notes[0]
    assert f"[saved: {DECISIONS}] 59 of these, word for word: 59 decided low" in summary.text
    again = compact_notes([*done.notes, *tasks(*range(60, 90), level="critical")], 200)
    assert again is not None
    assert len(again.spilled) == 30
    assert "Summary of 89 earlier tasks: 29 decided critical, 60 decided low.\n" in again.notes[0].text
    assert f"[saved: {DECISIONS}] 89 of these" in again.notes[0].text


def test_compact_notes__other_important_notes_are_counted_by_what_they_are():
    notes = [
        Note("TASK: a", opens_task=True),
        Note("x" * 4_000),
        Note("DENIED: .env is never loaded", important=True),
        Note("mind the gap", important=True),
        Note("DECISION: a -> strange", important=True),
        *tasks(1),
    ]
    done = compact_notes(notes, notes_tokens(notes) - 1)
    assert done is not None
    assert done.notes[0].text.startswith(
        "Summary of 1 earlier task: 1 decided, 1 denied, 1 noted.\n(1 earlier note is not listed"
    )


def test_compact_notes__words_told_replace_the_chatter_only():
    heard: list[str] = []

    def tell(record: str, longest: int) -> str:
        heard.append(record)
        return "Ten files hold nothing." if longest > 5 else ""

    notes = tasks(*range(20))
    done = compact_notes(notes, notes_tokens(notes) - 1, tell)
    assert done is not None
    assert "In short: Ten files hold nothing.\nDECISION: src/file_0.py" in done.notes[0].text
    assert "[saved: findings" not in done.notes[0].text
    assert heard == ["\n".join(f"[saved: findings/file_{n}.json] {n} findings, highest none" for n in range(10))]


def test_notes_to_send__current_task_decisions_and_the_most_recent_of_the_rest_in_order():
    notes = [*tasks(*range(10)), Note("TASK: now", opens_task=True), Note("one"), Note("two")]
    sent = notes_to_send(notes)
    assert sent[-3:] == notes[-3:]
    assert [note for note in sent if note.important] == [note for note in notes if note.important]
    rest = [note for note in sent[:-3] if not note.important]
    assert len(rest) == RECENT_NOTES == 5
    assert rest == [note for note in notes[:-3] if not note.important][-5:]
    assert sent == [note for note in notes if note in sent]


def test_notes_to_send__nothing_gives_nothing():
    assert notes_to_send([]) == []


chatter = st.text("ab\n", max_size=80).map(Note)
decided = st.text("ab/> -", max_size=40).map(lambda text: Note(f"DECISION: {text}", important=True))
denied = st.text("ab ", max_size=40).map(lambda text: Note(f"DENIED: {text}", important=True))
opened = st.text("ab", max_size=10).map(lambda text: Note(f"TASK: {text}", opens_task=True))
histories = st.lists(st.one_of(chatter, decided, denied, opened), max_size=60)
limits = st.integers(0, 400)


@settings(deadline=None)
@given(histories, limits)
def test_compact_notes__what_is_important_survives_in_order(notes, limit):
    done = compact_notes(notes, limit)
    if done is not None:
        assert [*done.spilled, *important(done.notes)] == important(notes)
        inline = "\n".join(note.text for note in done.notes).split("\n")
        assert [line for line in inline if line in important(done.notes)] == important(done.notes)


@settings(deadline=None)
@given(histories, limits)
def test_compact_notes__fits_or_says_that_it_cannot(notes, limit):
    done = compact_notes(notes, limit)
    after = tuple(notes) if done is None else done.notes
    if notes_tokens(after) > limit:
        assert done is None or not done.fits
        assert not any(note.opens_task for note in after[1:] if note is not after[-1]) or _only_newest(after)


def _only_newest(notes) -> bool:
    """Nothing is left but a bare summary and the newest task, or notes before the first task that open none."""
    starts = [place for place, note in enumerate(notes) if note.opens_task]
    first = notes[0]
    bare = isinstance(first, SummaryNote) and not first.lines and not first.chatter
    return starts in ([], [0]) or (bare and starts == [1])


@settings(deadline=None)
@given(histories, limits)
def test_compact_notes__twice_changes_nothing(notes, limit):
    done = compact_notes(notes, limit)
    assert done is None or compact_notes(done.notes, limit) is None


@settings(deadline=None)
@given(histories, limits)
def test_compact_notes__the_newest_task_is_whole_and_the_kept_part_begins_with_a_task(notes, limit):
    done = compact_notes(notes, limit)
    if done is None:
        return
    newest = max(place for place, note in enumerate(notes) if note.opens_task)
    kept = list(done.notes[1:])
    assert kept[0].opens_task
    assert kept == notes[-len(kept) :]
    assert len(kept) >= len(notes) - newest


@settings(deadline=None)
@given(st.lists(st.lists(st.one_of(chatter, decided, denied), max_size=4), max_size=30), limits)
def test_compact_notes__task_by_task_loses_nothing(groups, limit):
    history: tuple[Note, ...] = ()
    spilled: list[str] = []
    for number, group in enumerate(groups):
        history = (*history, Note(f"TASK: {number}", opens_task=True), *group)
        if (done := compact_notes(history, limit)) is not None:
            spilled += done.spilled
            history = done.notes
    assert [*spilled, *important(history)] == [note.text for group in groups for note in group if note.important]
    first = history[0] if history else None
    if isinstance(first, SummaryNote):
        assert sum(count for _, count in first.saved) == len(spilled)
        assert first.tasks + sum(note.opens_task for note in history) == len(groups)


@settings(deadline=None)
@given(histories)
def test_notes_to_send__keeps_order_and_everything_that_must_be_there(notes):
    sent = iter(notes_to_send(notes))
    matched = [note for note in notes_to_send(notes) if note.important]
    assert matched == [note for note in notes if note.important]
    places = iter(range(len(notes)))
    assert all(any(notes[place] is note for place in places) for note in sent)
