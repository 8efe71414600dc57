"""What is to be said and done in the threads of comments that already stand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.verdict import counts
from devpulse.output.characters import clip, visible
from devpulse.output.comments.decisions import Decision
from devpulse.output.comments.judging import Judged
from devpulse.output.comments.marker import NOTE_OPENINGS, ThreadNote, note_marker
from devpulse.output.comments.standing import StandingComment
from devpulse.output.markdown import code, text

_LOGIN_LIMIT = 100
_WHY_LIMIT = 300


@dataclass(frozen=True, slots=True)
class ThreadAction:
    """An answer in a thread, ``body``, and then whether to close it (``resolve`` true), to open it again (false), or
    to leave it (``None``)."""

    comment: StandingComment
    note: ThreadNote
    body: str
    resolve: bool | None


def thread_actions(
    judged: Judged, findings: Collection[Finding], decided: Mapping[str, Decision], head_sha: str
) -> tuple[ThreadAction, ...]:
    """What to do in threads so that they say what is so at ``head_sha``; over its own result it is nothing.

    - Gone: said with the commit and closed, unless a person answered, or it is closed. Once said, it is left: who opens
      the thread again after that means to talk.
    - Back: said and opened again, where we had said that it is gone or accepted, or had closed it for somebody who took
      that back.
    - Set aside by a comment: confirmed and closed, once.
    - Accepted by the configuration or by a comment at the code: said with the reason and closed, as if it were gone.
    """
    accepted = {f.fingerprint: f.reason for f in findings if f.status is FindingStatus.SUPPRESSED}
    open_ones = {f.fingerprint for f in findings if f.status is FindingStatus.OPEN or counts(f)}
    return (
        *_farewells(judged.gone, head_sha),
        *_confirmations(judged.kept, decided),
        *_acceptances(judged.kept, {name: why for name, why in accepted.items() if name not in decided}),
        *_returns(judged.kept, open_ones - decided.keys(), head_sha),
    )


def _farewells(gone: Iterable[StandingComment], head_sha: str) -> Iterator[ThreadAction]:
    for comment in gone:
        if comment.resolved or comment.answered_by or comment.note is ThreadNote.GONE:
            continue
        yield _action(comment, ThreadNote.GONE, code(head_sha[:12]), resolve=True if comment.can_resolve else None)


def _confirmations(kept: Iterable[StandingComment], decided: Mapping[str, Decision]) -> Iterator[ThreadAction]:
    for comment in kept:
        decision = decided.get(comment.fingerprint)
        if decision is None or not decision.asked or comment.resolved or comment.note is ThreadNote.IGNORED:
            continue
        who = code(clip(visible(decision.login), _LOGIN_LIMIT))
        yield _action(comment, ThreadNote.IGNORED, who, resolve=True if comment.can_resolve else None)


def _acceptances(kept: Iterable[StandingComment], accepted: Mapping[str, str]) -> Iterator[ThreadAction]:
    for comment in kept:
        if comment.fingerprint not in accepted or comment.note is ThreadNote.ACCEPTED:
            continue
        if comment.resolved or comment.answered_by:
            continue
        why = " ".join(visible(accepted[comment.fingerprint]).split()).rstrip(".")
        about = text(clip(why, _WHY_LIMIT))
        yield _action(comment, ThreadNote.ACCEPTED, about, resolve=True if comment.can_resolve else None)


def _returns(kept: Iterable[StandingComment], back: Collection[str], head_sha: str) -> Iterator[ThreadAction]:
    for comment in kept:
        if comment.fingerprint not in back:
            continue
        if comment.closed_by_us or comment.note in (ThreadNote.GONE, ThreadNote.ACCEPTED):
            resolve = False if comment.closed_by_us else None
            yield _action(comment, ThreadNote.BACK, code(head_sha[:12]), resolve=resolve)


def _action(comment: StandingComment, note: ThreadNote, about: str, *, resolve: bool | None) -> ThreadAction:
    body = f"{NOTE_OPENINGS[note]}{about}.\n\n{note_marker(note)}"
    return ThreadAction(comment, note, body, resolve)
