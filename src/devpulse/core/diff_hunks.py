"""Hunks of a unified diff. The unidiff library reads their lines; here they are found, counted and checked first.

Unidiff decides by itself where a file's part of a patch begins and passes over what it does not
know. Neither is acceptable here: a removed line ``-- a/x`` shows as ``--- a/x``, and a line that
is passed over is a line not reviewed. So it is given one hunk at a time, already cut to the
lengths its header names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from devpulse.core.change import Hunk
from devpulse.core.packed_lines import HINT, PackedLines
from devpulse.errors import PatchInvalid

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_STEPS = {
    "-": (1, 0, True),
    "+": (0, 1, True),
    " ": (1, 1, True),
    "\\": (0, 0, True),
    "": (1, 1, False),
    "\r": (1, 1, False),
}
"""By first character: old lines, new lines it counts for, and whether the character is there to be cut off."""
_MISFIT = (sys.maxsize, sys.maxsize, True)
_AFTER_HUNK = ("--- ", "-- ")
"""Lines that may follow a hunk directly though they look like a removed line: the next file, a mail signature."""


def parse_hunks(text: str) -> tuple[Hunk, ...]:
    """Read the hunks of one file, as git, GitHub's ``patch`` field and diff write them.

    ``text`` starts with ``@@`` (empty gives no hunks) and is split at line feeds only.

    Raises:
        PatchInvalid: it is malformed; the message names the line of ``text``.
    """
    lines = split_patch(text)
    hunks, end = take_hunks(lines, 0)
    if end < len(lines):
        raise invalid(end, f"expected a hunk header, found {lines[end][:60]!r}")
    return hunks


def split_patch(text: str) -> list[str]:
    """Lines of a patch, split at line feeds; the last line feed opens no further line."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def invalid(index: int, problem: str) -> PatchInvalid:
    """The error for line ``index`` (counted from 0) of a patch."""
    return PatchInvalid(f"Patch line {index + 1}: {problem}.", hint=HINT)


def take_hunks(lines: Sequence[str], start: int) -> tuple[tuple[Hunk, ...], int]:
    """Read the consecutive hunks that begin at ``lines[start]``; gives them and the index after them.

    Raises:
        PatchInvalid: a hunk is malformed, or overlaps the one before it.
    """
    hunks: list[Hunk] = []
    index = start
    past = (0, 0)
    while index < len(lines) and lines[index].startswith("@@"):
        hunk, index = _take_one(lines, index, past)
        hunks.append(hunk)
        past = (hunk.old_start + hunk.old_length, hunk.new_start + hunk.new_length)
    return tuple(hunks), index


def _take_one(lines: Sequence[str], index: int, past: tuple[int, int]) -> tuple[Hunk, int]:
    """Check one hunk, which must not begin before the line numbers ``past``; gives it, and the index after it."""
    header = _HEADER.match(lines[index])
    if header is None:
        raise invalid(index, f"not a hunk header: {lines[index][:60]!r}")
    old_start, old, new_start, new = (1 if group is None else int(group) for group in header.groups())
    if not old + new or old_start < past[0] or new_start < past[1]:
        raise invalid(index, "the hunk is empty, or overlaps or precedes the one before it")
    end = _plain_end(lines, index + 1, old, new)
    if end:
        packed = PackedLines(header.group(), lines[index + 1 : end])
        return Hunk(old_start, old, new_start, new, packed), _after_hunk(lines, end)
    body: list[str] = []
    at, old_length, new_length = index + 1, old, new
    while old > 0 or new > 0:
        if at >= len(lines):
            raise invalid(index, f"the patch ends inside this hunk: {old} old and {new} new lines are missing")
        line = lines[at]
        step = _STEPS.get(line[:1], _MISFIT)
        old -= step[0]
        new -= step[1]
        if line[:1] != "\\":
            # Editors and mailers cut the blank of an empty context line.
            body.append(line if step[2] else f" {line}")
        at += 1
    if old or new:
        raise invalid(at - 1, f"does not fit its hunk (header on line {index + 1})")
    return Hunk(old_start, old_length, new_start, new_length, PackedLines(header.group(), body)), _after_hunk(lines, at)


def _plain_end(lines: Sequence[str], start: int, old: int, new: int) -> int:
    """The index after a hunk of so many old and new lines, each with its sign, as nearly all are; else 0."""
    for at, line in enumerate(lines[start : start + old + new], start):
        sign = line[:1]
        if sign == "+":
            new -= 1
        elif sign == "-":
            old -= 1
        elif sign == " ":
            old -= 1
            new -= 1
        else:
            return 0
        if not (old or new):
            return at + 1
    return 0


def _after_hunk(lines: Sequence[str], at: int) -> int:
    """Pass the marker of a missing line feed; refuse lines the header did not announce."""
    while at < len(lines) and lines[at].startswith("\\"):
        at += 1
    if at < len(lines):
        line = lines[at]
        signature = line.startswith(_AFTER_HUNK) or line == "--"
        if line[:1] in {"+", "-", " "} and not signature:
            raise invalid(at, "the hunk is longer than its header says")
    return at
