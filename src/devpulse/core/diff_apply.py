"""Apply hunks to lines, take them back, or make do with the hunks alone. Lines are without line feeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devpulse.core.change import DiffLine, Hunk, Side
from devpulse.errors import PatchInvalid

MAX_FRAGMENT_LINES = 1_000_000
"""A hunk header can name any line number; the text built up to it must stay within memory."""


def shown(hunks: Iterable[Hunk], side: Side) -> list[tuple[int, str]]:
    """Every line of ``side`` the hunks show, with its number."""
    pairs = ((_number(line, side), line.text) for hunk in hunks for line in hunk.lines)
    return [(number, text) for number, text in pairs if number is not None]


def matches(lines: Sequence[str], hunks: Iterable[Hunk], side: Side) -> bool:
    """Whether ``lines`` are the file of that side, as far as the hunks show it."""
    return all(number <= len(lines) and lines[number - 1] == text for number, text in shown(hunks, side))


def apply_hunks(lines: Sequence[str], hunks: Iterable[Hunk], to: Side) -> list[str]:
    """The lines of side ``to``, from the ``lines`` of the other side, which must match the hunks."""
    result: list[str] = []
    done = 0
    for hunk in hunks:
        start, length = _extent(hunk, Side.LEFT if to is Side.RIGHT else Side.RIGHT)
        result += lines[done:start]
        result += [line.text for line in hunk.lines if _number(line, to) is not None]
        done = start + length
    return result + list(lines[done:])


def fragment(hunks: Iterable[Hunk], side: Side) -> list[str]:
    """A file of which only the hunks are known: their lines at their numbers, blank lines in between.

    Raises:
        PatchInvalid: a line number is beyond ``MAX_FRAGMENT_LINES``.
    """
    known = dict(shown(hunks, side))
    last = max(known, default=0)
    if last > MAX_FRAGMENT_LINES:
        raise PatchInvalid(
            f"The patch names line {last}, and the file it belongs to is not here.",
            hint="Run DevPulse in the folder the patch was made in.",
        )
    return [known.get(number, "") for number in range(1, last + 1)]


def _number(line: DiffLine, side: Side) -> int | None:
    return line.new if side is Side.RIGHT else line.old


def _extent(hunk: Hunk, side: Side) -> tuple[int, int]:
    """Index of the first line of the hunk on that side, and how many lines it covers.

    With a length of 0 the header names the line *before* the hunk, else its first line.
    """
    start, length = (hunk.new_start, hunk.new_length) if side is Side.RIGHT else (hunk.old_start, hunk.old_length)
    return (start - 1 if length else start), length
