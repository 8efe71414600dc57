"""Untrusted text in GitHub Markdown: repository text and model text is data, never markup.

What must not come out of here, whatever goes in: mentions, issue references, images, links, raw
HTML (and with it forged ``<!-- -->`` markers), broken table cells or fences, hidden characters, and
workflow commands at the start of a line. GitHub turns ``@name``, ``#1`` and addresses into links
after Markdown is rendered, where backslashes are gone: a zero-width space, written as the visible
entity ``&#8203;``, breaks them.
"""

from __future__ import annotations

import re

from devpulse.core.text import split_lines
from devpulse.output.characters import visible

_BREAK = "&#8203;"
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}

# What GitHub links by itself, at the place where it is broken: mentions, mail addresses and
# user@commit; issue references in both spellings; addresses with and without a scheme.
_LINKED = r"@|\#(?=\d)|gh-(?=\d)|(?:https?|ftp|mailto|xmpp):|www(?=\.)"
_AUTOLINK = re.compile(_LINKED, re.IGNORECASE)
_SPECIAL = re.compile(rf"{_LINKED}|[&<>|\\`*\[\]#~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", re.IGNORECASE)
_HTML_SPECIAL = re.compile(rf"{_LINKED}|[&<>]", re.IGNORECASE)
_LINE_START = re.compile(r"^(?:([-+=:])|(\d+)([.)]))")

_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_LINE_BREAK = re.compile(r"(?<=\S)\n(?=\S)")
_BACKTICKS = re.compile(r"`+")
_COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)


def text(value: str) -> str:
    """Prose on one line: safe in a paragraph, a heading, a list item and a table cell."""
    line = " ".join(visible(value).split())
    return _LINE_START.sub(_escape_line_start, _SPECIAL.sub(_escape, line))


def html_text(value: str) -> str:
    """Prose on one line inside a block of our own HTML, where Markdown is off and only entities count."""
    line = " ".join(visible(value).split())
    return _HTML_SPECIAL.sub(_escape_html, _defused(line))


def prose(value: str) -> str:
    """Prose of several lines. Line breaks and `code` in backticks are kept, all other markup is literal."""
    escaped = "\n".join(_prose_line(line) for line in split_lines(visible(value)))
    return _LINE_BREAK.sub("  \n", escaped).strip("\n")  # two blanks keep a break within a paragraph


def code(value: str) -> str:
    """Code within a line, its fence computed from the content. Not for table cells: see ``cell_code``."""
    line = _defused(" ".join(split_lines(visible(value))).replace("\t", " "))
    if not line.strip():
        return ""
    fence = "`" * (_longest_run(line) + 1)
    padding = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{padding}{line}{padding}{fence}"


def cell_code(value: str) -> str:
    """Code in a table cell, where a fence cannot hold a pipe safely."""
    return f"<code>{text(value)}</code>"


def block(value: str, language: str = "") -> str:
    """A fenced block. ``language`` is ours, never from outside.

    The content is shown as it is but for hidden characters and for a blank put into what others
    would act on: workflow commands (``::`` at the start of a line, ``##[`` anywhere) and comment
    markers (``<!--``), which are looked for in the raw text.
    """
    shown = _defused(visible(value)).rstrip("\n")
    fence = fence_for(shown)
    return f"{fence}{language}\n{shown}\n{fence}"


def fence_for(content: str) -> str:
    """A run of backticks that no line of the content can close."""
    return "`" * max(3, _longest_run(content) + 1)


def inert(value: str) -> str:
    """Text for readers that know no entities (SARIF messages): the same links broken, nothing escaped."""
    return _AUTOLINK.sub("\\g<0>\u200b", visible(value).replace("](", "] ("))


def _defused(value: str) -> str:
    return _COMMAND.sub(r"\1: ", value).replace("##[", "# #[").replace("<!--", "<! --")


def split_code_spans(line: str) -> list[str]:
    """Split prose at its `code` in backticks: pieces at even places are prose, at odd places code."""
    return _CODE_SPAN.split(line)


def _prose_line(line: str) -> str:
    pieces = split_code_spans(line)
    return "".join(
        code(piece) if index % 2 else _prose_piece(piece, first=index == 0, last=index == len(pieces) - 1)
        for index, piece in enumerate(pieces)
    )


def _prose_piece(piece: str, *, first: bool, last: bool) -> str:
    if not piece.strip():
        return "" if first or last else " "
    before = " " if piece[0].isspace() and not first else ""
    after = " " if piece[-1].isspace() and not last else ""
    return f"{before}{text(piece)}{after}"


def _escape(match: re.Match[str]) -> str:
    found = match.group()
    if found == "@" or len(found) > 1:
        return f"{found}{_BREAK}"
    if found == "#" and _AUTOLINK.match(match.string, match.start()):
        return f"\\#{_BREAK}"
    return _ENTITIES.get(found, f"\\{found}")


def _escape_html(match: re.Match[str]) -> str:
    found = match.group()
    return _ENTITIES.get(found) or f"{found}{_BREAK}"


def _escape_line_start(match: re.Match[str]) -> str:
    sign, number, dot = match.groups()
    return f"\\{sign}" if sign else f"{number}\\{dot}"


def _longest_run(content: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(content)), default=0)
