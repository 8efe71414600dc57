"""Commands that people give in a comment on a pull request: ``/devpulse review``."""

from __future__ import annotations

import re
from enum import StrEnum

_COMMAND = re.compile(r"/devpulse(?:[ \t]+([^\r\n]*))?[ \t]*(?:\r?\n|$)")


class CommentCommand(StrEnum):
    """What a comment in the conversation can ask for. UNKNOWN is meant for us, but none of these."""

    REVIEW = "review"
    UNKNOWN = "unknown"


def read_command(body: str) -> CommentCommand | None:
    """The command that a comment is; ``None`` when it is none.

    It must stand at the very beginning: what is quoted, mentioned or written further down is talk about a command.
    """
    match = _COMMAND.match(body)
    if match is None:
        return None
    return CommentCommand.REVIEW if (match[1] or "").strip() == "review" else CommentCommand.UNKNOWN
