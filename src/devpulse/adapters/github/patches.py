"""GitHub's patches: their lines, and one side of a file from the other, if that is the very object it should be."""

from __future__ import annotations

from devpulse.core.change import Hunk, Side
from devpulse.core.content import blob_id
from devpulse.core.diff_apply import apply_hunks, matches
from devpulse.core.diff_hunks import parse_hunks
from devpulse.core.text import split_lines
from devpulse.errors import PatchInvalid


def hunks_of(patch: str | None) -> tuple[Hunk, ...] | None:
    """The lines of a patch; ``None`` when there is none, or none that can be read."""
    try:
        return None if patch is None else parse_hunks(patch)
    except PatchInvalid:
        return None


def derive(data: bytes, patch: str, to: Side, sha: str) -> bytes | None:
    """The file of side ``to`` whose object id is ``sha``, from ``data``, the file of the other side (empty when
    there is none). ``None`` when the patch does not lead there, as with text that JSON cannot carry.
    """
    hunks = hunks_of(patch)
    lines = split_lines(data.decode("utf-8", "surrogateescape"))
    if not hunks or not matches(lines, hunks, Side.LEFT if to is Side.RIGHT else Side.RIGHT):
        return None
    text = "\n".join(apply_hunks(lines, hunks, to))
    try:
        found = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    # Hunks do not keep whether the last line ends in a line feed; the id tells.
    return next((each for each in (found + b"\n", found, b"") if blob_id(each) == sha), None)
