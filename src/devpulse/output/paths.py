"""Names of files as text: any name git knows becomes valid UTF-8 and can be turned back.

Paths inside the program are decoded with surrogate escapes, so that a name that is not UTF-8
survives. Such a name cannot be written to a file, so ``display_path`` writes each undecodable byte
as ``\\xNN`` and any other lone surrogate as ``\\uNNNN``. A backslash that is part of the name is
doubled, which keeps the mapping one to one: ``path_from_display`` undoes it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from devpulse.core.finding import Finding

_ESCAPED = re.compile("[\\\\\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:(\\)|x([0-9a-f]{2})|u([0-9a-f]{4}))")


def display_path(path: str) -> str:
    """A path as artifacts show it: valid text, different for different names."""
    return _ESCAPED.sub(_escape, path)


def path_from_display(text: str) -> str:
    """The path that ``display_path`` was given."""
    return _ESCAPE.sub(_unescape, text)


def path_uri(path: str) -> str:
    """A path as a relative URI reference (RFC 3986), its bytes percent-encoded."""
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte
        data = display_path(path).encode("utf-8")
    return quote(data, safe="/")


def finding_place(finding: Finding) -> str:
    """Where a finding is, for people: ``app/db.py:4-6``. An unanchored one has no line to name."""
    path = display_path(finding.path)
    from devpulse.core.change import Side  # noqa: PLC0415  (a search shows names of files, and no findings)
    from devpulse.core.finding import FindingStatus  # noqa: PLC0415

    if finding.status is FindingStatus.UNANCHORED:
        return path
    last = "" if finding.end_line == finding.start_line else f"-{finding.end_line}"
    removed = " (removed)" if finding.side is Side.LEFT else ""
    return f"{path}:{finding.start_line}{last}{removed}"


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if character == "\\":
        return "\\\\"
    code = ord(character)
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def _unescape(match: re.Match[str]) -> str:
    backslash, byte, surrogate = match.groups()
    if backslash:
        return "\\"
    return chr(0xDC00 + int(byte, 16)) if byte else chr(int(surrogate, 16))
