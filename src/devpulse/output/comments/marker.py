"""Hidden markers by which our own comments are found again.

A marker counts only as a whole line of a comment whose first line is ours too: the last line of an inline comment, the
last marker of a summary, to which people may have added something. Text that we quote cannot forge one: the Markdown
renderer breaks every ``<!--``. Who wrote the comment is for the reader of the conversation to check. That does not
tell apart the workflows of a repository, which all write as one account: one that echoes a stranger's text from the
first line on can be made to forge a summary, and to the last line an inline comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from devpulse.core.categories import Severity
from devpulse.core.finding import FindingSource
from devpulse.core.lazy_pattern import lazy

SUMMARY_HEADING = "# DevPulse security review"
"""The first line of the summary comment."""

FOREIGN_HEADING = f"{SUMMARY_HEADING}: results of another run"
"""The first line of the summary that tells what a run without rights found. It is a comment of its own, so that such
results never take the place of a review that was made with rights."""

_NAME = lazy(r"[0-9a-f]{4,64}")
_FINDING = lazy(r"<!-- devpulse:finding ([0-9a-f]{4,64})(?: (model|rule))? -->")
_NOTE = lazy(r"<!-- devpulse:note (gone|back|ignored|accepted) -->")
_NAMES = r"[0-9a-f]+(?:,[0-9a-f]+)*"
_SUMMARY = lazy(
    r"<!-- devpulse:summary head=(?P<head>[0-9a-f]{40,64}) digest=(?P<digest>[0-9a-f]{32})"
    rf"(?: refused=(?P<refused>{_NAMES}))?"
    r"(?: run=(?P<run>[0-9]{1,18})\.(?P<attempt>[0-9]{1,9}))?"
    rf"(?: said=(?P<said>{_NAMES}))?"
    rf"(?: now=(?P<now>none|{_NAMES}))?"
    rf"(?: since=(?P<since>[0-9a-f]{{40,64}}):(?P<was>none|{_NAMES}))? -->"
)

_BEGINNING = "<!-- devpulse:"
_NO_NAMES = "none"

_SEVERITIES = "|".join(severity.value.capitalize() for severity in Severity)
_OPENING = lazy(rf"\*\*(?:{_SEVERITIES}): ")


class ThreadNote(StrEnum):
    """What an answer of ours in a thread says: its finding is gone, it is back, somebody had it set aside, or the
    project accepts it in its configuration or in a comment at the code."""

    GONE = "gone"
    BACK = "back"
    IGNORED = "ignored"
    ACCEPTED = "accepted"


NOTE_OPENINGS = {
    ThreadNote.GONE: "No longer found at ",
    ThreadNote.BACK: "Found again at ",
    ThreadNote.IGNORED: "Set aside as asked by ",
    ThreadNote.ACCEPTED: "Accepted: ",
}
"""What the first line of each answer begins with."""

CLOSING_NOTES = (ThreadNote.GONE, ThreadNote.IGNORED, ThreadNote.ACCEPTED)
"""The answers after which a thread is closed."""


@dataclass(frozen=True, slots=True, order=True)
class RunNumber:
    """A run of a workflow: runs that began later have greater ids; ``attempt`` counts from 1."""

    id: int
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Memory:
    """What a summary remembers for the next run; the words are those of ``output.comments.memory``.

    ``said`` are the findings that had a comment of their own, ``now`` those that count at this commit, ``was`` those
    that counted at ``since``, the commit that was reviewed before it. ``now`` and ``was`` are ``None`` where that is
    not known, or where there were too many.
    """

    said: frozenset[str] = frozenset()
    now: frozenset[str] | None = None
    was: frozenset[str] | None = None
    since: str = ""


NO_MEMORY = Memory()


@dataclass(frozen=True, slots=True)
class SummaryMark:
    """What a summary says about itself: the commit it is about, a digest of its content, the fingerprints of
    findings that GitHub took no comment for at that commit, what is remembered, and which run wrote it (which
    makes no difference between two marks)."""

    head_sha: str
    digest: str
    refused: frozenset[str] = frozenset()
    memory: Memory = NO_MEMORY
    run: RunNumber | None = field(default=None, compare=False)


def finding_opening(severity: Severity) -> str:
    """What the first line of an inline comment begins with."""
    return f"**{severity.value.capitalize()}: "


def is_markable(fingerprint: str) -> bool:
    """Whether a fingerprint is one of ours, safe to stand in a marker."""
    return _NAME.fullmatch(fingerprint) is not None


def finding_marker(fingerprint: str, source: FindingSource | None = None) -> str:
    """The last line of an inline comment. ``source`` tells later runs who can say that the finding is gone.

    Raises:
        ValueError: the fingerprint is not made of hex digits.
    """
    who = f" {source}" if source is not None else ""
    return _checked(_FINDING, f"<!-- devpulse:finding {fingerprint}{who} -->")


def note_marker(note: ThreadNote) -> str:
    """The last line of an answer of ours in a thread."""
    return f"<!-- devpulse:note {note} -->"


def summary_marker(mark: SummaryMark) -> str:
    """The last line of the summary comment.

    Raises:
        ValueError: commit, digest or a fingerprint is not made of hex digits.
    """
    memory = mark.memory
    parts = [
        f"<!-- devpulse:summary head={mark.head_sha} digest={mark.digest}",
        f"refused={_listed(mark.refused)}" if mark.refused else "",
        f"run={mark.run.id}.{mark.run.attempt}" if mark.run else "",
        f"said={_listed(memory.said)}" if memory.said else "",
        f"now={_listed(memory.now)}" if memory.now is not None else "",
        f"since={memory.since}:{_listed(memory.was)}" if memory.since and memory.was is not None else "",
        "-->",
    ]
    return _checked(_SUMMARY, " ".join(filter(None, parts)))


def read_finding_marker(body: str) -> str | None:
    """The fingerprint a comment carries, or ``None``."""
    match = _finding_match(body)
    return match.group(1) if match else None


def read_finding_source(body: str) -> FindingSource | None:
    """Who found what a comment is about, ``None`` where it does not say."""
    match = _finding_match(body)
    return FindingSource(match.group(2)) if match and match.group(2) else None


def read_note_marker(body: str) -> ThreadNote | None:
    """What an answer of ours says, or ``None`` when it is none."""
    match = _NOTE.fullmatch(_last_line(body))
    note = ThreadNote(match.group(1)) if match else None
    return note if note is not None and body.startswith(NOTE_OPENINGS[note]) else None


def read_summary_marker(body: str, heading: str = SUMMARY_HEADING) -> SummaryMark | None:
    """What a summary comment with this first line says about itself, or ``None`` when it is none."""
    headed = body.partition("\n")[0].rstrip() == heading
    marker = next((line.rstrip() for line in reversed(body.split("\n")) if line.startswith(_BEGINNING)), "")
    match = _SUMMARY.fullmatch(marker) if headed else None
    if match is None:
        return None
    told = match.groupdict()
    memory = Memory(
        said=_names(told["said"]) or frozenset(),
        now=_names(told["now"]),
        was=_names(told["was"]),
        since=told["since"] or "",
    )
    run = RunNumber(int(told["run"]), int(told["attempt"])) if told["run"] else None
    return SummaryMark(told["head"], told["digest"], _names(told["refused"]) or frozenset(), memory, run)


def _listed(names: frozenset[str]) -> str:
    return ",".join(sorted(names)) or _NO_NAMES


def _names(listed: str | None) -> frozenset[str] | None:
    if listed is None:
        return None
    return frozenset() if listed == _NO_NAMES else frozenset(listed.split(","))


def _finding_match(body: str) -> re.Match[str] | None:
    return _FINDING.fullmatch(_last_line(body)) if _OPENING.match(body) else None


def _checked(pattern: re.Pattern[str], marker: str) -> str:
    if pattern.fullmatch(marker) is None:
        raise ValueError(f"not a marker that could be read back: {marker[:200]!r}")
    return marker


def _last_line(body: str) -> str:
    # GitHub may give line ends as CR LF. A blank before the marker would make it part of something else.
    return body.rstrip().rpartition("\n")[2]
