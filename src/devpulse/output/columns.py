"""Text of a given width on a terminal, where a wide character takes two columns.

Importing this module imports rich.
"""

from __future__ import annotations

from rich.cells import cell_len, get_character_cell_size

_GAP = "…"


def fits(text: str, columns: int) -> bool:
    """Whether a line takes no more than so many columns."""
    return cell_len(text) <= columns


def shortened(path: str, columns: int) -> str:
    """A path of at most ``columns`` columns (at least 3), cut in its middle: its end tells more than its start.

    What is cut ends at a folder where that leaves most of the room in use.
    """
    if fits(path, columns):
        return path
    room = max(columns, 3) - 1
    tail = _last(path, room - room // 3)
    folder = tail.find("/")
    if 0 <= folder <= len(tail) // 3:
        tail = tail[folder:]
    return f"{_first(path, room - cell_len(tail))}{_GAP}{tail}"


def _first(text: str, columns: int) -> str:
    taken = 0
    for place, character in enumerate(text):
        taken += get_character_cell_size(character)
        if taken > columns:
            return text[:place]
    return text


def _last(text: str, columns: int) -> str:
    # From its end, and never beginning with a mark that belongs to the character before it.
    return _first(text[::-1], columns)[::-1]
