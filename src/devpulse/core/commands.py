"""Commands that people give in a comment on a pull request: ``/devpulse review``, ``/devpulse ignore``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_COMMAND = re.compile(r"/devpulse(?:[ \t]+([^\r\n]*))?[ \t]*(?:\r?\n|$)")
_IGNORE = re.compile(r"ignore[ \t]+([0-9a-f]{8,64})(?:[ \t]+(.*))?")


class CommentCommand(StrEnum):
    """What a comment in the conversation can ask for. UNKNOWN is meant for us, but none of these."""

    REVIEW = "review"
    IGNORE = "ignore"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class IgnoreCommand:
    """A finding is to be set aside. ``beginning`` is its fingerprint, or at least its first eight digits; ``why`` is
    the author's, and may be empty."""

    beginning: str
    why: str


def read_command(body: str) -> CommentCommand | None:
    """The command that a comment is; ``None`` when it is none.

    It must stand at the very beginning: what is quoted, mentioned or written further down is talk about a command.
    """
    words = _words(body)
    if words is None:
        return None
    if words == "review":
        return CommentCommand.REVIEW
    return CommentCommand.IGNORE if _IGNORE.fullmatch(words) else CommentCommand.UNKNOWN


def read_ignore_command(body: str) -> IgnoreCommand | None:
    """Which finding a comment sets aside and why; ``None`` when it is another command or none."""
    match = _IGNORE.fullmatch(_words(body) or "")
    return IgnoreCommand(match[1], (match[2] or "").strip()) if match else None


def _words(body: str) -> str | None:
    match = _COMMAND.match(body)
    return None if match is None else (match[1] or "").strip()
